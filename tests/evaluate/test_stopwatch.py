"""Seconds are those of the learner, not those of the compiler."""

from __future__ import annotations

from time import perf_counter, sleep

from numba import njit

from braided.evaluate.stopwatch import Clock


def test_compile_time_is_not_counted():
    @njit
    def busy(n):
        total = 0.0
        for i in range(n):
            total += i**0.5
        return total

    clock, start = Clock(), perf_counter()
    with clock.running():
        busy(10)
    whole = perf_counter() - start
    assert 0 <= clock.seconds < 0.2 * whole


def test_seconds_of_blocks_add_up():
    clock, around = Clock(), 0.0
    for _ in range(3):
        start = perf_counter()
        with clock.running():
            sleep(0.01)
        around += perf_counter() - start
        sleep(0.05)
    assert 0.03 <= clock.seconds <= around

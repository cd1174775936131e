"""How kernels are compiled, and what is done where nothing can be kept on disk."""

import numba
import pytest

from braided.compiled import jit


def test_without_a_place_on_disk_each_process_compiles_for_itself(monkeypatch):
    asked = []

    def njit(**options):
        asked.append(options.get("cache", False))
        if asked[-1]:
            raise RuntimeError("cannot cache function: no locator available")
        return numba.njit(**options)

    monkeypatch.setattr(jit, "njit", njit)
    double = jit.kept_on_disk(lambda x: 2 * x, nogil=True)
    assert (double(4), asked) == (8, [True, False])


def test_a_place_on_disk_is_used():
    @jit.cached
    def double(x):
        return 2 * x

    assert double(4) == 8
    assert double.stats.cache_path


def test_kernels_without_an_entry_say_so():
    @jit.inlined
    def two() -> int:
        return 2

    @jit.compiled
    def three() -> int:
        return two() + 1

    assert three() == 3
    with pytest.raises(TypeError, match="two is a part of other kernels"):
        two()

"""Kernels as parts: what calls them, and how named tuples and variables reach them."""

from typing import NamedTuple

import numba
import numpy as np
import pytest

from braided.compiled import passed_whole
from braided.compiled.jit import compiled, inlined


class Inner(NamedTuple):
    """A part of a state."""

    weight: np.ndarray
    rounds: np.ndarray


class Outer(NamedTuple):
    """A state of another package than this one, as tests are."""

    inner: Inner
    step: float
    flag: bool


class Ours(NamedTuple):
    """A state of this package."""

    inner: Inner
    step: float
    flag: bool
    pair: tuple[float, float]


Ours.__module__ = "braided.somewhere"


@inlined
def deepest(state, i):
    return state.inner.weight[i] * state.step


@compiled
def deep(state, i):
    return deepest(state, i) + (1.0 if state.flag else 0.0)


@compiled
def learn(state, most):
    start = state.step  # assigned once, used in several blocks
    total = 0.0  # assigned again
    for i in range(state.inner.weight.size):
        if i >= most:
            break
        if i % 2:
            state.inner.weight[i] += start
            total += deep(state, i)
        else:
            total -= deep(state, i) - start
    state.inner.rounds[0] += 1
    return total


def new(kind):
    inner = Inner(np.arange(5.0), np.zeros(1, np.int64))
    return kind(inner, 0.5, True, (1.0, 2.0)) if kind is Ours else kind(inner, 0.5, True)


def as_python(state, most):
    total = 0.0
    for i in range(min(most, state.inner.weight.size)):
        if i % 2:
            state.inner.weight[i] += state.step
        deep_value = state.inner.weight[i] * state.step + float(state.flag)
        total += deep_value if i % 2 else state.step - deep_value
    state.inner.rounds[0] += 1
    return total


@numba.njit(nogil=True)
def plain(state, most):
    return learn(state, most)


@numba.njit(nogil=True)
def plain_of_plain(state, most):
    return plain(state, most) + deep(state, 0) - deep(state, 0)


@pytest.mark.parametrize("kind", [Outer, Ours])
@pytest.mark.parametrize("caller", [learn, plain, plain_of_plain])
@pytest.mark.parametrize("most", [0, 3, 9])
def test_kernels_called_by_anyone_compute_what_python_does(kind, caller, most):
    state, expected = new(kind), new(kind)
    assert caller(state, most) == as_python(expected, most)
    assert state.inner.weight.tolist() == expected.inner.weight.tolist()
    assert state.inner.rounds[0] == 1


def test_named_tuples_of_this_package_alone_are_passed_whole():
    assert passed_whole.is_passed_whole(numba.typeof(new(Ours)))
    assert not passed_whole.is_passed_whole(numba.typeof(new(Outer)))
    assert not passed_whole.is_passed_whole(numba.typeof((1.0, 2.0)))

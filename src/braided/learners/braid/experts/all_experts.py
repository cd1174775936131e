"""All additive experts over a row: one kernel of each kind, made of the kernels of all of them.

Numba can not loop over functions. So the kernels of each expert are wrapped around those of the
experts before it; they return nested pairs, which the compiler removes again. All experts go over
the row together, so that the numbers of a feature are loaded once.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from braided.compiled.jit import Floats, Ints, as_written, compiled, include_source, inlined
from braided.kernels.logistic import sigmoid
from braided.learners.braid.experts.expert import Expert
from braided.learners.braid.layout import CHANCE, INTERCEPT_SPREAD, Row, Value, value_of
from braided.learners.braid.layout import Experts as Weights
from braided.registry import EXPERTS, resolve

__all__ = ["LINEAR", "NAMES", "OWN_AT_FIRST", "forget_own", "score_experts", "update_experts"]

EXPERTS.close("register it before Braid is first used, which makes one kernel of all experts")

_ADDITIVE = [entry for entry in EXPERTS if entry.additive]
_EXPERTS: tuple[Expert, ...] = tuple(resolve(entry.home) for entry in _ADDITIVE)

NAMES = tuple(entry.name for entry in _ADDITIVE)

for expert in _EXPERTS:  # kernels of other packages are part of what is compiled
    include_source(inspect.getfile(as_written(expert.add)))

LINEAR = {
    number: expert.linear_weight
    for number, expert in enumerate(_EXPERTS)
    if expert.linear_weight is not None
}
"""The experts that are linear in the values, and the columns of their weights."""

_SPREADS = tuple(float(expert.intercept_spread) for expert in _EXPERTS)

OWN_AT_FIRST = np.zeros((len(NAMES), 5))
"""``Experts.own`` before the first row."""

OWN_AT_FIRST[:, INTERCEPT_SPREAD] = _SPREADS


class _Kernels(NamedTuple):
    """The kernels of some experts together."""

    start: Callable[..., Any]
    add: Callable[..., Any]
    write_logits: Callable[..., None]
    begin: Callable[..., Any]
    learn: Callable[..., None]


def _of_none() -> _Kernels:
    @inlined
    def start(own: Floats) -> float:
        return 0.0

    @inlined
    def add(sums: Any, experts: Weights, facts: Floats, value: Value) -> Any:
        return sums

    @inlined
    def write_logits(sums: Any, own: Floats, facts: Floats, logits: Floats) -> None:
        return

    @inlined
    def begin(own: Floats, facts: Floats, label: float, weight: float) -> float:
        return 0.0

    @inlined
    def learn(steps: Any, experts: Weights, value: Value) -> None:
        return

    return _Kernels(start, add, write_logits, begin, learn)


def _with(before: _Kernels, number: int, expert: Expert) -> _Kernels:
    start_before, add_before, write_before, begin_before, learn_before = before
    start_one, add_one, logit_one = expert.start, expert.add, expert.logit
    begin_one, learn_one = expert.begin, expert.learn

    @inlined
    def start(own: Floats) -> Any:
        return start_before(own), start_one(own[number])

    @inlined
    def add(sums: Any, experts: Weights, facts: Floats, value: Value) -> Any:
        return (
            add_before(sums[0], experts, facts, value),
            add_one(sums[1], experts, facts, value),
        )

    @inlined
    def write_logits(sums: Any, own: Floats, facts: Floats, logits: Floats) -> None:
        write_before(sums[0], own, facts, logits)
        logits[number] = logit_one(sums[1], own[number], facts)

    @inlined
    def begin(own: Floats, facts: Floats, label: float, weight: float) -> Any:
        return (
            begin_before(own, facts, label, weight),
            begin_one(own[number], facts, label, weight),
        )

    @inlined
    def learn(steps: Any, experts: Weights, value: Value) -> None:
        learn_before(steps[0], experts, value)
        learn_one(steps[1], experts, value)

    return _Kernels(start, add, write_logits, begin, learn)


def _all() -> _Kernels:
    kernels = _of_none()
    for number, expert in enumerate(_EXPERTS):
        kernels = _with(kernels, number, expert)
    return kernels


_start, _add, _write_logits, _begin, _learn = _all()


@inlined
def score_experts(experts: Weights, row: Row, columns: Ints, logits: Floats) -> None:
    """Compute the logit of each expert, and its probability of the positive label."""
    own, facts = experts.own, row.facts
    sums = _start(own)
    for i in range(columns.size):
        sums = _add(sums, experts, facts, value_of(row, columns, i))
    _write_logits(sums, own, facts, logits)
    for expert in range(len(NAMES)):
        own[expert, CHANCE] = sigmoid(logits[expert])


@inlined
def update_experts(experts: Weights, row: Row, columns: Ints, label: float, weight: float) -> None:
    """Let each expert learn the label of the row that was just scored."""
    steps = _begin(experts.own, row.facts, label, weight)
    for i in range(columns.size):
        _learn(steps, experts, value_of(row, columns, i))


@compiled
def forget_own(own: Floats) -> None:
    """Set ``own`` to what it is before the first row."""
    own[:, :] = 0.0
    for expert in range(len(_SPREADS)):
        own[expert, INTERCEPT_SPREAD] = _SPREADS[expert]

"""One thing of each kind, as another package would add it: none of this is known to Braided."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from braided import Learner, as_rows, register
from braided.compiled import kernel_table
from braided.compiled.jit import compiled, inlined
from braided.learners.braid.experts import Expert, reserve_feature_columns
from braided.parameters import check_between
from braided.registry import (
    ChartEntry,
    ExpertEntry,
    FormatEntry,
    LearnerEntry,
    MetricEntry,
    ShapeEntry,
    ShapeOption,
)
from braided.report.chart import Chart, axis, layout
from braided.streams import Stream, given

# ---------------------------------------------------------------------------------- a learner


class ToyState(NamedTuple):
    rounds: np.ndarray
    seen: np.ndarray
    weight: np.ndarray


class ToyParameters(NamedTuple):
    step: float


class ToyPerceptron(Learner):
    """A perceptron.

    Parameters
    ----------
    step : float, default 1
        How far a mistake moves the weights.
    """

    def __init__(self, *, step: float = 1.0) -> None:
        self.step = step

    def check_parameters(self) -> None:
        check_between("step", self.step, 1e-9, 1e9)

    def kernel_parameters(self):
        return ToyParameters(float(self.step))

    def new_state(self, capacity):
        return ToyState(np.zeros(1, np.int64), np.zeros(1, np.int64), np.zeros(capacity))

    def linear_weights(self, state):
        return state.weight


@compiled
def toy_score(state, params, indices, values):
    total = 0.0
    for i in range(indices.size):
        total += state.weight[indices[i]] * values[i]
    return total


@compiled
def toy_update(state, params, indices, values, square, label, score, weight):
    if label * score <= 0.0:
        step = weight * params.step * label / (1.0 + square)
        for i in range(indices.size):
            state.weight[indices[i]] += step * values[i]


kernel_table.register(ToyState, score=toy_score, update=toy_update)

# ------------------------------------------------------------------------------ an expert of Braid

(TOY_WEIGHT,) = reserve_feature_columns(1)


@inlined
def no_sum(own):
    return 0.0


@inlined
def toy_add(total, experts, facts, value):
    return total + np.float64(experts.weights[value.column, TOY_WEIGHT]) * value.ratio


@inlined
def toy_logit(total, own, facts):
    return total


@inlined
def toy_begin(own, facts, label, weight):
    return np.float32(0.1 * weight * label)


@inlined
def toy_learn(step, experts, value):
    experts.weights[value.column, TOY_WEIGHT] += step * np.float32(value.ratio)


TOY_EXPERT = Expert(no_sum, toy_add, toy_logit, toy_begin, toy_learn, linear_weight=TOY_WEIGHT)

# ----------------------------------------------------------------------- the others are functions


def decisiveness(signs, scores) -> float:
    """The share of rounds whose score is not 0."""
    return float(np.mean(scores != 0)) if len(scores) else np.nan


def read_toy(file, reading) -> Iterator[Any]:
    """Lines such as ``yes: cheap now``."""
    for number, line in enumerate(file.read().splitlines(), start=1):
        label, colon, words = line.decode(errors="replace").partition(":")
        if colon:
            yield as_rows([dict.fromkeys(words.split(), 1.0)], [label])
        else:
            reading.bad_lines.report(number, "there is no colon", line)


def reversed_order(X, y=None, *, hide: int = 0, feature_names=None) -> Stream:
    """The last row first, without the first ``hide`` columns."""
    rows = given(X, y, feature_names=feature_names).rows
    order = np.arange(len(rows))[::-1].copy()

    def hidden(blocks):
        return (block.select(block.indices >= hide) for block in blocks)

    return Stream("toy-reversed", rows, hidden, order, {"hide": hide})


def rounds_chart(recordings) -> Chart:
    """How many rounds there were."""
    bars = {"type": "bar", "x": [r.label for r in recordings], "y": [1 for _ in recordings]}
    return Chart("Toy chart", "Drawn from outside.", [bars], layout(axis("learner"), axis("runs")))


ENTRIES = (
    LearnerEntry("toy-perceptron", ToyPerceptron, "A perceptron from outside"),
    ExpertEntry("toy expert", TOY_EXPERT, "counts of labels, from outside"),
    MetricEntry("toy_decisiveness", decisiveness, "share of scores that are not 0"),
    FormatEntry(
        "toy",
        read_toy,
        "words after a label",
        (".toy",),
        allowed="allowed: label: word word ...",
        example=b"yes: cheap now\nno: lunch\n",
    ),
    ShapeEntry(
        "toy-reversed",
        reversed_order,
        "the last row first",
        "The rows came backwards.",
        (ShapeOption("hide", int, 0, "Number of columns that are hidden"),),
        shuffles=False,
    ),
    ChartEntry("toy chart", rounds_chart, "a chart from outside"),
)

for entry in ENTRIES:
    register(entry)

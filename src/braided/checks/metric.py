"""check_metric: what Braided promises of a metric."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any
from unittest import SkipTest

import numpy as np
from numpy.typing import NDArray

from braided.checks.promises import broken
from braided.evaluate.many_classes import metrics_of_classes
from braided.evaluate.metrics.by_name import curve
from braided.evaluate.metrics.confusion import of_all_rounds
from braided.evaluate.result import Result
from braided.evaluate.snapshots import Snapshot
from braided.registry import MetricEntry, resolve

__all__ = ["METRIC_CHECKS"]

Floats = NDArray[np.float64]

OF = ("scores", "log_odds", "counts", "result")
WINDOWS = (None, 1, 7)


def check_metric_is_a_number(entry: MetricEntry) -> None:
    """A metric is a number or NaN, never infinite, whatever finite scores there are."""
    if entry.of not in OF:
        raise broken("what it is computed of", expected=f"one of {OF}", found=entry.of)
    for signs, scores in _rounds():
        _demand_number(entry, signs, scores)


def check_metric_does_without_a_label(entry: MetricEntry) -> None:
    """A metric of rounds of one label, of a single round or of none is a number or NaN."""
    for rounds in (0, 1, 5):
        scores = np.linspace(-1.0, 2.0, rounds)
        for label in (-1.0, 1.0):
            _demand_number(entry, np.full(rounds, label), scores)


def check_metric_does_not_depend_on_the_order_of_rounds(entry: MetricEntry) -> None:
    """The rounds in another order have the same metric, but for rounding."""
    if entry.of == "result":
        raise SkipTest("it is about the whole run")
    rng = np.random.default_rng(1)
    for signs, scores in _rounds():
        order = rng.permutation(signs.size)
        expected, found = _value(entry, signs, scores), _value(entry, signs[order], scores[order])
        if not _equal(expected, found):
            what = f"of signs {signs[order]} and scores {scores[order]}"
            raise broken(f"the metric {what}", expected=expected, found=found)


def check_metric_leaves_its_arrays_alone(entry: MetricEntry) -> None:
    """Computing a metric does not change the signs and scores."""
    for signs, scores in _rounds():
        before = signs.copy(), scores.copy()
        _value(entry, signs, scores)
        for what, array, expected in zip(("signs", "scores"), (signs, scores), before, strict=True):
            if array.tobytes() != expected.tobytes():
                raise broken(f"{what} afterwards", expected=expected, found=array)


def check_metric_curve_follows_the_metric(entry: MetricEntry) -> None:
    """The curve after so many rounds is the metric of these rounds, those without a label apart."""
    if entry.of == "result":
        raise SkipTest("it has no curve")
    for number, (signs, scores) in enumerate(_rounds()):
        signs = signs.copy()
        signs[number::6] = np.nan
        at = list(range(1, signs.size + 1))
        for window in WINDOWS:
            found = curve(entry, signs, scores, window, at)
            for last in at:
                span = slice(0 if window is None else max(0, last - window), last)
                known = ~np.isnan(signs[span])
                expected = _value(entry, signs[span][known], scores[span][known])
                if not _equal(expected, found[last - 1]):
                    what = f"the curve after {last} rounds with window={window}"
                    told = f"{what}, of signs {signs[:last]} and scores {scores[:last]}"
                    raise broken(told, expected=expected, found=found[last - 1])


def check_metric_of_many_classes_is_a_number(entry: MetricEntry) -> None:
    """A metric that says it knows many classes is a number or NaN for three of them."""
    if not entry.many_classes or entry.of == "result":
        raise SkipTest("it is not computed from many classes")
    rng = np.random.default_rng(2)
    compute = resolve(entry.home)
    for rounds in (0, 1, 50):
        classes = rng.integers(0, 3, rounds).astype(np.float64)
        predicted = rng.integers(-1, 3, rounds).astype(np.float64)
        counts = entry.of == "counts"
        of = (metrics_of_classes(classes, predicted),) if counts else (classes, predicted)
        _as_number(compute(*of), f"of classes {classes} and predictions {predicted}")


METRIC_CHECKS: tuple[Callable[[MetricEntry], None], ...] = (
    check_metric_is_a_number,
    check_metric_does_without_a_label,
    check_metric_does_not_depend_on_the_order_of_rounds,
    check_metric_leaves_its_arrays_alone,
    check_metric_curve_follows_the_metric,
    check_metric_of_many_classes_is_a_number,
)
"""All promises of a metric; each is called with its entry.

Examples
--------
>>> from braided.checks import METRIC_CHECKS
>>> METRIC_CHECKS[0].__name__
'check_metric_is_a_number'
"""


def _rounds() -> Iterator[tuple[Floats, Floats]]:
    """Signs and scores with ties and zeros, small and large."""
    for seed in range(10):
        rng = np.random.default_rng(seed)
        rounds = int(rng.integers(2, 40))
        scores = rng.normal(size=rounds) * 10.0 ** rng.integers(-3, 4)
        if seed % 2:
            scores = rng.integers(-2, 3, rounds).astype(np.float64)
        yield rng.choice((-1.0, 1.0), rounds), scores


def _value(entry: MetricEntry, signs: Floats, scores: Floats) -> float:
    """The metric of these rounds, as an evaluation computes it."""
    compute = resolve(entry.home)
    what = f"of signs {signs} and scores {scores}"
    if entry.of == "counts":
        return _as_number(compute(of_all_rounds(signs, scores)), what)
    if entry.of == "result":
        observed = np.full(signs.size, 3)
        end = Snapshot(signs.size, 7, 5, 1000, 0.25)
        return _as_number(compute(Result(signs, scores, (end,), observed)), what)
    return _as_number(compute(signs, scores), what)


def _demand_number(entry: MetricEntry, signs: Floats, scores: Floats) -> None:
    value = _value(entry, signs, scores)
    if math.isinf(value):
        what = f"the metric of signs {signs} and scores {scores}"
        raise broken(what, expected="a finite number or NaN", found=value)


def _as_number(value: Any, what: str) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise broken(f"the metric {what}", expected="one number", found=value) from None


def _equal(one: float, other: float) -> bool:
    both_unknown = math.isnan(one) and math.isnan(other)
    return both_unknown or math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9)

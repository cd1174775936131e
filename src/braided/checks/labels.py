"""Promises about labels: any two values, no third one, and what there is before the first."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from braided.checks.comparison import learned
from braided.checks.learning import New, demand_same
from braided.checks.promises import broken, refused
from braided.checks.random_streams import columns_of, long_stream

__all__ = [
    "check_a_third_label_is_refused",
    "check_any_two_labels",
    "check_before_anything_was_learned",
]

PAIRS: tuple[tuple[Any, Any], ...] = (
    (-1, 1),
    (0, 1),
    (False, True),
    ("mail", "spam"),
    (1, 2),
)
"""Negative and positive: the larger value is the positive one."""


def check_any_two_labels(new: New) -> None:
    """Any two label values do, and only predictions depend on which."""
    rows, labels = columns_of(long_stream(seed=8))
    usual = new().partial_fit(rows, labels)
    scores, weights = usual.decision_function(rows), usual.weights()
    for negative, positive in PAIRS:
        pair = f"labels {negative!r} and {positive!r}"
        model = new().partial_fit(rows, [positive if y > 0 else negative for y in labels])
        classes = model.classes_.tolist()
        if classes != [negative, positive]:
            raise broken(f"classes_ of {pair}", expected=[negative, positive], found=classes)
        found = model.weights()
        if set(found) != set(weights) or not all(
            math.isclose(found[name], w, rel_tol=1e-9, abs_tol=1e-12) for name, w in weights.items()
        ):
            raise broken(f"weights with {pair}", expected=weights, found=found)
        others = model.decision_function(rows)
        wrong = np.flatnonzero(~np.isclose(others, scores, rtol=1e-9, atol=1e-12))
        if wrong.size:
            what = f"the score of row {wrong[0]} with {pair}"
            raise broken(what, expected=scores[wrong[0]], found=others[wrong[0]])
        predicted = model.predict(rows).tolist()
        if not set(predicted) <= {negative, positive}:
            raise broken(f"predictions with {pair}", expected=pair, found=set(predicted))
        one_by_one = [model.predict_one(x) for x in rows]
        if one_by_one != predicted:
            row = next(t for t, y in enumerate(predicted) if one_by_one[t] != y)
            what = f"predict_one of row {row} with {pair}"
            raise broken(what, expected=predicted[row], found=one_by_one[row])


def check_a_third_label_is_refused(new: New) -> None:
    """A third label that is not allowed, or none, is refused by row, and changes nothing."""
    model = new().partial_fit([{"a": 1.0}, {"b": 1.0}], ["x", "y"])
    before = learned(model)
    if not model.many_classes:
        with refused("learn_one with a third label", "third label"):
            model.learn_one({"c": 1.0}, "z")
        demand_same("the model after a third label was refused", before, learned(model))
        with refused("partial_fit with a third label", "row 1: a third label"):
            model.partial_fit([{"c": 1.0}, {"d": 1.0}], ["x", "z"])
        demand_same("the model after a third label was refused", before, learned(model))
    with refused("partial_fit with a label that is None", "row 1: the label is missing"):
        model.partial_fit([{"c": 1.0}, {"d": 1.0}], ["x", None])
    demand_same("the model after a missing label was refused", before, learned(model))


def check_before_anything_was_learned(new: New) -> None:
    """Before the first row, single rows get no prediction, and many are refused."""
    from sklearn.exceptions import NotFittedError

    model = new()
    answers: dict[str, tuple[object, object]] = {
        "predict_one": (model.predict_one({"a": 1.0}), None),
        "score_one": (model.score_one({"a": 1.0}), 0.0),
        "weights()": (model.weights(), {}),
        "rounds": (model.rounds, 0),
        "features_seen": (model.features_seen, 0),
        "features_kept": (model.features_kept, 0),
        "memory_bytes": (model.memory_bytes, 0),
    }
    for what, (found, expected) in answers.items():
        if found != expected:
            raise broken(f"{what} before anything was learned", expected=expected, found=found)
    for question in (model.predict, model.decision_function):
        with refused(f"{question.__name__} before anything was learned", "", NotFittedError):
            question([{"a": 1.0}])

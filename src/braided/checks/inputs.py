"""Promises about what rows may be: kinds of input, what is unobserved, refused or extreme."""

from __future__ import annotations

import copy
import math
from collections.abc import Hashable
from importlib import import_module
from importlib.util import find_spec
from typing import Any
from unittest import SkipTest

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from braided.checks.comparison import is_finite, learned
from braided.checks.learning import New, demand_same
from braided.checks.promises import broken, refused
from braided.checks.random_streams import Row, columns_of, long_stream
from braided.learner.learner import Learner

__all__ = [
    "check_bad_values_are_refused",
    "check_dicts_sparse_and_arrays_are_the_same",
    "check_empty_rows_are_rows",
    "check_extreme_sample_weights_never_poison",
    "check_extreme_values_never_poison",
    "check_frames_and_arrays_are_the_same",
    "check_unobserved_is_left_out",
    "check_x_is_never_changed",
]

BAD_VALUES = (math.inf, -math.inf, 1e101, b"text", [math.inf], 1 + 2j, 10**400)
SAMPLE_WEIGHTS = (1e-300, 5.0, 1e9)


def _dense() -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Rows with holes and observed zeros, and their labels.

    A hole that is taken for a zero, or a zero for a hole, changes which feature is seen first.
    """
    rng = np.random.default_rng(0)
    dense = rng.normal(size=(80, 6)).round(2)
    dense[rng.random(dense.shape) < 0.3] = np.nan
    dense[:4, [0, 2, 4]] = np.nan
    dense[3, 2] = 0.0
    return dense, np.where(rng.random(80) < 0.5, 1, -1)


def _sparse(dense: NDArray[np.float64]) -> sp.csr_matrix:
    row, column = np.nonzero(~np.isnan(dense))
    return sp.csr_matrix((dense[row, column], (row, column)), shape=dense.shape)


def check_dicts_sparse_and_arrays_are_the_same(new: New) -> None:
    """The same rows as dicts, a sparse matrix or an array give the same model."""
    dense, labels = _dense()
    dicts = [{j: v for j, v in enumerate(x) if v == v} for x in dense.tolist()]
    with_none = [{j: v if v == v else None for j, v in enumerate(x)} for x in dense.tolist()]
    expected = learned(new().partial_fit(dense, labels))
    others = {"a CSR matrix": _sparse(dense), "dicts": dicts, "dicts with None": with_none}
    for kind, X in others.items():
        found = learned(new().partial_fit(X, labels))
        demand_same(f"{kind} instead of an array", expected, found)


def check_frames_and_arrays_are_the_same(new: New) -> None:
    """The same rows as a frame of pandas or polars or as an array give the same model."""
    numbers: list[Hashable] = list(range(6))
    texts: list[Hashable] = [f"f{j}" for j in range(6)]
    kinds = [("pandas", numbers), ("pandas", texts), ("polars", texts)]
    kinds = [(library, names) for library, names in kinds if find_spec(library)]
    if not kinds:
        raise SkipTest("neither pandas nor polars is installed")
    dense, labels = _dense()
    for library, names in kinds:
        expected = learned(new().partial_fit(dense, labels, feature_names=names))
        found = learned(new().partial_fit(_frame(library, dense, names), labels))
        demand_same(f"a frame of {library} instead of an array", expected, found)


def _frame(library: str, dense: NDArray[np.float64], names: list[Hashable]) -> Any:
    columns = dict(zip(names, dense.T, strict=True))
    return import_module(library).DataFrame(columns)


def check_unobserved_is_left_out(new: New) -> None:
    """A feature that is None or NaN is as good as not in the row: it is no zero, and not seen."""
    plain, padded = new(), new()
    for row, (x, y) in enumerate(long_stream(seed=6, rounds=50)):
        x_padded = {**x, "never": math.nan, "nothing": None}
        plain.learn_one(x, y)
        expected, found = padded.score_one(x), padded.score_one(x_padded)
        if expected != found:
            raise broken(f"the score of row {row}, {x_padded}", expected=expected, found=found)
        padded.learn_one(x_padded, y)
        demand_same(f"row {row} with NaN and None, {x_padded}", learned(plain), learned(padded))
    blocks = new()
    rows, labels = columns_of(long_stream(seed=6, rounds=50))
    blocks.partial_fit([{**x, "never": math.nan, "nothing": None} for x in rows], labels)
    demand_same("rows with NaN and None in a block", learned(plain), learned(blocks))


def check_x_is_never_changed(new: New) -> None:
    """Learning and predicting leave the rows that they are given as they were."""
    model = new()
    dense, labels = _dense()
    sparse = _sparse(dense)
    rows: list[Row] = [{"a": 1.0, "b": None}, {"b": 2, "c": math.nan}, {}]
    before = copy.deepcopy((rows, dense, sparse, labels))
    for x, y in zip(rows, (1, -1, 1), strict=True):
        model.learn_one(x, y)
        model.predict_one(x)
        model.score_one(x)
    inputs: list[tuple[Any, Any]] = [(rows, [1, -1, 1]), (dense, labels), (sparse, labels)]
    for X, Y in inputs:
        for verb in (new().partial_fit, new().fit, new().prequential):
            verb(X, Y)
        fitted = new().fit(X, Y)
        fitted.predict(X)
        fitted.decision_function(X)
    if repr(rows) != repr(before[0]):
        raise broken("the dicts after learning them", expected=before[0], found=rows)
    kinds = ("the array", dense, before[1]), ("the labels", labels, before[3])
    for kind, array, expected in kinds:
        if array.tobytes() != expected.tobytes():
            raise broken(f"{kind} after learning", expected=expected, found=array)
    for part in ("indptr", "indices", "data"):
        now, then = getattr(sparse, part), getattr(before[2], part)
        if now.tobytes() != then.tobytes():
            raise broken(f"{part} of the CSR matrix after learning", expected=then, found=now)


def check_empty_rows_are_rows(new: New) -> None:
    """A row without features is learned and counted as any other, and has a score."""
    model = new()
    model.learn_one({"a": 1.0}, 1)
    model.learn_one({}, -1)
    model.partial_fit([{}, {}], [1, -1])
    if model.rounds != 4:
        raise broken("rounds after 4 rows, 3 of them empty", expected=4, found=model.rounds)
    one, many = model.score_one({}), float(model.decision_function([{}])[0])
    if not math.isclose(one, many, rel_tol=1e-6, abs_tol=1e-12):
        raise broken("the score of an empty row, by score_one", expected=many, found=one)


def check_bad_values_are_refused(new: New) -> None:
    """A value that means no finite numbers is refused by row and feature, and changes nothing."""
    rows, labels = columns_of(long_stream(seed=6, rounds=50))
    model = new().partial_fit(rows, labels)
    before = learned(model)
    for bad in BAD_VALUES:
        shown = repr(bad)[:20]
        bad_row: Row = {"f0": 1.0, "never seen": 2.0, "f1": bad}
        with refused(f"learn_one with the value {shown}", "row 0, feature 'f1'"):
            model.learn_one(bad_row, 1)
        demand_same(f"the model after learn_one refused {shown}", before, learned(model))
        with refused(f"predict_one with the value {shown}", "row 0, feature 'f1'"):
            model.predict_one(bad_row)
        with refused(f"partial_fit with the value {shown}", "row 2, feature 'f1'"):
            model.partial_fit([{"f0": 1.0}, {"new": 1.0}, bad_row], [1, -1, 1])
        demand_same(f"the model after partial_fit refused {shown}", before, learned(model))
        with refused(f"fit with the value {shown}", "row 1, feature 'f1'"):
            model.fit([{"f0": 1.0}, bad_row], [1, -1])
        demand_same(f"the model after fit refused {shown}", before, learned(model))
        fresh = new()
        with refused(f"a first partial_fit with the value {shown}", "row 1, feature 'f1'"):
            fresh.partial_fit([{"f0": 1.0}, bad_row], [1, -1])
        if fresh.rounds:
            raise broken("rounds after refused rows", expected=0, found=fresh.rounds)


def check_extreme_values_never_poison(new: New) -> None:
    """Values from 1e-300 to 1e99 leave every number of the model and all scores finite."""
    rng = np.random.default_rng(0)
    model = new()
    for t in range(300):
        magnitude = 10.0 ** rng.integers(-320, 100, size=4).clip(-300, 99)
        x: Row = {f"f{rng.integers(9)}": float(m * rng.choice([-1, 1])) for m in magnitude}
        model.learn_one(x, bool(t % 2))
        _demand_finite(model, f"after row {t}, {x}", [{"f1": 1.0, "f2": -3.0}])


def check_extreme_sample_weights_never_poison(new: New) -> None:
    """Sample weights from 1e-300 to 1e9 leave every number of the model and all scores finite."""
    X: list[Row] = [
        {"a": 1.0},
        {"a": 1.0, "b": 1e-30},
        {"b": 1e-139},
        {"a": 1e100, "b": 1.0},
        {"c": -3.0},
    ]
    for weight in SAMPLE_WEIGHTS:
        model = new()
        for times in range(100):
            model.partial_fit(X, [0, 1, 0, 1, 1], sample_weight=[weight] * 5)
            _demand_finite(model, f"after {times + 1} times {X} with sample_weight {weight:g}", X)


def _demand_finite(model: Learner, when: str, X: list[Row]) -> None:
    assert model.engine is not None
    if not is_finite(model.engine):
        raise broken(f"the state {when}", expected="finite numbers", found="infinity or NaN")
    scores = [*map(model.score_one, X), *model.decision_function(X).tolist()]
    if not np.isfinite(scores).all():
        raise broken(f"scores of {X} {when}", expected="finite numbers", found=scores)

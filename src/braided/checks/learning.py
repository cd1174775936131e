"""Promises about how rows are learned: in blocks, by name, from copies and files, in a budget."""

from __future__ import annotations

import copy
import math
import pickle
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any
from unittest import SkipTest

import numpy as np

from braided import registry
from braided.checks.comparison import Learned, difference, learned
from braided.checks.promises import BrokenPromiseError, broken, hold_on_stream
from braided.checks.random_streams import (
    Row,
    Stream,
    columns_of,
    long_stream,
    small_streams,
)
from braided.errors import InputError
from braided.learner.algorithm import LimitsNames
from braided.learner.estimator import clone
from braided.learner.learner import Learner
from braided.model_files.save_load import load
from braided.records import as_rows

__all__ = [
    "New",
    "check_a_budget_is_never_exceeded",
    "check_one_by_one_equals_in_blocks",
    "check_one_by_one_scores_equal_prequential",
    "check_predicting_changes_nothing",
    "check_renaming_features_changes_only_names",
    "check_reordering_a_row_changes_nothing",
    "check_resuming_from_a_file",
    "check_resuming_from_copies",
    "check_the_same_seed_gives_the_same_result",
]

New = Callable[..., Learner]
"""Makes a fresh model; arguments change its parameters."""

STREAMS = 25
BUDGETS = (1, 2, 5, 0.1, 0.5)


def same(what: str, expected: Learned, found: Learned) -> BrokenPromiseError | None:
    """Compare what was learned, bit for bit; the error, or None."""
    differs = difference(expected, found)
    if differs is None:
        return None
    part, one, other = differs
    return broken(f"{what}: {part}", expected=one, found=other)


def demand_same(what: str, expected: Learned, found: Learned) -> None:
    """Raise if what was learned differs in a bit."""
    error = same(what, expected, found)
    if error is not None:
        raise error


def check_one_by_one_equals_in_blocks(new: New) -> None:
    """Rows learned one by one and in blocks of any size give the same model, bit for bit."""

    def problem(stream: Stream) -> BrokenPromiseError | None:
        rows, labels = columns_of(stream)
        one_by_one, at_once, in_blocks = new(), new(), new()
        for x, y in stream:
            one_by_one.predict_one(x)
            one_by_one.learn_one(x, y)
        at_once.partial_fit(rows, labels)
        rng, start = np.random.default_rng(len(stream)), 0
        while start < len(stream):
            stop = start + int(rng.integers(1, 8))
            in_blocks.prequential(rows[start:stop], labels[start:stop])
            start = stop
        expected = learned(one_by_one)
        return same("partial_fit of all rows after learn_one", expected, learned(at_once)) or same(
            "prequential in blocks after learn_one", expected, learned(in_blocks)
        )

    for stream in small_streams(STREAMS):
        hold_on_stream(stream, problem)
    hold_on_stream(long_stream(seed=5), problem)


def check_one_by_one_scores_equal_prequential(new: New) -> None:
    """``prequential`` gives the scores that ``score_one`` gives before each ``learn_one``."""

    def problem(stream: Stream) -> BrokenPromiseError | None:
        rows, labels = columns_of(stream)
        one_by_one, scores = new(), []
        for x, y in stream:
            scores.append(one_by_one.score_one(x))
            one_by_one.learn_one(x, y)
        found = new().prequential(rows, labels).tolist()
        if len(found) != len(scores):
            return broken("the number of scores", expected=len(scores), found=len(found))
        for row, (one, other) in enumerate(zip(scores, found, strict=True)):
            if one != other:
                return broken(f"the score of row {row}", expected=one, found=other)
        return None

    for stream in small_streams(STREAMS):
        hold_on_stream(stream, problem)
    hold_on_stream(long_stream(seed=5), problem)


def check_the_same_seed_gives_the_same_result(new: New) -> None:
    """The same parameters and rows give the same model, bit for bit."""
    rows, labels = columns_of(long_stream(seed=4))
    first = new().partial_fit(rows, labels)
    again = new().partial_fit(rows, labels)
    demand_same("a second model of the same rows", learned(first), learned(again))
    fitted = clone(first).fit(rows, labels)
    demand_same("fit after clone", learned(first), learned(fitted))
    demand_same("a second fit", learned(first), learned(fitted.fit(rows, labels)))


def check_resuming_from_copies(new: New) -> None:
    """A copy, a deep copy and a pickle go on exactly as the model does, and apart from it."""
    rows, labels = columns_of(long_stream(seed=3))
    model = new().partial_fit(rows[:200], labels[:200])
    before = learned(model)
    copies: dict[str, Any] = {
        "copy.copy": copy.copy(model),
        "copy.deepcopy": copy.deepcopy(model),
        "pickle": pickle.loads(pickle.dumps(model)),
    }
    model.partial_fit(rows[200:], labels[200:])
    for kind, resumed in copies.items():
        demand_same(f"{kind}, after the model went on", before, learned(resumed))
        resumed.partial_fit(rows[200:], labels[200:])
        demand_same(f"{kind} that went on", learned(model), learned(resumed))


def check_resuming_from_a_file(new: New) -> None:
    """A model that was saved and loaded goes on exactly as if it had never stopped."""
    cls = type(new())
    if not _is_registered(cls):
        raise SkipTest(f"{cls.__name__} is not registered, so model files can not hold it")
    rows, labels = columns_of(long_stream(seed=3))
    model = new()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model.braided")
        model.save(path)
        stopped = load(path, expect=cls)
        for start in range(0, len(rows), 80):
            block = slice(start, start + 80)
            model.partial_fit(rows[block], labels[block])
            stopped.partial_fit(rows[block], labels[block])
            stopped.save(path)
            saved = path.read_bytes()
            stopped = load(path, expect=cls)
            demand_same(f"loaded after {model.rounds} rows", learned(model), learned(stopped))
            if repr(stopped) != repr(model):
                raise broken("parameters in the file", expected=repr(model), found=repr(stopped))
            model.save(path)
            if path.read_bytes() != saved:
                raise broken(
                    "the file of the model that never stopped",
                    expected="the same bytes as that of the one that did",
                    found="others",
                )
    scores = model.decision_function(rows).tolist()
    if stopped.decision_function(rows).tolist() != scores:
        raise broken("scores of the loaded model", expected="the same", found="others")


def _is_registered(cls: type) -> bool:
    known = registry.classes()
    return cls.__name__ in known and registry.resolve(known[cls.__name__]) is cls


def check_predicting_changes_nothing(new: New) -> None:
    """What was predicted in between changes no byte of a model."""
    rows, labels = columns_of(long_stream(seed=6))
    silent, asked = new(), new()
    for start in range(0, len(rows), 80):
        block = slice(start, start + 80)
        for model in (silent, asked):
            model.partial_fit(rows[block], labels[block])
        asked.predict(rows[::-7])
        asked.score_one({**rows[-1], "never seen": 1.0})
        demand_same(
            f"a model that was asked after {asked.rounds} rows", learned(silent), learned(asked)
        )


def check_renaming_features_changes_only_names(new: New) -> None:
    """Other names for the features change the names of the weights, and nothing else."""

    def problem(stream: Stream) -> BrokenPromiseError | None:
        rows, labels = columns_of(stream)
        other = {name: ("other", name) for x in rows for name in x}
        renamed: list[Row] = [{other[name]: v for name, v in x.items()} for x in rows]
        first, second = new().partial_fit(rows, labels), new().partial_fit(renamed, labels)
        # An intercept has a name of its own, which stays.
        weights = {other.get(name, name): w for name, w in first.weights().items()}
        if weights != second.weights():
            return broken("the weights", expected=weights, found=second.weights())
        scores = first.decision_function(rows).tolist()
        found = second.decision_function(renamed).tolist()
        return None if scores == found else broken("the scores", expected=scores, found=found)

    for stream in small_streams(STREAMS):
        hold_on_stream(stream, problem)


def check_reordering_a_row_changes_nothing(new: New) -> None:
    """The order of the features within a row changes nothing beyond rounding."""
    _skip_if_order_matters(new)
    rng = np.random.default_rng(0)
    stream = [(x, y, rng.permutation(len(x))) for x, y in long_stream(seed=2)]

    def problem(shown: Stream) -> BrokenPromiseError | None:
        given, labels = columns_of(shown)
        rows = as_rows(given)  # in the order of names, whatever the order of the keys
        seen: set[Any] = set()
        orders = []
        for x, _, order in stream:  # a row with new features settles which was seen first
            orders.append(order if x.keys() <= seen else np.arange(order.size))
            seen |= x.keys()
        pairs = zip(rows.indptr[:-1], orders[: len(shown)], strict=True)
        order = np.concatenate([start + order for start, order in pairs])
        shuffled = rows.with_arrays(indices=rows.indices[order], values=rows.values[order])
        first, second = new().prequential(rows, labels), new().prequential(shuffled, labels)
        wrong = np.flatnonzero(~np.isclose(second, first, rtol=1e-6, atol=1e-9))
        if not wrong.size:
            return None
        row = int(wrong[0])
        what = f"the score of row {row}, with the features of each row in another order"
        return broken(what, expected=float(first[row]), found=float(second[row]))

    hold_on_stream([(x, y) for x, y, _ in stream], problem)


def _skip_if_order_matters(new: New) -> None:
    model = new()
    if isinstance(model, LimitsNames) and model.most_names() < math.inf:
        raise SkipTest("which of a row's new names find room depends on their order")
    if "seed" not in model.get_params():
        return
    rows, labels = columns_of(long_stream(seed=2))
    scores = [new(seed=seed).prequential(rows, labels).tolist() for seed in (0, 1)]
    if scores[0] != scores[1]:
        raise SkipTest("what it draws depends on the order in which features were first seen")


def check_a_budget_is_never_exceeded(new: New) -> None:
    """Never are more features kept than the budget allows: a number, or a share of those seen."""
    if "budget" not in new().get_params():
        raise SkipTest("it has no parameter named budget")
    tried = 0
    for budget in BUDGETS:
        try:
            new(budget=budget)
        except InputError:  # it may know numbers only, or shares only
            continue
        tried += 1
        for stream in small_streams(STREAMS):
            hold_on_stream(stream, partial(_exceeded, new, budget))
    if not tried:
        raise broken("a budget", expected=f"one of {BUDGETS} to be allowed", found="all refused")


def _exceeded(new: New, budget: float, stream: Stream) -> BrokenPromiseError | None:
    model = new(budget=budget)
    for row, (x, y) in enumerate(stream):
        model.learn_one(x, y)
        seen, kept = model.features_seen, model.features_kept
        most = budget if isinstance(budget, int) else max(1, math.floor(budget * max(1, seen)))
        if kept > most:
            what = f"features kept of {seen} seen after row {row}, with budget={budget}"
            return broken(what, expected=f"at most {most}", found=kept)
    return None

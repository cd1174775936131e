"""Tuning: choose parameters, and report their error on rounds that were not used to choose."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from braided import registry
from braided.errors import InputError, argument
from braided.evaluate.holdout import hold_out_after
from braided.evaluate.metrics.confusion import ratio
from braided.evaluate.prequential import prequential
from braided.evaluate.repeats import Summary, repeated
from braided.learner.learner import Learner
from braided.parameters import check_choice, check_share, check_whole
from braided.streams.stream import Stream

__all__ = ["METHODS", "Tuned", "combinations", "tune"]

METHODS = ("prefix", "permutations", "folds")
FOLDS = 5
"""The number of folds, unless the caller asks for another."""

TUNING_SEEDS = 1_000_000
"""The first seed of the streams that are used to choose; others are used to report."""

Grid = Mapping[str, Sequence[Any]]
Setting = dict[str, Any]
Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class Tuned:
    """The chosen parameters, and the error rates of all that were tried.

    Parameters
    ----------
    chosen : dict
        The chosen parameters.
    judged : tuple
        Each combination of parameters with its error rate on the rounds used to choose.
    reported : Summary or float
        The error of the chosen parameters on other rounds.
    method : str
        ``"prefix"``, ``"permutations"`` or ``"folds"``.

    Examples
    --------
    >>> from braided import datasets, evaluate, streams
    >>> german = datasets.load("german")
    >>> def stream(seed):
    ...     return streams.fixed(german.X, german.y, seed=seed)
    >>> tuned = evaluate.tune("oco", stream, {"step": [0.01, 1.0]})
    >>> tuned.chosen, tuned.method, len(tuned.judged)
    ({'step': 0.01}, 'prefix', 2)
    """

    chosen: Setting
    judged: tuple[tuple[Setting, float], ...]
    reported: Summary | float
    method: str

    @property
    def error_rate(self) -> float:
        """The error rate of the chosen parameters on rounds that were not used to choose."""
        if isinstance(self.reported, Summary):
            return self.reported.mean("error_rate")
        return self.reported


def combinations(grid: Grid) -> list[Setting]:
    """Return every combination of the values; the last parameter changes fastest.

    Parameters
    ----------
    grid : mapping
        The values of each parameter.

    Returns
    -------
    list of dict
        The combinations.

    Examples
    --------
    >>> combinations({"budget": [0.1, 1.0], "variant": ["I"]})
    [{'budget': 0.1, 'variant': 'I'}, {'budget': 1.0, 'variant': 'I'}]
    """
    return [dict(zip(grid, values, strict=True)) for values in product(*grid.values())]


def tune(
    learner: str,
    make_stream: Callable[[int], Stream],
    grid: Grid,
    *,
    fixed: Mapping[str, Any] | None = None,
    method: str | None = None,
    prefix: float = 0.2,
    repeats: int = 5,
    folds: int | None = None,
    seed: int = 0,
    many_classes: str | None = None,
    progress: Callable[[int], object] | None = None,
) -> Tuned:
    """Choose the parameters with the fewest mistakes, and report their error on other rounds.

    Parameters
    ----------
    learner : str
        The name of the learner.
    make_stream : callable
        A function from a seed to a stream.
    grid : mapping
        The values to try of each parameter.
    fixed : mapping, optional
        Parameters that are the same in all combinations.
    method : "prefix", "permutations" or "folds", optional
        With ``"prefix"``, choose by the first rounds of one stream and report the error on the rest
        of it: a real stream allows this. With ``"permutations"``, choose by the mean over
        ``repeats`` streams with other seeds and report the error on ``repeats`` streams from
        ``seed`` on: every row is used to choose. With ``"folds"``, choose by k-fold
        cross-validation, as in the papers: the rounds of one stream are dealt to the folds at
        random; for each fold a new model learns all other rounds once, in order, and predicts the
        fold without learning it. The error is reported on ``repeats`` streams from ``seed`` on. If
        left out, ``"folds"`` where ``folds`` is given, else ``"prefix"``.
    prefix : float, 0 to 1, default 0.2
        The share of the rounds that is used to choose, with ``"prefix"``.
    repeats : int, at least 1, default 5
        How many streams, with ``"permutations"`` and ``"folds"``.
    folds : int, at least 2, default 5
        How many folds, with ``"folds"``.
    seed : int, at least 0, default 0
        The first seed.
    many_classes : str, optional
        ``"rest"`` (``OneVsRest``) or ``"one"`` (``OneVsOne``) from the first label on. If left out,
        a third label is learned as ``Learner.allow_any_labels`` says.
    progress : callable, optional
        Called with 1 after each combination.

    Returns
    -------
    Tuned
        The chosen parameters, and all error rates.

    Raises
    ------
    InputError
        If an argument or a parameter of the learner is not allowed.

    Examples
    --------
    >>> from braided import datasets, streams
    >>> splice = datasets.load("splice")
    >>> make = lambda seed: streams.fixed(splice.X, splice.y, seed=seed)
    >>> tune("olsf-i", make, {"aggressiveness": [1e-4, 1e-2]}).chosen
    {'aggressiveness': 0.01}
    >>> tune("olsf-i", make, {"aggressiveness": [1e-4, 1e-2]}, folds=3).chosen
    {'aggressiveness': 0.01}
    """
    method = _method(method, folds)
    check_share("prefix", prefix)
    check_whole("repeats", repeats, 1)
    settings = combinations(grid)

    def make(setting: Setting) -> Callable[[int], Learner]:
        def model(s: int) -> Learner:
            chosen = {**(fixed or {}), **setting}
            completed = registry.completed(learner, chosen, seed=s)
            return registry.create(learner, many_classes, **completed).allow_any_labels()

        return model

    others = TUNING_SEEDS + seed
    if method == "prefix":
        stream = make_stream(seed).materialized()
    elif method == "folds":
        stream = make_stream(others).materialized()
        parts = _dealt(len(stream), folds or FOLDS, others)

    def judge(setting: Setting) -> float:
        if method == "prefix":
            return _split(make(setting)(seed), stream, prefix)[0]
        if method == "folds":
            return _cross_validated(lambda: make(setting)(others), stream, parts)
        summary = repeated(make(setting), make_stream, repeats=repeats, seed=others)
        return summary.mean("error_rate")

    judged: list[tuple[Setting, float]] = []
    for setting in settings:
        judged.append((setting, judge(setting)))
        if progress is not None:
            progress(1)
    # Of equally good ones, the first is chosen.
    chosen = min(judged, key=lambda pair: pair[1])[0]
    reported: Summary | float
    if method == "prefix":
        reported = _split(make(chosen)(seed), stream, prefix)[1]
    else:
        reported = repeated(make(chosen), make_stream, repeats=repeats, seed=seed)
    return Tuned(chosen, tuple(judged), reported, method)


def _method(method: str | None, folds: int | None) -> str:
    """The method that was asked for; the number of folds may say it alone."""
    if folds is not None:
        check_whole("folds", folds, 2)
    if method is None:
        return "prefix" if folds is None else "folds"
    check_choice("method", method, METHODS)
    if folds is not None and method != "folds":
        only = f"goes with {argument('method', 'folds')} only"
        raise InputError(f"folds={folds} {only}", argument="folds")
    return method


def _dealt(rounds: int, folds: int, seed: int) -> list[Numbers]:
    """The rounds of each fold, dealt at random; their sizes differ by one at most."""
    if rounds < folds:
        many = f"folds={folds} is not allowed: there are only {rounds} rounds"
        raise InputError(many, argument="folds")
    shuffled = np.random.default_rng(seed).permutation(rounds)
    return [np.sort(part) for part in np.array_split(shuffled, folds)]


def _cross_validated(
    new_model: Callable[[], Learner], stream: Stream, folds: Sequence[Numbers]
) -> float:
    """The share of rounds that are predicted wrong by a model that has learned all other folds."""
    mistakes = labelled = 0
    for fold in folds:
        others = np.setdiff1d(np.arange(len(stream)), fold)
        ordered = replace(stream, rows=stream.rows[np.concatenate([others, fold])])
        result = hold_out_after(new_model(), ordered, others.size)
        mistakes += result.mistakes
        labelled += result.rounds - result.unlabelled
    return float(ratio(mistakes, labelled))


def _split(model: Learner, stream: Stream, prefix: float) -> tuple[float, float]:
    """The error rates of the first rounds and of the rest of one run."""
    result = prequential(model, stream)
    first = int(np.ceil(prefix * result.rounds))
    parts = (slice(first), slice(first, None))
    chosen, rest = (
        replace(result, signs=result.signs[part], scores=result.scores[part]) for part in parts
    )
    return chosen.error_rate, rest.error_rate

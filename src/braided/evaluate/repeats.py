"""The same run several times, each with the next seed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import Any

from braided.evaluate.holdout import holdout
from braided.evaluate.prequential import Observer, Result, prequential
from braided.learner import Learner
from braided.streams.stream import BLOCK, Stream

__all__ = ["Summary", "repeated"]


@dataclass(frozen=True)
class Summary:
    """The results of all repeats, by seed."""

    results: dict[int, Result]

    def mean(self, what: str) -> float:
        """The mean of one figure of the results, such as ``"error_rate"``."""
        return fmean(self._all(what))

    def std(self, what: str) -> float:
        """Its sample standard deviation; 0 for one repeat."""
        values = self._all(what)
        return stdev(values) if len(values) > 1 else 0.0

    def _all(self, what: str) -> list[float]:
        return [float(getattr(result, what)) for result in self.results.values()]


def repeated(
    make_model: Callable[[int], Learner],
    make_stream: Callable[[int], Stream],
    *,
    repeats: int,
    seed: int = 0,
    block: int = BLOCK,
    progress: Callable[[int], object] | None = None,
    holdout_share: float | None = None,
    every: int | None = None,
    observe: Observer | None = None,
) -> Summary:
    """Evaluate a new model on a new stream for each of the seeds seed, seed + 1, ...

    Prequentially, or on the rest of the stream after ``holdout_share`` of it was learned. For
    ``every`` and ``observe`` see ``prequential``; a holdout has one checkpoint, after learning.

    Examples
    --------
    >>> from braided import OLSF, datasets, streams
    >>> german = datasets.load("german")
    >>> summary = repeated(
    ...     lambda seed: OLSF(seed=seed),
    ...     lambda seed: streams.fixed(german.X, german.y, seed=seed),
    ...     repeats=3,
    ... )
    >>> list(summary.results), summary.std("mistakes") > 0
    ([0, 1, 2], True)
    """
    results: dict[int, Result] = {}
    watched: dict[str, Any] = {"block": block, "progress": progress, "observe": observe}
    for s in range(seed, seed + repeats):
        model, stream = make_model(s), make_stream(s)
        if holdout_share is None:
            results[s] = prequential(model, stream, every=every, **watched)
        else:
            results[s] = holdout(model, stream, share=holdout_share, **watched)
    return Summary(results)

"""The same run several times, each with the next seed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

from braided.evaluate.holdout import holdout
from braided.evaluate.metrics.by_name import Metric
from braided.evaluate.prequential import Progress, prequential
from braided.evaluate.result import Result
from braided.evaluate.snapshots import Observer
from braided.learner.learner import Learner
from braided.streams.stream import Stream

__all__ = ["Summary", "repeated"]


@dataclass(frozen=True)
class Summary:
    """The results of all repeats, by seed."""

    results: dict[int, Result]

    def mean(self, what: str) -> float:
        """The mean of one number of the results, such as ``"error_rate"``, or of their metrics."""
        return fmean(self._all(what))

    def std(self, what: str) -> float:
        """Its sample standard deviation; 0 for one repeat."""
        values = self._all(what)
        return stdev(values) if len(values) > 1 else 0.0

    def _all(self, what: str) -> list[float]:
        return [
            float(getattr(result, what) if hasattr(result, what) else result.metric_values[what])
            for result in self.results.values()
        ]

    def baselines(self) -> dict[str, Summary]:
        """What those who look at no feature make of the same streams."""
        of_seeds = {seed: result.baselines for seed, result in self.results.items()}
        names = next(iter(of_seeds.values()), {})
        return {
            name: Summary({seed: baselines[name] for seed, baselines in of_seeds.items()})
            for name in names
        }


def repeated(
    make_model: Callable[[int], Learner],
    make_stream: Callable[[int], Stream],
    *,
    repeats: int,
    seed: int = 0,
    metrics: Sequence[Metric] | None = None,
    every: int | None = None,
    delay: int = 0,
    block: int | None = None,
    progress: Progress | None = None,
    holdout_share: float | None = None,
    observe: Observer | None = None,
) -> Summary:
    """Evaluate a new model on a new stream for each of the seeds seed, seed + 1, ...

    Prequentially (see ``prequential`` for ``every`` and ``delay``, which are for it alone), or on
    the rest of the stream after ``holdout_share`` of it was learned. ``observe`` sees the models
    at their snapshots; a holdout has one, after learning.

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
    for s in range(seed, seed + repeats):
        model, stream = make_model(s), make_stream(s)
        if holdout_share is None:
            results[s] = prequential(
                model,
                stream,
                metrics=metrics,
                every=every,
                delay=delay,
                block=block,
                progress=progress,
                observe=observe,
            )
        else:
            results[s] = holdout(
                model,
                stream,
                share=holdout_share,
                metrics=metrics,
                block=block,
                progress=progress,
                observe=observe,
            )
    return Summary(results)

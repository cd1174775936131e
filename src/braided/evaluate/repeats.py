"""Repeats: the same evaluation several times, each with the next seed."""

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
    """The results of all repeats.

    Parameters
    ----------
    results : dict
        The result of each seed.

    Examples
    --------
    >>> from braided import OCO, datasets, evaluate, streams
    >>> german = datasets.load("german")
    >>> summary = evaluate.repeated(
    ...     lambda seed: OCO(),
    ...     lambda seed: streams.fixed(german.X, german.y, seed=seed),
    ...     repeats=2,
    ... )
    >>> round(summary.mean("error_rate"), 2), sorted(summary.results)
    (0.43, [0, 1])
    """

    results: dict[int, Result]

    def mean(self, what: str) -> float:
        """Compute the mean of a number over all repeats.

        Parameters
        ----------
        what : str
            An attribute of the results, as in ``"error_rate"``, or one of their metrics.

        Returns
        -------
        float
            The mean.
        """
        return fmean(self._all(what))

    def std(self, what: str) -> float:
        """Compute the sample standard deviation of a number over all repeats.

        Parameters
        ----------
        what : str
            An attribute of the results, as in ``"error_rate"``, or one of their metrics.

        Returns
        -------
        float
            The standard deviation; 0 for one repeat.
        """
        values = self._all(what)
        return stdev(values) if len(values) > 1 else 0.0

    def _all(self, what: str) -> list[float]:
        return [
            float(getattr(result, what) if hasattr(result, what) else result.metric_values[what])
            for result in self.results.values()
        ]

    def baselines(self) -> dict[str, Summary]:
        """Return the results of the baselines (majority class, last label) on the same rounds.

        Returns
        -------
        dict
            The summary of each baseline by its name.
        """
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

    Parameters
    ----------
    make_model : callable
        A function from a seed to a new model.
    make_stream : callable
        A function from a seed to a stream.
    repeats : int, at least 1
        How many seeds.
    seed : int, at least 0, default 0
        The first seed.
    metrics : sequence of str or callable, optional
        The metrics of the results, as in ``prequential``.
    every : int, at least 1, optional
        After how many rounds a snapshot is taken; for prequential evaluation only.
    delay : int, at least 0, default 0
        How many rounds late labels come; for prequential evaluation only.
    block : int, at least 1, optional
        How many rows are learned at a time; it changes nothing but the speed.
    progress : callable, optional
        Called after each block with the number of its rows, and the error rate so far.
    holdout_share : float, 0 to 1, optional
        Learn this share of the stream and evaluate on the rest, as ``holdout`` does. If left out,
        the evaluation is prequential.
    observe : callable, optional
        Called with the model and the snapshot, whenever one is taken.

    Returns
    -------
    Summary
        The result of each seed.

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

"""Comparison: several learners on several data sets, with the same seeds, in one table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from braided import registry
from braided.evaluate.baselines import BASELINES
from braided.evaluate.prequential import prequential
from braided.evaluate.processes import map_in_processes
from braided.evaluate.result import Result
from braided.rows.rows import Rows
from braided.streams.stream import Stream
from braided.targets import Labels, labelled

__all__ = ["Comparison", "Contender", "Plan", "RunMetrics", "compare"]

SIGNIFICANT = 0.05
"""A difference with a smaller p-value of a paired t-test counts as a win or a loss."""

STREAMS_PER_PROCESS = 4
"""With fewer streams for each process, the contenders on one stream are shared out as well."""


@dataclass(frozen=True)
class Contender:
    """A learner that takes part in a comparison.

    Parameters
    ----------
    name : str
        The name of the learner, as in ``"olsf"``.
    parameters : mapping, default {}
        Its parameters; the others have their defaults.

    Examples
    --------
    >>> from braided.evaluate import Contender
    >>> Contender("olsf-ii", {"budget": 0.1}).label
    'olsf-ii (budget=0.1)'
    """

    name: str
    parameters: Mapping[str, Any] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """The name with the chosen parameters, as tables show it."""
        chosen = ", ".join(f"{name}={value}" for name, value in self.parameters.items())
        return f"{self.name} ({chosen})" if chosen else self.name


class RunMetrics(NamedTuple):
    """The metrics of one run.

    Attributes
    ----------
    mistakes : int
        How many rounds were predicted wrong.
    error_rate : float
        The share of mistakes.
    features_seen : int
        How many features were ever observed.
    features_kept : int
        How many features have a weight at the end.
    seconds : float
        Time spent in the learner.
    diverged : bool, default False
        Whether some score was not a finite number.
    metrics : mapping, default {}
        The values of the chosen metrics, by name.
    """

    mistakes: int
    error_rate: float
    features_seen: int
    features_kept: int
    seconds: float
    diverged: bool = False
    metrics: Mapping[str, float] = {}


@dataclass(frozen=True)
class Plan:
    """What to compare: data sets, learners, and how their streams are made.

    Parameters
    ----------
    data : mapping
        The rows and labels of each data set, by name.
    contenders : sequence of Contender
        The learners.
    stream : str, default "fixed"
        The stream shape, one of ``braided.registry.SHAPES``.
    options : mapping, default {}
        The options of the stream shape.
    delay : int, at least 0, default 0
        How many rounds late labels come.
    metrics : sequence of str, default ()
        Metrics to keep of each run besides the usual ones.
    many_classes : str, optional
        ``"rest"`` (``OneVsRest``) or ``"one"`` (``OneVsOne``) from the first label on. If left out,
        contenders learn two labels, and at a third one go on as ``Learner.allow_any_labels`` says.

    Examples
    --------
    >>> from braided import datasets
    >>> german = datasets.load("german")
    >>> plan = Plan({"german": (german.X, german.y)}, [Contender("olsf", {"budget": 0.5})])
    >>> plan.evaluate("german", 0, seed=1).rounds
    1000
    """

    data: Mapping[str, tuple[Rows, NDArray[Any]]]
    contenders: Sequence[Contender]
    stream: str = "fixed"
    options: Mapping[str, Any] = field(default_factory=dict)
    delay: int = 0
    metrics: Sequence[str] = ()
    many_classes: str | None = None

    @cached_property
    def many_classes_in_use(self) -> str | None:
        """How more than two labels are told apart: ``many_classes``, or "rest" if there are any."""
        if self.many_classes is not None:
            return self.many_classes
        more = any(_more_than_two(labels) for _, labels in self.data.values())
        return "rest" if more else None

    def evaluate(self, data: str, contender: int, seed: int, **keywords: Any) -> Result:
        """Evaluate one contender on one data set with one seed.

        Parameters
        ----------
        data : str
            The name of the data set.
        contender : int
            The number of the contender, from 0.
        seed : int
            The seed of the stream and of the learner.
        **keywords : Any
            More arguments of ``prequential``.

        Returns
        -------
        Result
            The result.
        """
        chosen = self.contenders[contender]
        parameters = registry.completed(chosen.name, chosen.parameters, seed=seed, delay=self.delay)
        model = registry.create(chosen.name, self.many_classes, **parameters).allow_any_labels()
        stream = self.make_stream(data, seed)
        return prequential(model, stream, delay=self.delay, metrics=self.metrics, **keywords)

    def make_stream(self, data: str, seed: int) -> Stream:
        """Make the stream of one data set with one seed.

        The last stream is kept, since contenders are evaluated on it one after another.

        Parameters
        ----------
        data : str
            The name of the data set.
        seed : int
            The seed.

        Returns
        -------
        Stream
            The stream.
        """
        if (data, seed) not in self._streams:
            rows, labels = self.data[data]
            shape = registry.SHAPES.find(self.stream)
            seeded = {"seed": seed} if shape.shuffles else {}
            make = registry.resolve(shape.home)
            stream: Stream = make(rows, labels, **self.options, **seeded)
            self._streams.clear()
            self._streams[data, seed] = stream.materialized()
        return self._streams[data, seed]

    @cached_property
    def _streams(self) -> dict[tuple[str, int], Stream]:
        return {}

    def run(self, data: str, contender: int, seed: int) -> dict[str, RunMetrics]:
        """Evaluate one contender on one data set with one seed, and keep the metrics alone.

        Parameters
        ----------
        data : str
            The name of the data set.
        contender : int
            The number of the contender; with 0, the baselines are included.
        seed : int
            The seed.

        Returns
        -------
        dict
            The metrics of the run, by the label of the contender.
        """
        result = self.evaluate(data, contender, seed)
        metrics = {self.contenders[contender].label: _run_metrics(result)}
        if contender == 0:
            metrics |= {name: _run_metrics(baseline) for name, baseline in result.baselines.items()}
        return metrics


def _more_than_two(labels: NDArray[Any]) -> bool:
    return Labels().third_row(labels[labelled(labels)]) is not None


def _run_metrics(result: Result) -> RunMetrics:
    return RunMetrics(
        result.mistakes,
        result.error_rate,
        result.features_seen,
        result.features_kept,
        result.seconds,
        result.diverged,
        result.metric_values,
    )


@dataclass(frozen=True)
class Comparison:
    """The metrics of every run, and the statistics that compare them.

    Parameters
    ----------
    runs : mapping
        By data set and learner, the metrics of each seed.

    Examples
    --------
    >>> from braided import datasets, evaluate
    >>> german = datasets.load("german")
    >>> contenders = [evaluate.Contender("oco"), evaluate.Contender("olsf")]
    >>> plan = evaluate.Plan({"german": (german.X, german.y)}, contenders)
    >>> comparison = evaluate.compare(plan, repeats=2)
    >>> comparison.best("german"), comparison.errors("german", "oco").shape
    ('majority class', (2,))
    >>> comparison.wins_ties_losses("oco", "olsf")
    (0, 1, 0)
    """

    runs: Mapping[tuple[str, str], Sequence[RunMetrics]]

    @property
    def data(self) -> list[str]:
        """The names of the data sets."""
        return list(dict.fromkeys(data for data, _ in self.runs))

    @property
    def learners(self) -> list[str]:
        """The labels of the contenders, then the names of the baselines."""
        return sorted(dict.fromkeys(learner for _, learner in self.runs), key=_baselines_last)

    def errors(self, data: str, learner: str) -> NDArray[np.float64]:
        """Return the error rate of each seed.

        Parameters
        ----------
        data : str
            The name of the data set.
        learner : str
            The label of the learner.

        Returns
        -------
        ndarray of float
            The error rates.
        """
        return np.array([run.error_rate for run in self.runs[data, learner]])

    def values(self, metric: str, data: str, learner: str) -> NDArray[np.float64]:
        """Return a chosen metric of each seed.

        Parameters
        ----------
        metric : str
            The name of the metric.
        data : str
            The name of the data set.
        learner : str
            The label of the learner.

        Returns
        -------
        ndarray of float
            The values; NaN where the metric means nothing.
        """
        runs = self.runs[data, learner]
        return np.array([run.metrics.get(metric, np.nan) for run in runs])

    @property
    def diverged(self) -> list[tuple[str, str]]:
        """The data sets and learners with a score that was not a finite number."""
        return [cell for cell, runs in self.runs.items() if any(run.diverged for run in runs)]

    def left_out(self, metrics: Sequence[str]) -> tuple[str, ...]:
        """Return the metrics that no run has, since they mean nothing there.

        Parameters
        ----------
        metrics : sequence of str
            The names of the chosen metrics.

        Returns
        -------
        tuple of str
            The names of those that no run has.
        """
        kept = {name for runs in self.runs.values() for run in runs for name in run.metrics}
        return tuple(name for name in metrics if name not in kept)

    def best(self, data: str) -> str:
        """Return the learner with the lowest mean error rate on a data set.

        Parameters
        ----------
        data : str
            The name of the data set.

        Returns
        -------
        str
            The label of the learner.
        """
        return min(self.learners, key=lambda learner: float(self.errors(data, learner).mean()))

    def p_value(self, data: str, learner: str, other: str) -> float:
        """Compute the p-value of a paired t-test on the error rates of two learners.

        Parameters
        ----------
        data : str
            The name of the data set.
        learner : str
            The label of one learner.
        other : str
            The label of the other.

        Returns
        -------
        float
            The p-value; 1 if the error rates are equal, or there is one seed.
        """
        difference = self.errors(data, learner) - self.errors(data, other)
        if difference.size < 2 or not difference.any():
            return 1.0
        if np.ptp(difference) <= 1e-12 * np.abs(difference).max():
            return 0.0  # the same difference with every seed, up to rounding
        from scipy.special import stdtr  # all of scipy.stats would take a second to import

        n = difference.size
        t = difference.mean() / (difference.std(ddof=1) / np.sqrt(n))
        return float(2.0 * stdtr(n - 1, -abs(t)))

    def wins_ties_losses(self, learner: str, other: str) -> tuple[int, int, int]:
        """Count the data sets on which one learner is significantly better or worse than another.

        Parameters
        ----------
        learner : str
            The label of one learner.
        other : str
            The label of the other.

        Returns
        -------
        tuple of int
            Wins, ties and losses of the first learner.
        """
        outcomes = []
        for data in self.data:
            lower = self.errors(data, learner).mean() < self.errors(data, other).mean()
            significant = self.p_value(data, learner, other) < SIGNIFICANT
            outcomes.append("tie" if not significant else "win" if lower else "loss")
        return outcomes.count("win"), outcomes.count("tie"), outcomes.count("loss")

    def average_ranks(self) -> dict[str, float]:
        """Compute the mean rank of each learner over the data sets.

        Learners are ranked by their mean error rate, 1 for the best; learners with the same error
        rate share the mean of their ranks.

        Returns
        -------
        dict
            The mean rank by the label of the learner.
        """
        means = np.array(
            [[self.errors(d, learner).mean() for learner in self.learners] for d in self.data]
        )
        mine, others = means[:, :, None], means[:, None, :]
        ranks = ((mine > others).sum(2) + ((mine == others).sum(2) + 1) / 2).mean(axis=0)
        return dict(zip(self.learners, ranks.tolist(), strict=True))


def compare(
    plan: Plan,
    *,
    repeats: int = 20,
    seed: int = 0,
    jobs: int = 1,
    progress: Callable[[int], object] | None = None,
) -> Comparison:
    """Evaluate every contender on every data set with the seeds seed, seed + 1, ...

    The baselines (majority class, last label) are always included. The results do not depend on
    the number of processes, except for the seconds.

    Parameters
    ----------
    plan : Plan
        Data sets, contenders and streams.
    repeats : int, at least 1, default 20
        How many seeds.
    seed : int, at least 0, default 0
        The first seed.
    jobs : int, at least 1, default 1
        How many processes share the work.
    progress : callable, optional
        Called with 1 after each run.

    Returns
    -------
    Comparison
        The metrics of all runs.

    Examples
    --------
    >>> from braided import datasets
    >>> sets = {name: datasets.load(name) for name in ("german", "wisconsin")}
    >>> plan = Plan(
    ...     {name: (s.X, s.y) for name, s in sets.items()},
    ...     [Contender("olsf-i"), Contender("olsf-ii")],
    ... )
    >>> comparison = compare(plan, repeats=2)
    >>> comparison.learners
    ['olsf-i', 'olsf-ii', 'majority class', 'last label']
    """
    parts = [
        (data, contender, s)
        for data in plan.data
        for s in range(seed, seed + repeats)
        for contender in range(len(plan.contenders))
    ]
    runs: dict[tuple[str, str], list[RunMetrics]] = {}
    # Contenders that a process evaluates one after another share a stream, so one process takes all
    # contenders of a stream; but not if there are too few streams for all processes.
    contenders = len(plan.contenders)
    together = contenders if len(parts) >= STREAMS_PER_PROCESS * jobs * contenders else 1
    done = map_in_processes(partial(_run, plan), parts, jobs, together)
    for (data, _, _), by_learner in zip(parts, done, strict=True):
        for learner, run in by_learner.items():
            runs.setdefault((data, learner), []).append(run)
        if progress is not None:
            progress(1)
    return Comparison(runs)


def _run(plan: Plan, part: tuple[str, int, int]) -> dict[str, RunMetrics]:
    return plan.run(*part)


def _baselines_last(learner: str) -> bool:
    return learner in BASELINES

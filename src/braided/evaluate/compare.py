"""Several learners on several sets, each with the same seeds, in one table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
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

__all__ = ["Comparison", "Contender", "Plan", "RunMetrics", "compare"]

SIGNIFICANT = 0.05
"""Below this p of a paired t-test, a difference counts as a win or a loss."""


FEW = 4
"""Streams for each process below which the contenders of one are shared out as well."""


@dataclass(frozen=True)
class Contender:
    """A learner by its registry name, with parameters; ``label`` is what the table calls it."""

    name: str
    parameters: Mapping[str, Any] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """The name, with the parameters that were chosen."""
        chosen = ", ".join(f"{name}={value}" for name, value in self.parameters.items())
        return f"{self.name} ({chosen})" if chosen else self.name


class RunMetrics(NamedTuple):
    """What is kept of one run."""

    mistakes: int
    error_rate: float
    features_seen: int
    features_kept: int
    seconds: float
    diverged: bool = False
    metrics: Mapping[str, float] = {}
    """Those that were asked for, by name."""


@dataclass(frozen=True)
class Plan:
    """All that a process must know to do any part of the comparison."""

    data: Mapping[str, tuple[Rows, NDArray[Any]]]
    contenders: Sequence[Contender]
    stream: str = "fixed"
    options: Mapping[str, Any] = field(default_factory=dict)
    delay: int = 0
    metrics: Sequence[str] = ()
    """Metrics to keep of each run besides the usual ones."""
    many_classes: str | None = None
    """How contenders tell more than two labels apart: ``"rest"``, ``"one"``, or not at all."""

    def _run_part(self, part: tuple[str, int, int]) -> dict[str, RunMetrics]:
        """``run`` with its arguments in one."""
        return self.run(*part)

    def evaluate(self, data: str, contender: int, seed: int, **keywords: Any) -> Result:
        """One contender on one set under one seed; ``prequential`` gets the keywords."""
        chosen = self.contenders[contender]
        parameters = registry.completed(chosen.name, chosen.parameters, seed=seed, delay=self.delay)
        model = registry.create(chosen.name, self.many_classes, **parameters)
        stream = self.make_stream(data, seed)
        return prequential(model, stream, delay=self.delay, metrics=self.metrics, **keywords)

    def make_stream(self, data: str, seed: int) -> Stream:
        """A set as the stream that it is under a seed; the last one is kept for the next to ask."""
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
        """The metrics of ``evaluate``; those of the baselines as well, with the first contender."""
        result = self.evaluate(data, contender, seed)
        metrics = {self.contenders[contender].label: _run_metrics(result)}
        if contender == 0:
            metrics |= {name: _run_metrics(baseline) for name, baseline in result.baselines.items()}
        return metrics


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
    """The metrics of every run, and the statistics that compare them."""

    runs: Mapping[tuple[str, str], Sequence[RunMetrics]]
    """By set and learner, one for each seed."""

    @property
    def data(self) -> list[str]:
        """The names of the sets."""
        return list(dict.fromkeys(data for data, _ in self.runs))

    @property
    def learners(self) -> list[str]:
        """The labels of the contenders, then those of the baselines."""
        return sorted(dict.fromkeys(learner for _, learner in self.runs), key=_baselines_last)

    def errors(self, data: str, learner: str) -> NDArray[np.float64]:
        """The error rate of each seed."""
        return np.array([run.error_rate for run in self.runs[data, learner]])

    def values(self, metric: str, data: str, learner: str) -> NDArray[np.float64]:
        """One of the metrics that were asked for, for each seed; NaN where it does not apply."""
        runs = self.runs[data, learner]
        return np.array([run.metrics.get(metric, np.nan) for run in runs])

    @property
    def diverged(self) -> list[tuple[str, str]]:
        """On which set which learner had a score that was not a finite number."""
        return [cell for cell, runs in self.runs.items() if any(run.diverged for run in runs)]

    def left_out(self, metrics: Sequence[str]) -> tuple[str, ...]:
        """Those of these metrics that no run has, since they mean nothing there."""
        kept = {name for runs in self.runs.values() for run in runs for name in run.metrics}
        return tuple(name for name in metrics if name not in kept)

    def best(self, data: str) -> str:
        """The learner with the lowest mean error rate on a set."""
        return min(self.learners, key=lambda learner: float(self.errors(data, learner).mean()))

    def p_value(self, data: str, learner: str, other: str) -> float:
        """Of a paired t-test on the error rates; 1 when nothing differs or varies."""
        difference = self.errors(data, learner) - self.errors(data, other)
        if difference.size < 2 or not difference.any():
            return 1.0
        if np.ptp(difference) <= 1e-12 * np.abs(difference).max():
            return 0.0  # the same difference under every seed, but for rounding
        from scipy.special import stdtr  # all of scipy.stats would take a second to import

        n = difference.size
        t = difference.mean() / (difference.std(ddof=1) / np.sqrt(n))
        return float(2.0 * stdtr(n - 1, -abs(t)))

    def wins_ties_losses(self, learner: str, other: str) -> tuple[int, int, int]:
        """On how many sets one learner is better than another, level with it, and worse."""
        outcomes = []
        for data in self.data:
            lower = self.errors(data, learner).mean() < self.errors(data, other).mean()
            significant = self.p_value(data, learner, other) < SIGNIFICANT
            outcomes.append("tie" if not significant else "win" if lower else "loss")
        return outcomes.count("win"), outcomes.count("tie"), outcomes.count("loss")

    def average_ranks(self) -> dict[str, float]:
        """The mean over the sets of each learner's rank by mean error rate, 1 for the best."""
        means = np.array(
            [[self.errors(d, learner).mean() for learner in self.learners] for d in self.data]
        )
        mine, others = means[:, :, None], means[:, None, :]
        # Those that are level share the mean of their ranks.
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
    """Run every contender on every set under the seeds seed, seed + 1, ...

    Majority class and last label are always among them. However many processes share the work,
    the results are the same (the seconds aside).

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
    # Contenders who follow one another in a process share a stream, if there is enough to share.
    together = len(plan.contenders) if len(parts) >= FEW * jobs * len(plan.contenders) else 1
    done = map_in_processes(plan._run_part, parts, jobs, together)
    for (data, _, _), by_learner in zip(parts, done, strict=True):
        for learner, run in by_learner.items():
            runs.setdefault((data, learner), []).append(run)
        if progress is not None:
            progress(1)
    return Comparison(runs)


def _baselines_last(learner: str) -> bool:
    return learner in BASELINES

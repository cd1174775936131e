"""Running an experiment: every measure under every seed, shared out to processes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from time import perf_counter

import numpy as np

from braided.evaluate.processes import map_in_processes
from braided.evaluate.tune import TUNING_SEEDS
from braided.papers import sets
from braided.papers.experiment import Curve, Experiment, Floats, Measure, Settles
from braided.papers.trial import Trial

__all__ = ["Measured", "Outcome", "count_measurements", "ready", "run"]

TUNING_REPEATS = 2
"""How many permutations choose the values of a grid, at most; others are reported."""


@dataclass(frozen=True)
class Measured:
    """The mean over the seeds and the sample standard deviation, which is 0 for one seed."""

    mean: Floats
    std: Floats

    @classmethod
    def of(cls, values: Floats) -> Measured:
        """Of a row for each seed."""
        std = values.std(axis=0, ddof=1) if len(values) > 1 else np.zeros(values.shape[1])
        return cls(values.mean(axis=0), std)


@dataclass(frozen=True)
class Outcome:
    """What was measured in an experiment.

    Parameters
    ----------
    experiment : Experiment
        What was run.
    repeats : int
        How many permutations.
    found : mapping from Measure to Found
        Means and deviations over the seeds; measures whose set is not here are left out.
    seconds : float
        How long it took.
    """

    experiment: Experiment
    repeats: int
    found: Mapping[Measure, Measured]
    seconds: float

    def mean(self, measure: Measure) -> Floats | None:
        """The mean over the seeds, if it was measured."""
        return self.found[measure].mean if measure in self.found else None

    def heights(self, curve: Curve) -> Floats | None:
        """The heights of a curve, if its set is here."""
        means = [self.mean(measure) for measure in curve.measures]
        found = [mean for mean in means if mean is not None]
        return np.concatenate(found) if len(found) == len(means) else None

    @property
    def skipped(self) -> list[str]:
        """The sets that are not here, by the paper's names."""
        wanted = dict.fromkeys(measure.data for measure in self.experiment.measures)
        return [data for data in wanted if sets.find(data) is None]

    @property
    def stand_ins(self) -> dict[str, str]:
        """How sets differ from those of the paper, by its names."""
        used = dict.fromkeys(measure.data for measure in self.found)
        found = {data: sets.find(data) for data in used}
        return {data: here.differs for data, here in found.items() if here and here.differs}


def count_measurements(experiment: Experiment, repeats: int) -> int:
    """How many measurements a run takes."""
    return sum(repeats + TUNING_REPEATS * len(_choices(measure)) for measure in ready(experiment))


def run(
    experiment: Experiment,
    *,
    repeats: int | None = None,
    jobs: int = 1,
    progress: Callable[[int], object] | None = None,
) -> Outcome:
    """Measure everything whose set is here, with the seeds 0, 1, ...

    The number of processes does not change the results (except seconds).

    Parameters
    ----------
    experiment : Experiment
        What to run.
    repeats : int, optional
        How many permutations; by default as many as the paper has.
    jobs : int, default 1
        How many processes share the work.
    progress : callable, optional
        Called with 1 after each measurement.

    Returns
    -------
    Outcome
        The measured values.
    """
    start = perf_counter()
    repeats = experiment.repeats if repeats is None else repeats
    measures = ready(experiment)
    for measure in measures:
        measure.prepare()
    settled = _settled(measures, _tuning(repeats), jobs, progress)
    values = _measured(settled, range(repeats), jobs, progress)
    found = {m: _reported(m, of_seeds) for m, of_seeds in zip(measures, values, strict=True)}
    return Outcome(experiment, repeats, found, perf_counter() - start)


def _reported(measure: Measure, values: Floats) -> Measured:
    return Measured.of(measure.settled(values) if isinstance(measure, Settles) else values)


def ready(experiment: Experiment) -> list[Measure]:
    """The measures whose set is here."""
    return [m for m in experiment.measures if sets.find(m.data) is not None]


def _choices(measure: Measure) -> Sequence[Measure]:
    return measure.choices() if isinstance(measure, Trial) and measure.grid else ()


def _tuning(repeats: int) -> int:
    return min(TUNING_REPEATS, repeats)


def _settled(
    measures: Sequence[Measure],
    repeats: int,
    jobs: int,
    progress: Callable[[int], object] | None,
) -> list[Measure]:
    """The measures, with the values of their grids chosen."""
    choices = {measure: _choices(measure) for measure in measures}
    every = [choice for of_measure in choices.values() for choice in of_measure]
    seeds = range(TUNING_SEEDS, TUNING_SEEDS + repeats)
    mistakes = dict(zip(every, _measured(every, seeds, jobs, progress), strict=True))

    def best(measure: Measure) -> Measure:
        if not choices[measure]:
            return measure
        first = min(choices[measure], key=lambda choice: float(mistakes[choice].mean()))
        assert isinstance(first, Trial)
        assert isinstance(measure, Trial)
        return replace(first, what=measure.what)

    return [best(measure) for measure in measures]


@dataclass(frozen=True)
class _Bench:
    """What a process must know to measure anything of an experiment."""

    measures: Sequence[Measure]

    def __call__(self, part: tuple[int, int]) -> Sequence[float]:
        number, seed = part
        return self.measures[number](seed)


def _measured(
    measures: Sequence[Measure],
    seeds: Sequence[int],
    jobs: int,
    progress: Callable[[int], object] | None,
) -> list[Floats]:
    """For each measure an array with a row for each seed."""
    parts = [(number, seed) for number in range(len(measures)) for seed in seeds]
    found: list[list[Sequence[float]]] = [[] for _ in measures]
    for (number, _), heights in zip(
        parts, map_in_processes(_Bench(measures), parts, jobs), strict=True
    ):
        found[number].append(heights)
        if progress is not None:
            progress(1)
    return [np.array(of_seeds, dtype=np.float64) for of_seeds in found]

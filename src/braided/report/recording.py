"""Recordings: what a page shows of one learner, its results and how its model changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from braided.evaluate import Plan, Snapshot, Summary
from braided.learner.learner import Learner

__all__ = ["Recorder", "Recording", "every", "record"]

SNAPSHOTS = 100
"""The number of snapshots of a run."""


@dataclass(frozen=True)
class Recording:
    """A learner that was evaluated on one stream, with one or more seeds.

    Parameters
    ----------
    label : str
        The label of the learner.
    summary : Summary
        Its results.
    model : Learner
        The model at the end of the last run.
    mixing : tuple of two lists, default ([], [])
        Rounds of the last run, and the mixing weight after each; empty for a learner that does not
        mix models.

    Examples
    --------
    >>> from braided import datasets, evaluate, report
    >>> german = datasets.load("german")
    >>> plan = evaluate.Plan({"german": (german.X, german.y)}, [evaluate.Contender("oco")])
    >>> recording = report.record(plan, "german", repeats=1)[0]
    >>> recording.label, sorted(recording.summary.results)
    ('oco', [0])
    """

    label: str
    summary: Summary
    model: Learner
    mixing: tuple[list[int], list[float]] = ([], [])


@dataclass
class Recorder:
    """An observer of evaluations that keeps the last model, and its mixing weights.

    Give it as ``observe`` to ``prequential`` or ``repeated``, then call ``recording``.

    Attributes
    ----------
    model : Learner, optional
        The model of the last run.
    rounds : list of int
        The rounds of its snapshots.
    mixing : list of float
        The mixing weight at these rounds, for learners that mix models.

    Examples
    --------
    >>> from braided import OLSF, datasets, streams
    >>> from braided.evaluate import repeated
    >>> german = datasets.load("german")
    >>> make_stream = lambda seed: streams.fixed(german.X, german.y, seed=seed)
    >>> recorder = Recorder()
    >>> summary = repeated(lambda seed: OLSF(), make_stream, repeats=1, observe=recorder)
    >>> recorder.recording("olsf", summary).model.rounds
    1000
    """

    model: Learner | None = None
    rounds: list[int] = field(default_factory=list)
    mixing: list[float] = field(default_factory=list)

    def __call__(self, model: Learner, snapshot: Snapshot) -> None:
        """Keep what is needed of a model, when a snapshot is taken."""
        if model is not self.model:
            self.model, self.rounds, self.mixing = model, [], []
        if hasattr(model, "mixing"):
            self.rounds.append(snapshot.round)
            self.mixing.append(float(model.mixing))

    def recording(self, label: str, summary: Summary) -> Recording:
        """Return the recording of the evaluations that were observed.

        Parameters
        ----------
        label : str
            The label of the learner.
        summary : Summary
            The results of the evaluations.

        Returns
        -------
        Recording
            The results, with what was kept of the last model.
        """
        assert self.model is not None  # every run has a snapshot at its end
        return Recording(label, summary, self.model, (self.rounds, self.mixing))


def every(rounds: int) -> int:
    """Return after how many rounds a snapshot is taken, in a run of ``rounds`` rounds."""
    return max(1, rounds // SNAPSHOTS)


def record(
    plan: Plan,
    data: str,
    *,
    repeats: int,
    seed: int = 0,
    progress: Callable[[int], object] | None = None,
) -> list[Recording]:
    """Evaluate every contender of a plan on one data set, and keep what a page shows.

    Parameters
    ----------
    plan : Plan
        Data sets, contenders and streams.
    data : str
        The name of the data set.
    repeats : int, at least 1
        How many seeds.
    seed : int, at least 0, default 0
        The first seed.
    progress : callable, optional
        Called with 1 after each run.

    Returns
    -------
    list of Recording
        The recording of each contender.

    Examples
    --------
    >>> from braided import datasets
    >>> from braided.evaluate import Contender, Plan
    >>> german = datasets.load("german")
    >>> plan = Plan({"german": (german.X, german.y)}, [Contender("olsf"), Contender("ofs")])
    >>> [recording.label for recording in record(plan, "german", repeats=1)]
    ['olsf', 'ofs']
    """
    often = every(len(plan.data[data][0]))
    recordings = []
    for number, contender in enumerate(plan.contenders):
        recorder, results = Recorder(), {}
        for s in range(seed, seed + repeats):
            results[s] = plan.evaluate(data, number, s, every=often, observe=recorder)
            if progress is not None:
                progress(1)
        recordings.append(recorder.recording(contender.label, Summary(results)))
    return recordings

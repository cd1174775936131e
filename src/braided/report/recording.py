"""What a page shows of a learner: its results, and how its model changed on the way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from braided.evaluate import Plan, Snapshot, Summary
from braided.learner.learner import Learner

__all__ = ["Recorder", "Recording", "every", "record"]

SNAPSHOTS = 100
"""How often a model is looked at in a run."""


@dataclass(frozen=True)
class Recording:
    """A learner on one stream, under one or more seeds.

    ``model`` is what the last run left, ``mixing`` how its parts were mixed in the course of that
    run: (rounds, weights of the first part), empty for a learner that does not mix.
    """

    label: str
    summary: Summary
    model: Learner
    mixing: tuple[list[int], list[float]] = ([], [])


@dataclass
class Recorder:
    """Observes runs one after another, and keeps what is to be known of the last."""

    model: Learner | None = None
    rounds: list[int] = field(default_factory=list)
    mixing: list[float] = field(default_factory=list)

    def __call__(self, model: Learner, snapshot: Snapshot) -> None:
        """See a model at a snapshot."""
        if model is not self.model:
            self.model, self.rounds, self.mixing = model, [], []
        if hasattr(model, "mixing"):
            self.rounds.append(snapshot.round)
            self.mixing.append(float(model.mixing))

    def recording(self, label: str, summary: Summary) -> Recording:
        """The results that were observed, with what was noted."""
        assert self.model is not None  # every run has a snapshot at its end
        return Recording(label, summary, self.model, (self.rounds, self.mixing))


def every(rounds: int) -> int:
    """After how many rounds a model is looked at."""
    return max(1, rounds // SNAPSHOTS)


def record(
    plan: Plan,
    data: str,
    *,
    repeats: int,
    seed: int = 0,
    progress: Callable[[int], object] | None = None,
) -> list[Recording]:
    """Every contender of a plan on one of its sets."""
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

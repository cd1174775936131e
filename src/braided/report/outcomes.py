"""How often a learner was wrong in all its runs, and the tables that say so."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from braided.evaluate import Comparison, Summary
from braided.report.recording import Recording

__all__ = [
    "Cell",
    "Outcome",
    "Outcomes",
    "Table",
    "compared",
    "outcomes_of",
    "results_table",
    "wide",
]

LEVEL = 0.05


@dataclass(frozen=True)
class Outcome:
    """The error rate of every run; in how many runs some score was not a finite number."""

    errors: Sequence[float]
    diverged: int = 0
    level: bool = False
    """Whether it is not the best, but not significantly worse either."""

    @property
    def mean(self) -> float:
        """The mean error rate."""
        return float(np.mean(self.errors))

    def __str__(self) -> str:
        mean = f"{100 * self.mean:.2f}"
        if len(self.errors) < 2:
            return mean
        return f"{mean} ± {100 * float(np.std(self.errors, ddof=1)):.2f}{'°' * self.level}"


Outcomes = Mapping[str, Outcome]
"""By learner, the baselines last."""


def outcomes_of(summaries: Mapping[str, Summary]) -> Outcomes:
    """The outcomes of learners on the same rounds, and of the baselines on those."""
    outcomes: dict[str, Outcome] = {}
    baselines = next(iter(summaries.values())).baselines()
    for label, summary in {**summaries, **baselines}.items():
        results = summary.results.values()
        diverged = sum(result.diverged for result in results)
        outcomes[label] = Outcome([result.error_rate for result in results], diverged)
    return outcomes


def compared(comparison: Comparison, data: str) -> Outcomes:
    """The outcomes of a comparison on one of its sets."""
    best = comparison.best(data)
    return {
        learner: Outcome(
            comparison.errors(data, learner).tolist(),
            sum(run.diverged for run in comparison.runs[data, learner]),
            learner != best and comparison.p_value(data, learner, best) >= LEVEL,
        )
        for learner in comparison.learners
    }


@dataclass(frozen=True)
class Cell:
    """What stands in a table, and under what heading."""

    text: str
    heading: str = ""
    best: bool = False
    """Whether it is shown in bold."""


@dataclass(frozen=True)
class Table:
    """Headings, and lines of a name and cells; ``note`` explains the signs."""

    headings: Sequence[str]
    lines: Sequence[tuple[str, Sequence[Cell]]]
    note: str


def wide(columns: Mapping[str, Outcomes]) -> Table:
    """Learners down, one column for each stream."""
    learners = list(dict.fromkeys(name for outcomes in columns.values() for name in outcomes))
    lines = [
        (name, [_rate(outcomes, name, heading) for heading, outcomes in columns.items()])
        for name in learners
    ]
    return Table(["learner", *columns], lines, _note(columns.values()))


def results_table(outcomes: Outcomes, recordings: Sequence[Recording]) -> Table:
    """Learners down; mistakes, features, memory and time across."""
    headings = ("mistakes in %", "features kept", "features seen", "memory", "time")
    lines = []
    models = {recording.label: recording for recording in recordings}
    for name in outcomes:
        cells = [_rate(outcomes, name, headings[0])]
        if name in models:
            last = list(models[name].summary.results.values())[-1].snapshots[-1]
            texts = (
                f"{last.features_kept}",
                f"{last.features_seen}",
                f"{last.memory_bytes / 1000:.1f} kB",
                f"{last.seconds:.3f} s",
            )
            cells += [Cell(text, head) for text, head in zip(texts, headings[1:], strict=True)]
        else:
            cells += [Cell("", heading) for heading in headings[1:]]
        lines.append((name, cells))
    return Table(["learner", *headings], lines, _note([outcomes]))


def _rate(outcomes: Outcomes, name: str, heading: str) -> Cell:
    if name not in outcomes:
        return Cell("", heading)
    outcome = outcomes[name]
    fewest = min(other.mean for other in outcomes.values())
    text = str(outcome) + ", diverged" * bool(outcome.diverged)
    return Cell(text, heading, outcome.mean == fewest)


def _note(all_outcomes: Iterable[Outcomes]) -> str:
    every = [outcome for outcomes in all_outcomes for outcome in outcomes.values()]
    times = max((len(outcome.errors) for outcome in every), default=0)
    note = "Bold: the fewest mistakes."
    if times > 1:
        note = f"Mean ± standard deviation of {times} runs. {note}"
    if any(outcome.level for outcome in every):
        note += " °: not significantly more (paired t-test, p ≥ 0.05)."
    return f"{note} Majority class and last label look at no feature."

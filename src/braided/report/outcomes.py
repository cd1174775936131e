"""Outcomes: the error rates of learners over all runs, and the tables that show them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from braided.evaluate import Comparison, Summary
from braided.report.recording import Recording
from braided.report.table import Cell, Table

__all__ = [
    "Outcome",
    "Outcomes",
    "compared",
    "outcomes_of",
    "results_table",
    "streams_table",
]

SIGNIFICANT = 0.05
"""A difference with a smaller p-value of a paired t-test is significant."""


@dataclass(frozen=True)
class Outcome:
    """The error rates of one learner on one stream.

    Attributes
    ----------
    errors : sequence of float
        The error rate of each run.
    diverged : int, default 0
        In how many runs some score was not a finite number.
    not_worse : bool, default False
        Whether it is not the best learner, but not significantly worse either.
    """

    errors: Sequence[float]
    diverged: int = 0
    not_worse: bool = False

    @property
    def mean(self) -> float:
        """The mean error rate."""
        return float(np.mean(self.errors))

    def __str__(self) -> str:
        mean = f"{100 * self.mean:.2f}"
        if len(self.errors) < 2:
            return mean
        return f"{mean} ± {100 * float(np.std(self.errors, ddof=1)):.2f}{'°' * self.not_worse}"


Outcomes = Mapping[str, Outcome]
"""The outcome of each learner by its label, baselines last."""


def outcomes_of(summaries: Mapping[str, Summary]) -> Outcomes:
    """Return the outcomes of learners that were evaluated on the same streams, and of baselines.

    Parameters
    ----------
    summaries : mapping
        The results of each learner by its label.

    Returns
    -------
    dict
        The outcome of each learner and each baseline.

    Examples
    --------
    >>> from braided import OLSF, datasets, streams
    >>> from braided.evaluate import repeated
    >>> german = datasets.load("german")
    >>> make_stream = lambda seed: streams.fixed(german.X, german.y, seed=seed)
    >>> summary = repeated(lambda seed: OLSF(seed=seed), make_stream, repeats=2)
    >>> list(outcomes_of({"olsf": summary}))
    ['olsf', 'majority class', 'last label']
    """
    outcomes: dict[str, Outcome] = {}
    baselines = next(iter(summaries.values())).baselines()
    for label, summary in {**summaries, **baselines}.items():
        results = summary.results.values()
        diverged = sum(result.diverged for result in results)
        outcomes[label] = Outcome([result.error_rate for result in results], diverged)
    return outcomes


def compared(comparison: Comparison, data: str) -> Outcomes:
    """Return the outcomes of a comparison on one data set.

    Parameters
    ----------
    comparison : Comparison
        The comparison.
    data : str
        The name of the data set.

    Returns
    -------
    dict
        The outcome of each learner and each baseline.

    Examples
    --------
    >>> from braided import datasets
    >>> from braided.evaluate import Contender, Plan, compare
    >>> german = datasets.load("german")
    >>> comparison = compare(Plan({"german": (german.X, german.y)}, [Contender("olsf")]), repeats=2)
    >>> print(compared(comparison, "german")["majority class"])
    30.25 ± 0.07
    """
    best = comparison.best(data)
    return {
        learner: Outcome(
            comparison.errors(data, learner).tolist(),
            sum(run.diverged for run in comparison.runs[data, learner]),
            learner != best and comparison.p_value(data, learner, best) >= SIGNIFICANT,
        )
        for learner in comparison.learners
    }


def streams_table(columns: Mapping[str, Outcomes]) -> Table:
    """Make the table of error rates with a line for each learner, a column for each stream."""
    learners = list(dict.fromkeys(name for outcomes in columns.values() for name in outcomes))
    lines = [
        (name, [_rate(outcomes, name, heading) for heading, outcomes in columns.items()])
        for name in learners
    ]
    return Table(["learner", *columns], lines, _note(columns.values()))


def results_table(outcomes: Outcomes, recordings: Sequence[Recording]) -> Table:
    """Make the table of one stream: mistakes, features, memory and time of each learner."""
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
    lowest = min(other.mean for other in outcomes.values())
    text = str(outcome) + ", diverged" * bool(outcome.diverged)
    return Cell(text, heading, outcome.mean == lowest)


def _note(all_outcomes: Iterable[Outcomes]) -> str:
    every = [outcome for outcomes in all_outcomes for outcome in outcomes.values()]
    runs = max((len(outcome.errors) for outcome in every), default=0)
    note = "Bold: the fewest mistakes."
    if runs > 1:
        note = f"Mean ± standard deviation of {runs} runs. {note}"
    if any(outcome.not_worse for outcome in every):
        note += " °: not significantly more (paired t-test, p ≥ 0.05)."
    return f"{note} Majority class and last label are baselines, which use no features."

"""The chart of the label balance: the share of each label over the rounds."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from braided.evaluate.metrics.confusion import ratio
from braided.report.chart import QUIET, Chart, Key, axis, colour, dash, in_order, layout, line_trace
from braided.report.observed import edges
from braided.report.recording import Recording

__all__ = ["balance_chart"]

GROUPS = 40
"""The most groups of rounds."""

IN_A_GROUP = 20
"""The fewest rounds of a group: the share of a few labels says little."""

LABELS = 6
"""The most labels with a line of their own: the most frequent ones."""


def balance_chart(recordings: Sequence[Recording]) -> Chart | None:
    """Draw the share of each label in groups of rounds; None if no round has a label."""
    result = list(recordings[0].summary.results.values())[-1]
    numbers = result.label_numbers
    counts = np.bincount(numbers[numbers >= 0], minlength=len(result.classes))
    if not counts.any():
        return None
    ends = edges(result.rounds, max(1, min(GROUPS, result.rounds // IN_A_GROUP)))
    groups = [numbers[start:stop] for start, stop in pairwise(ends.tolist())]
    labelled = np.array([np.count_nonzero(group >= 0) for group in groups])
    frequent = [i for i in np.argsort(-counts, kind="stable")[:LABELS].tolist() if counts[i]]
    number_of = {result.classes[i]: i for i in frequent}
    lines = [(str(label), [number_of[label]]) for label in in_order(number_of)]
    keys = [Key(name, colour(n), dash(n)) for n, (name, _) in enumerate(lines)]
    others = [i for i in np.flatnonzero(counts).tolist() if i not in frequent]
    if others:
        lines.append((f"{len(others)} other labels", others))
        keys.append(Key(lines[-1][0], QUIET, "dot"))
    middles = (ends[:-1] + ends[1:] + 1) / 2
    traces = []
    for n, (_, own) in enumerate(lines):
        amounts = np.array([np.isin(group, own).sum() for group in groups])
        traces.append(line_trace(n, keys[n], middles, 100 * ratio(amounts, labelled)))
    unlabelled = (
        f" {result.unlabelled} of {result.rounds} rounds have no label and are left out."
        * bool(result.unlabelled)
    )
    return Chart(
        "Label balance",
        "The share of each label, in groups of rounds. Where it changes, the error may change "
        f"though the learner does not.{unlabelled}",
        traces,
        layout(axis("round"), axis("share in %", range=[0, 102])),
        keys,
    )

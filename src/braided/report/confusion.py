"""The confusion matrix of a learner as a chart, and the recall and F1 of each label as a table."""

from __future__ import annotations

import math

import numpy as np

from braided.evaluate import ConfusionMatrix
from braided.report.chart import BLUES, Chart, axis, layout, numbers, safe
from braided.report.recording import Recording
from braided.report.table import Cell, Table, TableChart

__all__ = ["classes_chart", "confusion_chart"]

CLASSES = 20
"""The most labels that are shown: the most frequent ones."""

COUNTED = 6
"""With more columns than this the numbers do not fit into their cells."""

NONE = "none"
"""The name of the column of rounds for which no label was predicted."""


def confusion_chart(recording: Recording) -> Chart | None:
    """Draw how often each label was predicted as which; None without results."""
    matrix = _matrix(recording)
    if matrix is None:
        return None
    shown = _most_frequent(matrix)
    columns = [safe(matrix.classes[i], 14) for i in shown]
    predicted = list(shown)
    if matrix.counts[:, -1].any():
        columns.append(NONE)
        predicted.append(len(matrix.classes))
    counts = matrix.counts[np.ix_(shown, predicted)][::-1]  # the first label is at the top
    rounds = matrix.rounds[shown][::-1]
    shares = counts / np.maximum(rounds, 1)[:, None]
    lines = [safe(matrix.classes[i], 14) for i in shown][::-1]
    heat = {
        "type": "heatmap",
        "x": list(range(len(columns))),
        "y": list(range(len(lines))),
        "z": [numbers(100 * row, 3) for row in shares],
        "text": counts.tolist(),
        "texttemplate": "%{text}" if len(columns) <= COUNTED else "",
        "customdata": [[f"{line} predicted as {column}" for column in columns] for line in lines],
        "hovertemplate": "%{customdata}: %{text} rounds, %{z} %<extra></extra>",
        "zmin": 0.0,
        "zmax": 100.0,
        "colorscale": BLUES,
        "xgap": 1,
        "ygap": 1,
        "colorbar": {
            "thickness": 10,
            "outlinewidth": 0,
            "ticksuffix": " %",
            "tickfont": {"size": 11},
        },
    }
    across = axis("predicted label", tickvals=heat["x"], ticktext=columns, showgrid=False)
    up = axis("label", tickvals=heat["y"], ticktext=lines, showgrid=False)
    return Chart(
        f"Confusion matrix of {recording.label}",
        "A line for each label, a column for each prediction: how many rounds, and in colour the "
        f"share of the line. Right predictions are on the diagonal.{_runs(recording)}"
        f"{_left_out(matrix)}",
        [heat],
        layout(across, up, hovermode="closest", height=max(250, 130 + 26 * len(lines))),
    )


def classes_chart(recording: Recording) -> TableChart | None:
    """Show recall, precision and F1 of each label as a table; None without results."""
    matrix = _matrix(recording)
    if matrix is None:
        return None
    headings = ("rounds", "recall", "precision", "F1")
    lines = []
    for i in _most_frequent(matrix):
        cells = [Cell(f"{matrix.rounds[i]}", headings[0])]
        for heading, values in zip(
            headings[1:], (matrix.recall, matrix.precision, matrix.f1), strict=True
        ):
            cells.append(_share(float(values[i]), heading))
        lines.append((str(matrix.classes[i]), cells))
    return TableChart(
        f"Labels of {recording.label}",
        "Recall: the share of the rounds with this label that were predicted right. Precision: the "
        "share of its predictions that were right. F1: their harmonic mean."
        f"{_runs(recording)}{_left_out(matrix)}",
        Table(["label", *headings], lines),
    )


def _matrix(recording: Recording) -> ConfusionMatrix | None:
    """The counts of all runs together; None if no round has a label."""
    matrices = [result.confusion_matrix() for result in recording.summary.results.values()]
    if not matrices or matrices[0].classes != matrices[-1].classes:
        matrices = matrices[-1:]  # runs that met other labels can not be added
    if not matrices or not matrices[-1].counts.any():
        return None
    known = [label is not None for label in matrices[0].classes]
    counts = np.sum([matrix.counts for matrix in matrices], axis=0)
    classes = tuple(label for label in matrices[0].classes if label is not None)
    return ConfusionMatrix(classes, counts[np.ix_(known, [*known, True])])


def _most_frequent(matrix: ConfusionMatrix) -> list[int]:
    """The numbers of the most frequent labels, in their own order."""
    return sorted(np.argsort(-matrix.rounds, kind="stable")[:CLASSES].tolist())


def _share(value: float, heading: str) -> Cell:
    if math.isnan(value):
        return Cell("", heading)
    return Cell(f"{value:.3f}", heading, share=value)


def _runs(recording: Recording) -> str:
    runs = len(recording.summary.results)
    return f" All {runs} runs together." if runs > 1 else ""


def _left_out(matrix: ConfusionMatrix) -> str:
    size = len(matrix.classes)
    return f" Of {size} labels the {CLASSES} most frequent." if size > CLASSES else ""

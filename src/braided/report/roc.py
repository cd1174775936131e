"""The ROC curve: which share of the positive rounds is found at which share of false alarms."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from braided.evaluate import Result
from braided.report.chart import QUIET, Chart, Key, axis, colour, dash, layout, numbers, safe
from braided.report.recording import Recording

__all__ = ["roc_chart"]

POINTS = 200
"""The most points of a curve; the others are left out."""

Floats = NDArray[np.float64]


def roc_chart(recordings: Sequence[Recording]) -> Chart | None:
    """Draw the ROC curves of the last run; None with many classes, or one label only."""
    chance = Key("scores at random, AUC 0.500", QUIET, "dot")
    keys, traces = [chance], [_trace(0, chance, np.array([0.0, 1.0]), np.array([0.0, 1.0]))]
    for number, recording in enumerate(recordings):
        results = list(recording.summary.results.values())
        if any(type(r) is not Result or np.isnan(r.metric("auc")) for r in results):
            continue
        area = np.mean([result.metric("auc") for result in results])
        key = Key(f"{recording.label}, AUC {area:.3f}", colour(number), dash(number))
        traces.append(_trace(len(keys), key, *_curve(results[-1])))
        keys.append(key)
    if len(keys) == 1:
        return None
    return Chart(
        "ROC curve and AUC",
        "Rounds sorted by score, the highest first: the share of positive labels found, and the "
        "share of negative ones found with them. AUC is the area below the curve, the mean of all "
        "runs: 1 is perfect, 0.5 is chance. The curve is that of the last run.",
        traces,
        layout(
            axis("negative labels found in %", range=[0, 101]),
            axis("positive labels found in %", range=[0, 101]),
            hovermode="closest",
        ),
        keys,
    )


def _trace(number: int, key: Key, across: Floats, up: Floats) -> dict[str, object]:
    return {
        "type": "scatter",
        "mode": "lines",
        "name": safe(key.name, 40),
        "meta": number,
        "x": numbers(100 * across, 4),
        "y": numbers(100 * up, 4),
        "hovertemplate": "%{y} % of the positive, %{x} % of the negative<extra></extra>",
        "line": {"color": key.colour, "dash": key.dash, "width": 1.8},
    }


def _curve(result: Result) -> tuple[Floats, Floats]:
    """The shares of negative and of positive rounds above each score, at some of the scores."""
    known = ~np.isnan(result.signs)
    positive, scores = result.signs[known] > 0, result.scores[known]
    # As in AUC, a NaN is always wrong.
    scores = np.where(np.isnan(scores), np.where(positive, -np.inf, np.inf), scores)
    order = np.argsort(-scores, kind="stable")
    ranked = scores[order]
    ends = np.flatnonzero(np.append(ranked[1:] != ranked[:-1], True))  # equal scores are one step
    ends = ends[np.unique(np.linspace(0, ends.size - 1, POINTS, dtype=np.int64))]
    found = np.cumsum(positive[order])[ends]
    false = ends + 1 - found
    zero = np.zeros(1)
    return (
        np.concatenate([zero, false / (~positive).sum()]),
        np.concatenate([zero, found / positive.sum()]),
    )

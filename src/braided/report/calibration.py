"""The calibration chart: how often labels occurred, by their predicted probability."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from braided.evaluate import Result
from braided.report.chart import (
    QUIET,
    Chart,
    Key,
    Trace,
    axis,
    colour,
    dash,
    layout,
    numbers,
    safe,
)
from braided.report.recording import Recording

__all__ = ["reliability_chart"]


def reliability_chart(recordings: Sequence[Recording]) -> Chart | None:
    """Draw how often the positive label occurred, by its probability; None if there is none."""
    keys, traces = [Key("perfect calibration", QUIET, "dot")], [_diagonal()]
    for number, recording in enumerate(recordings):
        results = list(recording.summary.results.values())
        if not all(result.has_probabilities and result.rounds for result in results):
            continue
        loss = np.mean([result.metric("log_loss") for result in results])
        key = Key(f"{recording.label}, log loss {loss:.3f}", colour(number), dash(number))
        traces.append(_line(len(keys), key, results[-1]))
        keys.append(key)
    if len(keys) == 1:
        return None
    up = axis("positive labels in %", range=[0, 102])
    return Chart(
        "Calibration",
        "Of the rows with a predicted probability of 70 %, 70 % should have the positive label: "
        "then the line follows the grey one. Last run, in groups of ten per cent; a larger dot "
        "means more rows. Scores that are no log odds are calibrated online. Log loss is the mean "
        "over all runs, lower is better; always predicting "
        f"50 % gives {np.log(2):.3f}.",
        traces,
        layout(axis("predicted probability in %", range=[0, 102]), up, hovermode="closest"),
        keys,
    )


def _diagonal() -> Trace:
    line = {"color": QUIET, "dash": "dot", "width": 1.2}
    ends = {"x": [0, 100], "y": [0, 100], "hoverinfo": "skip"}
    return {"type": "scatter", "mode": "lines", "meta": 0, "line": line, **ends}


def _line(number: int, key: Key, result: Result) -> Trace:
    groups = result.reliability()
    share = groups.rounds / max(1, groups.rounds.sum())
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "name": safe(key.name, 40),
        "meta": number,
        "x": numbers(100 * groups.predicted),
        "y": numbers(100 * groups.occurred),
        "customdata": groups.rounds.tolist(),
        "hovertemplate": "predicted %{x} %, occurred %{y} %, %{customdata} rows<extra></extra>",
        "line": {"color": key.colour, "dash": key.dash, "width": 1.8},
        "cliponaxis": False,
        "marker": {"color": key.colour, "size": numbers(5 + 14 * np.sqrt(share))},
    }

"""The picture of a stream's shape: which features are observed over time."""

from __future__ import annotations

import numpy as np

from braided.report.chart import Chart, axis, layout, numbers, safe
from braided.report.observed import observed
from braided.streams.stream import Stream

__all__ = ["shape_chart"]

BLUES = [[0, "#ffffff"], [0.3, "#d6e6f4"], [0.65, "#7fb8da"], [1, "#1c6cb1"]]

ABOUT = {
    "given": "The rows came in their own order.",
    "fixed": "The rows were shuffled; nothing was hidden.",
    "trapezoidal": "The rows were shuffled, and features came in one group after another.",
    "capricious": "The rows were shuffled, and each lost some of its features at random.",
    "evolvable": "The rows were shuffled, and one generation of features gave way to the next.",
}
NAMED = 24
"""With more features than this, the axis counts them instead of naming them."""


def shape_chart(stream: Stream) -> Chart:
    """Rounds across, features up in order of first sight; the darker, the more is observed."""
    seen = observed(stream)
    middles = (seen.rounds[:-1] + seen.rounds[1:] + 1) / 2
    features = (seen.features[:-1] + seen.features[1:] + 1) / 2
    up = axis("feature, in order of first sight")
    if seen.names is not None and len(seen.names) <= NAMED:
        ticks = [safe(name, 16) for name in seen.names]
        up = axis("", tickvals=list(range(1, len(ticks) + 1)), ticktext=ticks)
        up["tickfont"] = {**up["tickfont"], "size": 10}
    # Roots: in a sparse stream most cells would be as good as white. The scale says the true share.
    largest = float(seen.share.max(initial=0.0)) or 1.0
    marks = largest * np.array([0.0, 0.04, 0.16, 0.36, 0.64, 1.0])
    heat = {
        "type": "heatmap",
        "x": numbers(middles),
        "y": numbers(features),
        "z": [numbers(row, 3) for row in np.sqrt(seen.share)],
        "customdata": [numbers(100 * row, 3) for row in seen.share],
        "hovertemplate": "round %{x}, feature %{y}: %{customdata} % observed<extra></extra>",
        "zmin": 0.0,
        "zmax": largest**0.5,
        "colorscale": BLUES,
        "colorbar": {
            "thickness": 10,
            "outlinewidth": 0,
            "tickvals": numbers(np.sqrt(marks)),
            "ticktext": [f"{100 * mark:.3g} %" for mark in marks],
            "tickfont": {"size": 11},
        },
    }
    return Chart(
        "What was observed",
        f"{ABOUT.get(stream.name, '')} Time runs from left to right, each line is a feature; "
        "the darker, the more of its values were there, and white is not observed.",
        [heat],
        layout(axis("round", showgrid=False), {**up, "showgrid": False}, hovermode="closest"),
        wide=True,
    )

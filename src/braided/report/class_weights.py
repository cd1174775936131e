"""The chart of the weights of a model with many classes, class by class."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import islice, zip_longest
from typing import Any

import numpy as np
from numpy.typing import NDArray

from braided.report.chart import AGAINST, FOR, PAPER, Chart, axis, in_order, layout, numbers, safe
from braided.report.recording import Recording

__all__ = ["class_weights_chart"]

FEATURES = 24
CLASSES = 20
"""The most lines and columns; a learner for each pair of classes may have thousands."""

UPRIGHT = 12
"""With more columns than this their names are rotated, else they would overlap."""

Weights = Mapping[Hashable, float]
Floats = NDArray[np.float64]


def class_weights_chart(recording: Recording) -> Chart | None:
    """Draw the largest weights of each class; None for two classes, or without weights."""
    if not recording.model.weights_by_class:
        return None
    by_class: dict[Any, Any] = recording.model.weights()
    shown = in_order(by_class)[:CLASSES]
    features = _largest_of_each([by_class[key] for key in shown])[::-1]
    if not features:
        return None
    weights = np.array([[by_class[key].get(f, 0.0) for key in shown] for f in features])
    columns = [_called(key) for key in shown]
    # Colours follow roots: else one large weight would leave all others white. The scale shows
    # the weights themselves.
    largest = float(np.abs(weights[np.isfinite(weights)]).max(initial=0.0)) or 1.0
    marks = largest * np.array([-1.0, -0.25, 0.0, 0.25, 1.0])
    heat = {
        "type": "heatmap",
        "x": list(range(len(columns))),
        "y": list(range(len(features))),
        "z": [numbers(row, 3) for row in _signed_root(weights)],
        "customdata": [numbers(row, 4) for row in weights],
        "text": [[f"{safe(f, 80)}, {safe(column, 40)}" for column in columns] for f in features],
        "hovertemplate": "%{text}: %{customdata}<extra></extra>",
        "zmin": -(largest**0.5),
        "zmax": largest**0.5,
        "colorscale": [[0, AGAINST], [0.5, PAPER], [1, FOR]],
        "xgap": 1,
        "ygap": 1,
        "colorbar": {
            "thickness": 10,
            "outlinewidth": 0,
            "tickvals": numbers(_signed_root(marks)),
            "ticktext": [f"{mark:.3g}" for mark in marks],
            "tickfont": {"size": 11},
        },
    }
    across = axis("label", **_ticks(columns, 14), showgrid=False)
    if len(columns) > UPRIGHT:
        across |= {"tickangle": 90, "tickfont": {**across["tickfont"], "size": 10}}
    up = axis("", **_ticks(features, 22), showgrid=False)
    of = f" Of {len(by_class)} columns the first {CLASSES}." * (len(by_class) > CLASSES)
    return Chart(
        f"Weights of {recording.label}, class by class",
        "Blue is for the label below, orange against it. At the end, the features with the "
        f"largest weights of each column.{of}",
        [heat],
        layout(across, up, hovermode="closest", height=110 + 20 * len(features)),
        wide=True,
    )


def _largest_of_each(columns: Sequence[Weights]) -> list[Hashable]:
    """The largest of each column, then the second largest, and so on, until there are enough.

    >>> _largest_of_each([{"a": -3.0, "b": 1.0}, {"c": 0.2, "a": 0.1}])
    ['a', 'c', 'b']
    """
    absent = object()
    in_turn = (name for names in zip_longest(*columns, fillvalue=absent) for name in names)
    once = dict.fromkeys(name for name in in_turn if name is not absent)
    return list(islice(once, FEATURES))


def _called(key: Any) -> str:
    """The title of a column: a label, or the pair of labels of one learner."""
    return f"{key[1]}, not {key[0]}" if isinstance(key, tuple) else str(key)


def _ticks(names: Sequence[Hashable], longest: int) -> dict[str, Any]:
    return {
        "tickvals": list(range(len(names))),
        "ticktext": [safe(name, longest) for name in names],
    }


def _signed_root(values: Floats) -> Floats:
    return np.copysign(np.sqrt(np.abs(values)), values)

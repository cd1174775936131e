"""Charts of one model: its largest weights, expert weights, mixing weight and feature graph."""

from __future__ import annotations

import math
from collections.abc import Hashable

from braided.learner.learner import Learner
from braided.report.chart import (
    AGAINST,
    COLOURS,
    FOR,
    GRID,
    INK,
    PAPER,
    Chart,
    Key,
    Trace,
    axis,
    layout,
    numbers,
    safe,
)
from braided.report.recording import Recording

__all__ = ["edges_chart", "experts_chart", "mixing_chart", "weights_chart"]

WEIGHTS = 15
EDGES = 16

MIXES = {
    "GLSC": "p, the weight of the observed features in the prediction; 1 - p is the weight of the "
    "features that the graph reconstructs.",
    "FESL": "The weight of the old model, on recovered features, in the prediction; the rest is "
    "the weight of the model of the present features.",
}
"""What the mixing weight of a learner is, by its class."""


def weights_chart(recording: Recording) -> Chart | None:
    """Draw the largest weights; None if there are none, or many classes."""
    if recording.model.weights_by_class:
        return None
    weights = {n: w for n, w in recording.model.weights().items() if math.isfinite(w)}
    largest = list(weights.items())[:WEIGHTS][::-1]
    if not largest:
        return None
    names = [safe(name, 22) for name, _ in largest]
    bars = {
        "type": "bar",
        "orientation": "h",
        "x": numbers(weight for _, weight in largest),
        "y": list(range(len(largest))),
        "customdata": [safe(name, 80) for name, _ in largest],
        "hovertemplate": "%{customdata}: %{x}<extra></extra>",
        "marker": {"color": [FOR if weight > 0 else AGAINST for _, weight in largest]},
    }
    up = axis("", tickvals=list(range(len(largest))), ticktext=names, showgrid=False)
    labels = [str(label) for label in recording.model.classes_]
    colours = f"Blue is for {labels[1]!r}, orange for {labels[0]!r}. " if len(labels) == 2 else ""
    shown = (
        f"the largest {len(largest)} of {len(weights)}" if len(weights) > WEIGHTS else "all weights"
    )
    return Chart(
        f"Weights of {recording.label}",
        f"{colours}At the end, {shown}.",
        [bars],
        layout(
            axis("weight", zeroline=True, zerolinecolor=INK, zerolinewidth=1, nticks=6),
            up,
            hovermode="closest",
            height=90 + 22 * len(largest),
            bargap=0.35,
        ),
    )


def mixing_chart(recording: Recording) -> Chart | None:
    """Draw the mixing weight of a learner that mixes two models; None if it never changed."""
    rounds, mixing = recording.mixing
    if len(set(mixing)) < 2:
        return None
    line = {
        "type": "scatter",
        "mode": "lines",
        "name": "weight",
        "x": rounds,
        "y": numbers(mixing),
        "line": {"color": COLOURS[2], "width": 1.8},
    }
    return Chart(
        f"Mixing weight of {recording.label}",
        MIXES.get(type(recording.model).__name__, "The weight of its first model.") + " Last run.",
        [line],
        layout(axis("round"), axis("weight", range=[0, 1.02])),
    )


def experts_chart(recording: Recording) -> Chart | None:
    """Draw the weight of each expert at the end; None without experts, or with many classes."""
    if not hasattr(recording.model, "experts") or recording.model.weights_by_class:
        return None
    experts = recording.model.experts()
    if not experts:
        return None
    names = list(experts)[::-1]
    bars = {
        "type": "bar",
        "orientation": "h",
        "x": numbers(100 * experts[name]["share"] for name in names),
        "y": list(range(len(names))),
        "customdata": [f"mean log loss {experts[name]['loss']:.3f}" for name in names],
        "text": [f" {experts[name]['loss']:.3f}" for name in names],
        "textposition": "outside",
        "cliponaxis": False,
        "hovertemplate": "%{x} %, %{customdata}<extra></extra>",
        "marker": {"color": COLOURS[2]},
    }
    ticks = {"tickvals": list(range(len(names))), "ticktext": [safe(name) for name in names]}
    return Chart(
        f"Expert weights of {recording.label}",
        "The weight of each expert, and of the stack that combines them, in the prediction at "
        "the end. The number beside a bar is the expert's mean log loss; lower is better.",
        [bars],
        layout(
            axis("weight in %", range=[0, 112]),
            axis("", showgrid=False, **ticks),
            hovermode="closest",
            height=90 + 26 * len(names),
            bargap=0.35,
        ),
    )


def edges_chart(recording: Recording) -> Chart | None:
    """Draw the strongest edges of the feature graph; None for learners without one."""
    edges = _strongest(recording.model)
    if not edges:
        return None
    names = list(dict.fromkeys(name for pair in edges for name in pair))
    angles = [math.pi * (0.5 - (2 * i + 1) / len(names)) for i in range(len(names))]
    places = {n: (math.cos(a), math.sin(a)) for n, a in zip(names, angles, strict=True)}
    largest = max(abs(strength) for strength in edges.values())
    traces: list[Trace] = []
    for (start, end), strength in edges.items():
        (x0, y0), (x1, y1) = places[start], places[end]
        same = strength > 0
        traces.append(
            {
                "type": "scatter",
                "mode": "lines",
                "meta": 0 if same else 1,
                "x": [x0, x1],
                "y": [y0, y1],
                "line": {
                    "color": FOR if same else AGAINST,
                    "width": 0.8 + 4 * abs(strength) / largest,
                    "dash": "solid" if same else "dot",
                },
                "opacity": 0.35 + 0.5 * abs(strength) / largest,
                "hoverinfo": "skip",
            }
        )
    traces.append(_nodes(places))
    bare = {"visible": False, "range": [-1.9, 1.9], "fixedrange": True}
    return Chart(
        f"Feature graph of {recording.label}",
        f"The {len(edges)} strongest edges at the end; thicker means stronger. The graph "
        "reconstructs the features that a row does not have.",
        traces,
        layout(bare, {**bare, "range": [-1.25, 1.25]}, hovermode="closest", height=380),
        [Key("rise together", FOR), Key("one falls as the other rises", AGAINST, "dot")],
    )


def _nodes(places: dict[Hashable, tuple[float, float]]) -> Trace:
    return {
        "type": "scatter",
        "mode": "markers+text",
        "x": [x for x, _ in places.values()],
        "y": [y for _, y in places.values()],
        "text": [safe(name, 15) for name in places],
        "textposition": [_beside(x, y) for x, y in places.values()],
        "textfont": {"size": 11},
        "marker": {"size": 9, "color": PAPER, "line": {"color": INK, "width": 1.5}},
        "hovertemplate": "%{text}<extra></extra>",
        "cliponaxis": False,
        "hoverlabel": {"bgcolor": GRID},
    }


def _beside(x: float, y: float) -> str:
    """The position of a name outside the circle."""
    up = "top" if y > 0.25 else "bottom" if y < -0.25 else "middle"
    return f"{up} {'right' if x > 0.02 else 'left' if x < -0.02 else 'center'}"


def _strongest(model: Learner) -> dict[tuple[Hashable, Hashable], float]:
    """The strongest edges of a model with a graph, each pair of features once."""
    if not hasattr(model, "edges") or model.weights_by_class:
        return {}
    strongest: dict[tuple[Hashable, Hashable], float] = {}
    for start, end, strength in model.edges(top=4 * EDGES):
        if start != end and (end, start) not in strongest and math.isfinite(strength):
            strongest[start, end] = strength
    return dict(list(strongest.items())[:EDGES])

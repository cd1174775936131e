"""A picture of each shape of stream: which features are observed, and the error below."""

from __future__ import annotations

from functools import cache

import numpy as np

from braided import OCO, Braid, evaluate, streams
from tools.pictures.data import FEATURES, ROUNDS, WINDOW, recent, rows
from tools.pictures.svg import DASHES, QUIET, Drawing

SHAPES = {
    "given": "every feature, always",
    "fixed": "every feature, rows shuffled",
    "trapezoidal": "features are added, and stay",
    "capricious": "each row lacks other features",
    "evolvable": "new features replace old ones",
}
COLUMNS = 160
TOP = 0.4


def draw() -> dict[str, str]:
    """All pictures of streams by file name."""
    found = {f"stream-{name}.svg": _one(name) for name in SHAPES}
    found["streams.svg"] = _three(moving=False)
    found["streams-live.svg"] = _three(moving=True)
    return found


def _one(name: str) -> str:
    drawing = Drawing(420, 320, f"{name} stream: {SHAPES[name]}; the error of Braid and of OCO")
    _panel(drawing, name, 62, 26, 340)
    drawing.veil(63, 24, 341, 246, 12)
    drawing.text(62, 16, name, weight="bold")
    drawing.text(402, 16, SHAPES[name], anchor="end", ink=QUIET)
    return drawing.to_text()


def _three(*, moving: bool) -> str:
    about = "Three streams: which features are observed in each round, and the error below"
    drawing = Drawing(780, 320, about)
    for place, name in enumerate(["trapezoidal", "capricious", "evolvable"]):
        left = 62 + place * 240
        _panel(drawing, name, left, 26, 220, first=place == 0)
    if moving:
        drawing.veil(63, 24, 702, 246, 14)
    for place, name in enumerate(["trapezoidal", "capricious", "evolvable"]):
        drawing.text(62 + place * 240, 16, name, weight="bold")
    return drawing.to_text()


@cache
def _played(name: str) -> tuple[list[list[float]], list[list[float]]]:
    """Which features are observed when, and the recent error of both learners."""
    X, y = rows()
    keywords = {} if name == "given" else {"seed": 1}
    stream = getattr(streams, name)(X, y, **keywords).materialized()
    seen = np.zeros((FEATURES, ROUNDS))
    for t, row in enumerate(stream.rows.dicts()):
        seen[[int(feature) for feature in row], t] = 1.0
    if name == "trapezoidal":  # features that come first at the bottom, so that it is a staircase
        seen = seen[np.argsort(seen.sum(axis=1))]
    if name == "evolvable":
        seen = seen[np.argsort(seen[:, : ROUNDS // 3].sum(axis=1))]
    at = np.linspace(0, ROUNDS - 1, COLUMNS).astype(int)
    curves = []
    for model in (Braid(label_memory=False), OCO(step=0.1)):
        errors = evaluate.prequential(model, stream).error_curve() * np.arange(1, ROUNDS + 1)
        curves.append(recent(np.diff(np.concatenate([[0.0], errors]))))
    return (seen[:, at] * 0.55).tolist(), curves


def _panel(drawing: Drawing, name: str, left: float, top: float, width: float,
           *, first: bool = True) -> None:  # fmt: skip
    observed, curves = _played(name)
    drawing.cells(left, top, width, 140, observed)
    below = top + 154
    start = width * WINDOW / ROUNDS
    for curve, dash in zip(curves, DASHES, strict=False):
        drawing.curve(left + start, below, width - start, 90, curve, top=TOP, dash=dash)
    drawing.frame(left, below, width, 90)
    if first:
        drawing.text(left - 6, top + 74, "features", anchor="end", ink=QUIET)
        drawing.text(left - 6, below + 10, f"{TOP:.0%}", anchor="end", ink=QUIET)
        drawing.text(left - 6, below + 48, "error", anchor="end", ink=QUIET)
        drawing.text(left - 6, below + 92, "0", anchor="end", ink=QUIET)
    drawing.text(left, below + 106, "first round", ink=QUIET)
    drawing.text(left + width, below + 106, f"round {ROUNDS}", anchor="end", ink=QUIET)
    if first:
        drawing.line([(left, below + 124), (left + 22, below + 124)])
        drawing.text(left + 27, below + 128, "Braid")
        drawing.line([(left + 74, below + 124), (left + 96, below + 124)], dash=DASHES[1])
        drawing.text(left + 101, below + 128, "gradient descent (OCO)")

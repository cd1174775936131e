"""A picture of each learner: its weights over the rounds of a stream, and its error below."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from braided import registry, streams
from tools.pictures.data import FEATURES, REAL, ROUNDS, WINDOW, recent, rows
from tools.pictures.svg import DASHES, QUIET, Drawing

BLOCK = 20
TOP = 0.4


class Scene(NamedTuple):
    """What a picture shows: the shape of the stream, and parameters that show the idea."""

    shape: str
    parameters: Mapping[str, Any] = MappingProxyType({})


SCENES = {
    "Braid": Scene("trapezoidal"),
    "OLSF": Scene("trapezoidal", {"budget": 8}),
    "OFS": Scene("fixed", {"budget": 8}),
    "PETrun": Scene("fixed", {"budget": 8}),
    "RAND": Scene("fixed", {"budget": 8}),
    "OFSPartial": Scene("fixed", {"budget": 8}),
    "FSOL": Scene("fixed", {"penalty": 5.0}),
    "SSOL": Scene("fixed", {"penalty": 1.0}),
    "STG": Scene("fixed", {"penalty": 0.02}),
    "FOBOS": Scene("fixed", {"penalty": 0.02}),
    "AdaFOBOS": Scene("fixed", {"penalty": 0.02}),
    "AdaRDA": Scene("fixed", {"penalty": 0.02}),
    "OCO": Scene("capricious", {"step": 0.1}),
    "GLSC": Scene("capricious"),
    "FESL": Scene("evolvable"),
}


def draw() -> dict[str, str]:
    """All pictures of learners by file name."""
    names = dict.fromkeys(entry.class_name for entry in registry.LEARNERS)
    return {f"learner-{name.lower()}.svg": _one(name, SCENES[name]) for name in names}


def _one(name: str, scene: Scene) -> str:
    X, y = rows()
    keywords = {"seed": 1}
    stream = getattr(streams, scene.shape)(X, y, **keywords).materialized()
    home = next(entry.home for entry in registry.LEARNERS if entry.class_name == name)
    model = registry.resolve(home)(**scene.parameters)
    pairs = list(stream.pairs())
    weights, wrong = [], []
    for start in range(0, ROUNDS, BLOCK):
        block = pairs[start : start + BLOCK]
        known = model.rounds > 0
        for x, label in block:
            wrong.append(model.predict_one(x) != label if known else True)
            model.learn_one(x, label)
            known = True
        now = model.weights()
        weights.append([abs(float(now.get(feature, 0.0))) for feature in range(FEATURES)])
    shades = np.array(weights).T
    shades /= max(np.quantile(shades[:, -1], 0.97), 1e-12)
    settings = ", ".join(f"{key}={value}" for key, value in scene.parameters.items())
    drawing = Drawing(420, 320, f"{name}({settings}) on a {scene.shape} stream: weights and error")
    left, top, width = 78, 26, 328
    drawing.text(left, 16, f"{name}({settings})", weight="bold")
    drawing.text(left + width, 16, f"{scene.shape} stream", anchor="end", ink=QUIET)
    drawing.cells(left, top, width, 150, np.where(shades > 0, shades.clip(0.1, 1), 0).tolist())
    border = top + 150 * REAL / FEATURES
    drawing.line([(left, border), (left + width, border)], dash=DASHES[2], width=0.9)
    drawing.text(left - 6, top + 56, "weights of", anchor="end", ink=QUIET)
    drawing.text(left - 6, top + 69, "20 features", anchor="end", ink=QUIET)
    drawing.text(left - 6, border + 26, "8 of noise", anchor="end", ink=QUIET)
    below = top + 164
    start = width * WINDOW / ROUNDS
    curve = recent(np.array(wrong, float))
    drawing.curve(left + start, below, width - start, 90, curve, top=TOP)
    base = min(float(np.mean(y == label)) for label in set(y.tolist()))
    drawing.curve(left, below, width, 90, [base, base], top=TOP, dash=DASHES[1], ink=QUIET)
    drawing.text(left + width - 4, below + 90 * (1 - base / TOP) - 4, "majority class",
                 anchor="end", ink=QUIET)  # fmt: skip
    drawing.frame(left, below, width, 90)
    drawing.text(left - 6, below + 10, f"{TOP:.0%}", anchor="end", ink=QUIET)
    drawing.text(left - 6, below + 48, "error", anchor="end", ink=QUIET)
    drawing.text(left - 6, below + 92, "0", anchor="end", ink=QUIET)
    drawing.text(left, below + 106, "first round", ink=QUIET)
    drawing.text(left + width, below + 106, f"round {ROUNDS}", anchor="end", ink=QUIET)
    return drawing.to_text()

"""Streams for learners made of learners."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import strategies as st

from braided import as_rows
from tests.support.streams_of_rows import NAMES, any_values


def labelled_streams(labels, max_rows: int = 30, values=any_values):
    """Lists of (row, label) with labels among these."""
    row = st.dictionaries(st.sampled_from(NAMES), values, max_size=8)
    return st.lists(st.tuples(row, st.sampled_from(labels)), min_size=1, max_size=max_rows)


def many_classes(seed: int, rounds: int = 300, classes: str = "abcd", features: int = 30):
    """A stream whose classes appear one after another, and whose features do too."""
    rng = np.random.default_rng(seed)
    centres = rng.normal(size=(len(classes), features))
    stream = []
    for t in range(rounds):
        number = int(rng.integers(1 + (len(classes) * t) // (2 * rounds // 2 + 1)))
        alive = max(5, features * (t + 1) // rounds)
        columns = np.flatnonzero(rng.random(alive) < 0.6)
        values = centres[number, columns] + rng.normal(size=columns.size)
        x = {f"f{c}": float(v) for c, v in zip(columns, values, strict=True)}
        stream.append((x, classes[number]))
    return stream


def scores_by_class(model, x):
    """The scores of one row by class, as far as the classes are known."""
    if model.engine is None:
        return {}
    scores = model.interleaved([x], as_rows([], []), np.array([0]), by_class=True)[0].tolist()
    scores = dict(zip(model.classes_.tolist(), scores, strict=True))
    return {label: score for label, score in scores.items() if score > -math.inf}


def cut(stream, cuts):
    """The stream as (rows, labels), in blocks of these sizes and a last one with what is left."""
    start = 0
    for size in [*cuts, len(stream)]:
        block = stream[start : start + size]
        if block:
            yield [x for x, _ in block], [y for _, y in block]
        start += size

"""Braid's forest against its plain transcription, and what must hold of it by itself."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from braided.kernels.rng import new_rng
from braided.learner.state import arrays
from braided.learners.braid.forest import layout
from braided.learners.braid.forest.growth import has_forest_room
from braided.learners.braid.forest.layout import ForestSize, new_forest, with_forest_room
from braided.learners.braid.forest.learning import learn_forest
from braided.learners.braid.forest.soundness import is_sound_forest
from braided.learners.braid.forest.walk import score_forest
from tests.naive.forest import Forest
from tests.support.every_composite import labelled_streams
from tests.support.every_learner import few
from tests.support.streams_of_rows import NAMES, any_values, long_stream, tying_values

SIZES = st.sampled_from([(1, 1), (3, 2), (4, 3), (7, 4), (1024, 512)])
FEATURES = 64


class Fast:
    """The kernels with the columns that rows by name need."""

    def __init__(self, classes=2, most=(1024, 512), seed=0):
        size = ForestSize(layout.TREES, *most)
        begun = 2 if classes == 2 else 0
        self.forest = new_forest(FEATURES, most=size, classes=classes, seed=seed, begun=begun)
        self.columns = {}

    def score(self, x, offsets, asked=(1,)):
        columns = [self.columns.setdefault(name, len(self.columns)) for name in x]
        self.row = np.array(columns, np.int32), np.array([*x.values()], float)
        self.forest.logits[layout.MARGIN] = offsets
        self.forest.logits[layout.ASKED, [*asked]] = 1.0
        score_forest(self.forest, *self.row)
        return self.forest.logits[:2, [*asked]].copy()

    def learn(self, label, weight=1.0):
        if not has_forest_room(self.forest):
            self.forest = with_forest_room(self.forest)
            assert has_forest_room(self.forest)
        learn_forest(self.forest, *self.row, label, weight)


def compare(stream, classes=2, most=(1024, 512), seed=0, offset=0.0):
    """Both logits of each class must agree before every row."""
    fast = Fast(classes, most, seed)
    plain = Forest(classes, int(new_rng(seed)[0]), most)
    asked = [1] if classes == 2 else []
    for t, (x, label) in enumerate(stream):
        if label not in asked and classes > 2:
            asked.append(label)
        offsets = [offset * ((t + c) % 3 - 1) for c in range(classes)]
        told = np.array(plain.score(x, offsets, asked))
        np.testing.assert_allclose(fast.score(x, offsets, asked), told, rtol=1e-9, atol=1e-9)
        weight = 1.0 if offset == 0.0 else 0.5 + t % 3
        fast.learn(label, weight)
        plain.learn(x, label, asked, weight)
    used = fast.forest.used.tolist()
    assert used == [[tree.nodes, tree.leaves] for tree in plain.trees]
    assert is_sound_forest(fast.forest, FEATURES)
    return fast


@few
@given(labelled_streams([0, 1], max_rows=60, values=any_values), SIZES, st.integers(0, 3))
def test_equals_the_plain_forest(stream, most, seed):
    compare(stream, most=most, seed=seed, offset=0.7)


@few
@given(labelled_streams([0, 1, 2, 3], max_rows=60, values=tying_values), SIZES)
def test_equals_the_plain_forest_of_many_classes_where_values_repeat(stream, most):
    compare(stream, classes=4, most=most)


def turning(rounds, seed=0, features=8, missing=0.3, classes=2):
    """Rows whose label a tree can tell; halfway it turns around."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rounds, features)).round(1)
    hidden = rng.random(X.shape) < missing
    y = (X[:, 0] > 0).astype(int) + (classes > 2) * (X[:, 1] > X[:, 2])
    turned = np.arange(rounds) >= rounds // 2
    y = (y + turned) % classes
    names = [f"f{j}" for j in range(features)]
    return [
        ({n: v for n, v, h in zip(names, row, gone, strict=True) if not h}, label)
        for row, gone, label in zip(X.tolist(), hidden, y.tolist(), strict=True)
    ]


@pytest.mark.parametrize(
    ("classes", "most", "rounds"),
    [(2, (1024, 512), 2200), (2, (9, 5), 900), (3, (1024, 512), 900)],
)
def test_equals_the_plain_forest_on_long_streams(classes, most, rounds):
    fast = compare(turning(rounds, classes=classes), classes=classes, most=most, offset=0.3)
    renewed = fast.forest.rounds[layout.RENEWED]
    assert (renewed > 0) == (rounds > 2048), "the label turns around: trees begin anew"
    assert (fast.forest.used <= most).all()


def test_equals_the_plain_forest_while_features_come_and_go():
    compare([(x, int(y > 0)) for x, y in long_stream(seed=5, rounds=700, features=50)])


def test_monotone_maps_of_a_feature_change_nothing():
    stream = turning(500)
    maps = [np.exp, lambda v: v**3, lambda v: 1e-4 * v, lambda v: 1e6 * v - 7.0]
    mapped = [
        ({n: float(maps[int(n[1]) % 4](v)) for n, v in x.items()}, label) for x, label in stream
    ]
    one, other = compare(stream), Fast()
    for x, label in mapped:
        other.score(x, [0.0, 0.0])
        other.learn(label)
    assert one.forest.leaf.tolist() == other.forest.leaf.tolist()
    assert one.forest.node.tolist() == other.forest.node.tolist()


def test_scoring_changes_only_buffers():
    fast = compare(turning(300))
    before = [array.copy() for array in arrays(fast.forest[:-2])]
    fast.score({"f0": 3.0, NAMES[1]: 2.0}, [0.0, 0.0])
    for array, was in zip(arrays(fast.forest[:-2]), before, strict=True):
        assert (array == was).all()


def test_a_short_stream_needs_little_memory():
    fast = compare(turning(100))
    assert sum(array.nbytes for array in arrays(fast.forest)) < 500_000


def test_memory_has_a_bound():
    rng = np.random.default_rng(0)
    fast = Fast(most=(64, 32))
    for _ in range(4000):
        x = dict(enumerate(rng.normal(size=6).tolist()))
        fast.score(x, [0.0, 0.0])
        fast.learn(int(x[0] * x[1] + x[2] * x[3] > 0))
    assert fast.forest.used.max(axis=0).tolist() == [64, 32] or fast.forest.used[:, 1].max() > 28
    assert fast.forest.threshold.shape == (16, 64)
    full = new_forest(8, layout.LARGEST)
    assert sum(array.nbytes for array in arrays(full)) < 10.8e6


CHANGES = {
    "a child before its parent": lambda f: f.node[:, 1].__setitem__((..., 1), 0) or _loop(f),
    "a child beyond the end": lambda f: f.node.__setitem__((0, 0, 1), 10**6),
    "a feature beyond the end": lambda f: f.node.__setitem__((0, 0, 0), FEATURES),
    "a negative feature": lambda f: f.node.__setitem__((0, 0, 0), -3),
    "a slot beyond the end": lambda f: f.growth.__setitem__((0, 0, layout.SLOT), 10**6),
    "too many candidates": lambda f: f.growth.__setitem__((0, 0, layout.DRAWN), 49),
    "a candidate of no feature": lambda f: f.candidate.__setitem__((0, 0, 0), FEATURES),
    "more nodes than there are": lambda f: f.used.__setitem__((0, 0), 10**6),
    "no nodes": lambda f: f.used.__setitem__((0, 0), 0),
    "values that are left": lambda f: f.value.__setitem__(0, 1.0),
    "more classes than there are": lambda f: f.reached.__setitem__((0, 2), 2),
}


def _loop(forest):
    forest.node[0, 0, 1] = 0
    forest.node[0, 1, 0] = 0
    forest.node[0, 1, 1] = 1


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_forged_forests_are_refused(change):
    fast = compare(turning(200))
    assert is_sound_forest(fast.forest, FEATURES)
    change(fast.forest)
    assert not is_sound_forest(fast.forest, FEATURES)

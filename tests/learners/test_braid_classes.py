"""OneVsRest(Braid()): all classes in one model, beside its plain form and separate Braids."""

from __future__ import annotations

import copy
import math
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from braided import OCO, Braid, InputError, ModelFileError, OneVsRest, Scaled, as_rows, load
from braided.kernels.rng import new_rng
from braided.learner.state import arrays
from braided.learners.braid.many_classes import room_for_classes
from tests.naive.braid_classes import MOST_CLASSES, BraidOfClasses
from tests.naive.compose import shown
from tests.naive.forest import Forest
from tests.naive.interactions import Interactions
from tests.support.digits import digits, prequential_accuracy
from tests.support.every_composite import cut, labelled_streams, many_classes
from tests.support.every_learner import few
from tests.support.forge import contents, forge
from tests.support.learned import state_of
from tests.support.streams_of_rows import any_values, tying_values

CLASSES = ["a", "b", "c", "d", "e"]


class Apart(Braid):
    """A Braid that shares nothing: each class has a whole one."""

    def of_classes(self, turned=-1):
        return None


def streams(values):
    return labelled_streams(CLASSES, max_rows=90, values=values)


def with_all(seed: int = 0, most: tuple[int, int] = (1024, 512)) -> BraidOfClasses:
    """The plain recipe with forest and pairs."""
    word = int(new_rng(seed)[0])

    def interactions(number):
        return Interactions(number, 6)

    return BraidOfClasses(forest=Forest(MOST_CLASSES, word, most), interactions=interactions)


def compare(stream, *, weight: float = 1.0, plain=None, fast=None, **parameters) -> None:
    plain = plain or BraidOfClasses(**parameters)
    fast = OneVsRest(fast or Braid(**parameters))
    for x, y in stream:
        before = fast.score_one(x)
        expected = plain.learn(x, y, weight)
        known = {c: expected[c] for c in sorted(expected) if expected[c] > -math.inf}
        assert before == pytest.approx(shown(known), rel=1e-9, abs=1e-9)
        if weight == 1.0:
            fast.learn_one(x, y)
        else:
            fast.partial_fit([x], [y], sample_weight=[weight])


class Small(Braid):
    """A Braid whose trees are full after a few rows."""

    largest_forest = Braid.largest_forest._replace(nodes=9, slots=5)


def late_class(rounds, seed=0):
    """Rows with missing values, whose class follows from two features; one class comes late."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rounds, 5)).round(2)
    names = np.array([*"abcd"])[(X[:, 0] * X[:, 1] > 0) + 2 * (X[:, 2] > 0.7)]
    names[: rounds // 2][names[: rounds // 2] == "d"] = "a"
    hidden = rng.random(X.shape) < 0.2
    return [
        ({f"f{j}": v for j, v in enumerate(row) if not gone[j]}, str(name))
        for row, gone, name in zip(X.tolist(), hidden.tolist(), names, strict=True)
    ]


def words(rounds, vocabulary=300):
    """Rows of few out of many words, whose weights add up to the class."""
    rng = np.random.default_rng(0)
    hidden = rng.normal(size=(vocabulary, 3))
    stream = []
    for _ in range(rounds):
        chosen = np.sort(rng.choice(vocabulary, size=6, replace=False))
        label = "abc"[hidden[chosen].sum(axis=0).argmax()]
        stream.append(({f"w{j:03}": 1.0 for j in chosen}, label))
    return stream


def separate(stream):
    return [x for x, _ in stream], [y for _, y in stream]


def check_blocks(stream, cuts, **parameters):
    """Row by row, all at once and in blocks, the state is the same."""
    one_by_one, at_once, in_blocks = (OneVsRest(Braid(**parameters)) for _ in range(3))
    for x, y in stream:
        one_by_one.predict_one(x)
        one_by_one.learn_one(x, y)
    at_once.partial_fit(*separate(stream))
    for rows, labels in cut(stream, cuts):
        in_blocks.prequential(rows, labels)
    assert state_of(one_by_one) == state_of(at_once) == state_of(in_blocks)


@given(streams(any_values), st.booleans())
def test_equals_the_plain_recipe_for_many_classes(stream, label_memory):
    compare(stream, label_memory=label_memory)


@given(streams(tying_values))
def test_equals_the_plain_recipe_where_values_repeat(stream):
    compare(stream)


@pytest.mark.parametrize("weight", [1.0, 0.3])
def test_equals_the_plain_recipe_on_a_long_stream(weight):
    compare(many_classes(seed=4, rounds=500, classes="abcdef"), weight=weight)


@few
@given(streams(any_values))
def test_equals_the_plain_recipe_with_forest_and_pairs(stream):
    compare(stream, plain=with_all(most=(9, 5)), fast=Small(experts="all"))


@pytest.mark.parametrize("weight", [1.0, 0.3])
def test_equals_the_plain_recipe_with_forest_and_pairs_on_a_long_stream(weight):
    compare(late_class(400), weight=weight, plain=with_all(), fast=Braid(experts="all"))


def test_equals_the_plain_recipe_where_forest_and_pairs_rest():
    compare(words(1200), plain=with_all(), fast=Braid(experts="all"))


@given(st.lists(st.integers(1, 90), min_size=1, max_size=20))
@settings(max_examples=10)
def test_states_with_forest_and_pairs_do_not_depend_on_blocks(cuts):
    check_blocks(late_class(500), cuts, experts="all")


def test_a_braid_with_forest_and_pairs_goes_on_at_the_third_label():
    """As if the first two classes had been declared, and each had its own margin."""
    stream = [(x, y) for x, y in late_class(600) if y in "abc"]
    two = [(x, y) for x, y in stream if y != "c"][:200]
    rows, labels = separate([*two, *stream])
    widened = Braid(experts="all").prequential(rows, labels)
    declared = OneVsRest(Braid(experts="all")).partial_fit([], [], classes=["a", "b"])
    other = declared.prequential(rows, labels)
    later = slice(len(two) + 100, None)
    np.testing.assert_allclose(widened[later], other[later], rtol=1e-6, atol=1e-6)


def test_forest_and_pairs_of_many_classes_are_told_and_saved(tmp_path):
    rows, labels = separate(late_class(600))
    model = Braid(experts="all").partial_fit(rows[:400], labels[:400])
    told = model.experts()
    assert {*told} == {*model.classes_.tolist()}
    for members in told.values():
        assert {"forest", "forest margin", "pairs", "second stack"} <= {*members}
        assert sum(member["share"] for member in members.values()) == pytest.approx(1.0)
    scores = model.score_one(rows[0])
    for label, alone in model.engine.models().items():  # each is a model of two labels
        assert alone.score_one(rows[0]) == pytest.approx(scores[label])
    assert {*model.explain(rows[0])} == {*told}
    model.save(tmp_path / "m")
    loaded = load(tmp_path / "m")
    later = rows[400:], labels[400:]
    assert loaded.prequential(*later).tolist() == model.prequential(*later).tolist()


def test_a_forest_of_many_classes_learns_what_additive_experts_can_not():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(4000, 4))
    y = (X[:, 0] * X[:, 1] > 0).astype(int) + 2 * (X[:, 2] > 0)
    errors = [
        np.mean(Braid(experts=experts).prequential(X, y)[2000:].argmax(axis=1) != y[2000:])
        for experts in ("additive", "all")
    ]
    assert errors[1] < 0.1 < 0.3 < errors[0]


def test_memory_of_the_forest_hardly_grows_with_classes():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(6000, 3)), rng.integers(0, 40, size=6000)
    forest = next(OneVsRest(Braid(experts="all")).partial_fit(X, y).engine.inside()).state
    assert sum(a.nbytes for a in arrays(forest.interactions.forest)) < 12e6


@pytest.mark.parametrize("seed", range(3))
def test_equals_separate_braids_bit_for_bit_if_all_classes_are_known(seed):
    rows, labels = separate(many_classes(seed, rounds=300))
    shared, apart = (
        OneVsRest(make()).partial_fit([], [], classes=list("abcd")) for make in (Braid, Apart)
    )
    assert shared.prequential(rows, labels).tolist() == apart.prequential(rows, labels).tolist()
    assert shared.decision_function(rows).tolist() == apart.decision_function(rows).tolist()
    assert shared.weights() == apart.weights()
    assert shared.features_kept == apart.features_kept > 0
    assert shared.memory_bytes < 0.6 * apart.memory_bytes


@given(st.data(), st.lists(st.integers(1, 9), min_size=1, max_size=20))
def test_states_do_not_depend_on_blocks(data, cuts):
    check_blocks(data.draw(streams(any_values)), cuts)


def test_a_class_declared_later_is_known_from_then_on():
    rows, labels = separate(many_classes(seed=1, rounds=200))
    model = OneVsRest(Braid()).partial_fit(rows[:100], labels[:100])
    model.partial_fit([], [], classes=["z"])
    scores = model.prequential(rows[100:], labels[100:])
    assert np.isfinite(scores[:, model.classes_.tolist().index("z")]).all()


def test_many_classes_make_room_one_by_one():
    rng = np.random.default_rng(0)
    model = OneVsRest(Braid())
    for number in [*range(40)] * 6:
        model.learn_one({"a": float(rng.normal()), number: 1.0}, number)
    assert [model.predict_one({number: 1.0}) for number in range(40)] == list(range(40))
    assert model.predict([{number: 1.0} for number in range(40)]).tolist() == list(range(40))
    assert next(model.engine.inside()).state.since.size == room_for_classes(40) == 40
    assert [room_for_classes(n) for n in (1, 10, 17, 1000)] == [1, 10, 18, 1024]


def test_a_class_that_first_appears_halfway_is_learned():
    X, y = digits()
    keep = (y != 7) | (np.arange(y.size) >= y.size // 2)
    X, y = X[keep], y[keep]
    model = OneVsRest(Braid())
    scores = model.prequential(X, y)
    first = int(np.flatnonzero(y == 7)[0])
    assert np.isneginf(scores[: first + 1, 7]).all()
    assert np.isfinite(scores[first + 1 :]).all()
    predicted = model.classes_[scores.argmax(axis=1)]
    soon, last = slice(first + 1, first + 201), slice(3 * y.size // 4, None)
    assert np.mean(predicted[soon][y[soon] == 7] == 7) > 0.9
    assert np.mean(predicted[last][y[last] == 7] == 7) > 0.9
    assert np.mean(predicted[last] == y[last]) > 0.95


def test_accuracy_on_digits():
    assert prequential_accuracy(OneVsRest(Braid()), *digits()) >= 0.915


def test_probabilities_of_classes_follow_from_the_scores():
    rows, labels = separate(many_classes(seed=2, rounds=300))
    model = OneVsRest(Braid()).partial_fit(rows, labels, classes=["never seen"])
    chances = model.predict_proba(rows)
    odds = 1 / (1 + np.exp(-model.decision_function(rows)))  # of four classes
    np.testing.assert_allclose(chances, odds / odds.sum(axis=1, keepdims=True))
    assert (model.classes_[chances.argmax(axis=1)] == model.predict(rows)).all()
    one = model.predict_proba_one(rows[7])
    assert one == pytest.approx(dict(zip(model.classes_.tolist(), chances[7], strict=True)))
    assert OneVsRest(Braid()).predict_proba_one({"a": 1.0}) == {}
    assert OneVsRest(Braid()).partial_fit([{"a": 1.0}], ["x"]).predict_proba_one({}) == {"x": 1.0}


def test_probabilities_of_classes_that_nobody_has_seen_are_zero():
    rows = as_rows([{"a": 1.0}, {"a": 2.0}], ["x", "y"])
    model = OneVsRest(Braid())
    model.interleaved(rows, rows[:1], np.array([0, 1]))
    model.engine.labels.signs(np.array(["z"]))  # heard of, but no row of it was learned
    assert model.predict_proba([{"a": 1.0}]).tolist() == [[1.0, 0.0]]
    assert model.predict_proba_one({"a": 1.0}) == {"x": 1.0, "z": 0.0}


def test_probabilities_of_composites_add_up_to_one():
    stream = many_classes(seed=2, rounds=300)
    for model in (OneVsRest(OCO()), Scaled(OneVsRest(Braid())), OneVsRest(Scaled(OCO()))):
        chances = model.fit(*separate(stream)).predict_proba([x for x, _ in stream])
        np.testing.assert_allclose(chances.sum(axis=1), 1.0)
    far = OneVsRest(OCO()).fit([{"a": 1.0}] * 9, list("abc") * 3).predict_proba([{"a": 1e9}])
    np.testing.assert_allclose(far.sum(axis=1), 1.0)


def test_copies_share_nothing():
    rows, labels = separate(many_classes(seed=3, rounds=200))
    model = OneVsRest(Braid()).partial_fit(rows[:100], labels[:100])
    copies = [copy.deepcopy(model), pickle.loads(pickle.dumps(model))]
    before = state_of(model)
    for each in copies:
        each.partial_fit(rows[100:], labels[100:])
        assert state_of(model) == before
    model.partial_fit(rows[100:], labels[100:])
    assert state_of(copies[0]) == state_of(copies[1]) == state_of(model)


def test_parameters_of_the_braid_inside():
    rows, labels = separate(many_classes(seed=3, rounds=200))
    model = OneVsRest(Braid()).partial_fit(rows[:100], labels[:100])
    other = OneVsRest(Braid()).partial_fit(rows[:100], labels[:100])
    model.set_params(learner__label_memory=False)
    assert model.decision_function(rows).tolist() != other.decision_function(rows).tolist()
    with pytest.raises(InputError, match="can not go on with OCO"):
        model.set_params(learner=OCO())
    with pytest.raises(InputError, match="label_memory"):
        model.set_params(learner__label_memory="perhaps")


@pytest.mark.parametrize(
    "change",
    [
        lambda told, arrays: told.update(known=[0, 1]),
        lambda told, arrays: told.update(known=[0, 1, 2, 3, 3]),
        lambda told, arrays: told.update(inside=told["inside"] * 2),
        lambda told, arrays: _inside(arrays, "since").fill(2**63 - 1),
        lambda told, arrays: np.put(_inside(arrays, "since"), 1, -2),
        lambda told, arrays: np.put(_inside(arrays, "since"), 1, 60),
        lambda told, arrays: np.put(_inside(arrays, "row.cell"), 0, 2**30),
        lambda told, arrays: np.put(_inside(arrays, "features.stats"), 4, 1e9),
        lambda told, arrays: np.put(_inside(arrays, "stack.weight"), 0, np.nan),
        lambda told, arrays: _with_classes(arrays, 0),
        lambda told, arrays: _with_classes(arrays, 3),
        lambda told, arrays: _with_classes(arrays, 9),
    ],
)
def test_files_that_contradict_themselves_are_refused(change, tmp_path):
    rows, labels = separate(many_classes(seed=5, rounds=60))
    OneVsRest(Braid()).partial_fit(rows, labels, classes=list("abcd")).save(tmp_path / "m")
    texts, told, arrays = contents(tmp_path / "m")
    change(told, arrays)
    forge(tmp_path / "m", texts, told, arrays)
    with pytest.raises(ModelFileError):
        load(tmp_path / "m")


def _inside(arrays, name):
    return arrays[f"inside.0.state.{name}"]


def _with_classes(arrays, classes):
    """As a file for so many classes would be, if there are four."""
    for name, array in arrays.items():
        if any(
            part in name for part in ("since", "scores", "experts", "stack", "shares", "logits")
        ):
            arrays[name] = np.resize(array, (classes, *array.shape[1:]))


def test_a_model_saved_before_the_first_row_can_be_loaded(tmp_path):
    rows, labels = separate(many_classes(seed=5, rounds=60))
    for declared in ([], list("dcba")):
        model = OneVsRest(Braid()).partial_fit([], [], classes=declared)
        model.predict_one({"a": 1.0})
        model.save(tmp_path / "m")
        loaded = load(tmp_path / "m").partial_fit(rows, labels)
        assert state_of(loaded) == state_of(model.partial_fit(rows, labels))


def test_predicting_changes_no_state():
    rows, labels = separate(many_classes(seed=5, rounds=150))
    quiet, asked = OneVsRest(Braid()), OneVsRest(Braid())
    for x, y in zip(rows, labels, strict=True):
        quiet.learn_one(x, y)
        asked.predict_one(rows[0])
        asked.weights()
        asked.learn_one(x, y)
    assert state_of(quiet) == state_of(asked)

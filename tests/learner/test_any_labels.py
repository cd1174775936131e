"""A third label widens a model: against the plain version, in blocks, and through files."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import datasets
from sklearn.model_selection import cross_val_score

from braided import (
    OCO,
    OLSF,
    RAND,
    Braid,
    InputError,
    ModelFileError,
    OneVsRest,
    PseudoLabel,
    Scaled,
    as_rows,
    load,
    registry,
)
from tests.naive.any_labels import AnyLabels
from tests.support.every_composite import cut, labelled_streams, many_classes
from tests.support.forge import contents, forge
from tests.support.learned import state_of

CLASSES = ["a", "b", "c", "d"]
MODELS = {
    "Braid": Braid,
    "Braid, no memory of labels": lambda: Braid(label_memory=False),
    "Braid, budget": lambda: Braid(budget=3, seed=2),
    "Braid, share": lambda: Braid(budget=0.5),
    "OLSF": lambda: OLSF(budget=0.6).allow_any_labels(),
    "RAND": lambda: RAND(budget=3, seed=5).allow_any_labels(),
    "OCO": lambda: OCO(schedule="adaptive", intercept=True).allow_any_labels(),
    "Scaled Braid": lambda: Scaled(Braid(), how="maxabs"),
    "Scaled OCO": lambda: Scaled(OCO(), intercept=True).allow_any_labels(),
}
every_model = pytest.mark.parametrize("make", MODELS.values(), ids=MODELS)


def separate(stream):
    return [x for x, _ in stream], [y for _, y in stream]


def as_columns(model, scores):
    """The scores of some rows by label, as far as they are known; two labels have one score."""
    values = model.classes_.tolist()
    if len(values) < 2:
        return [{}] * len(scores)
    if scores.ndim == 1:
        scores = np.column_stack((-scores, scores))
    return [dict(zip(values, row, strict=True)) for row in scores.tolist()]


# ------------------------------------------------------------------ what it is, in plain words


@settings(max_examples=40)
@given(labelled_streams(CLASSES))
def test_equals_the_plain_version_bit_for_bit(stream):
    fast = OLSF().allow_any_labels()
    plain = AnyLabels(lambda number: OLSF())
    for x, y in stream:
        assert fast.score_one(x) == plain.score_one(x)
        fast.learn_one(x, y)
        plain.learn_one(x, y)
    if plain.inside:
        assert list(fast.weights()) == plain.labels
        for label, (learner, turned) in plain.inside.items():
            sign = -1.0 if turned else 1.0
            expected = {name: sign * weight for name, weight in learner.weights().items()}
            assert fast.weights()[label] == expected


@pytest.mark.parametrize("labels", ["abcd", "dcba", (0, 1, 2, 3), (-1, 5, 3, 0)])
@pytest.mark.parametrize("late", [3, 10, 63, 64, 120])
def test_a_braid_goes_on_as_one_in_which_the_first_two_labels_were_declared(labels, late):
    """Bit for bit for the one label; for the other, rounding may differ where signs are turned."""
    rng = np.random.default_rng(3)
    rows, _ = separate(many_classes(seed=6, rounds=200))
    numbers = [t if t < 2 else int(rng.integers(2 if t < late else 4)) for t in range(200)]
    y = [labels[number] for number in numbers]
    widened = Braid()
    other = OneVsRest(Braid()).partial_fit([], [], classes=list(labels[:2]))
    scores, expected = (model.prequential(rows, y) for model in (widened, other))
    assert widened.classes_.tolist() == other.classes_.tolist()
    third = next(t for t, number in enumerate(numbers) if number >= 2)
    finite = np.isfinite(expected)
    assert (np.isfinite(scores) == finite).all()
    assert finite[third + 1 :, :].any(axis=0).all()
    np.testing.assert_allclose(scores[finite], expected[finite], rtol=1e-6, atol=1e-6)
    first = widened.classes_.tolist().index(labels[0] if labels[0] not in (0, -1) else labels[1])
    assert scores[:, first].tolist() == expected[:, first].tolist()


def test_declared_labels_widen_before_the_first_row():
    rows, labels = separate(many_classes(seed=2, rounds=150))
    widened = Braid().partial_fit([], [], classes=list("abcd"))
    other = OneVsRest(Braid()).partial_fit([], [], classes=list("abcd"))
    np.testing.assert_allclose(
        widened.prequential(rows, labels), other.prequential(rows, labels), rtol=1e-6, atol=1e-6
    )
    later = Braid().partial_fit(rows[:9], ["a", "b"] * 4 + ["a"])
    later.partial_fit([], [], classes=["z"])
    assert later.classes_.tolist() == ["a", "b", "z"]
    assert np.isfinite(later.decision_function(rows[:2])).all()


# -------------------------------------------------------------------------- blocks and files


@every_model
@settings(max_examples=12)
@given(data=st.data(), cuts=st.lists(st.integers(1, 9), min_size=1, max_size=12))
def test_blocks_equal_one_by_one_bit_for_bit(make, data, cuts):
    stream = data.draw(labelled_streams(CLASSES, max_rows=70))
    one_by_one, at_once, in_blocks = make(), make(), make()
    scores, blocks = [], []
    for x, y in stream:
        scores.append(one_by_one.score_one(x))
        one_by_one.learn_one(x, y)
    whole = at_once.prequential(*separate(stream))
    for rows, labels in cut(stream, cuts):
        blocks += as_columns(in_blocks, in_blocks.prequential(rows, labels))
    assert state_of(one_by_one) == state_of(at_once) == state_of(in_blocks)
    for block, row, one in zip(blocks, as_columns(at_once, whole), scores, strict=True):
        known = one if isinstance(one, dict) else {}
        assert all(row[label] == block[label] for label in block)
        assert all(row[label] == score for label, score in known.items())


@every_model
def test_blocks_equal_one_by_one_across_the_third_label_in_every_way(make, tmp_path):
    stream = many_classes(seed=4, rounds=120)
    rows, labels = separate(stream)
    weights = np.where(np.arange(120) % 7 == 3, 0.0, 1.0 + np.arange(120) % 3)
    third = labels.index("c")
    assert 20 < third < 100
    weighted, ones = make(), make()
    weighted.partial_fit(rows, labels, sample_weight=weights)
    for x, y, w in zip(rows, labels, weights, strict=True):
        ones.partial_fit([x], [y], sample_weight=[w])
    assert state_of(weighted) == state_of(ones)
    for where in (third - 1, third, third + 1, 110):  # saved before and after
        model = make().partial_fit(rows[:where], labels[:where])
        model.save(tmp_path / "m")
        loaded = load(tmp_path / "m").allow_any_labels()
        if isinstance(loaded, Scaled) and not loaded.many_classes:
            continue  # what was allowed is not in a file with two labels
        loaded.save(tmp_path / "again")
        assert (tmp_path / "m").read_bytes() == (tmp_path / "again").read_bytes()
        loaded.partial_fit(rows[where:], labels[where:])
        assert state_of(loaded) == state_of(make().partial_fit(rows, labels))


@pytest.mark.parametrize("name", [e.name for e in registry.LEARNERS if e.alias_of is None])
def test_every_learner_can_widen(name, tmp_path):
    rows, labels = separate(many_classes(seed=4, rounds=90))
    at_once, one_by_one = (registry.create(name).allow_any_labels() for _ in range(2))
    at_once.partial_fit(rows, labels)
    for x, y in zip(rows, labels, strict=True):
        one_by_one.learn_one(x, y)
    assert state_of(at_once) == state_of(one_by_one)
    scores = at_once.decision_function(rows)
    assert scores.shape == (90, len(set(labels)))
    assert at_once.predict(rows).tolist() == at_once.classes_[scores.argmax(axis=1)].tolist()
    at_once.save(tmp_path / "m")
    assert state_of(load(tmp_path / "m")) == state_of(at_once)


@every_model
@pytest.mark.parametrize("size", [1, 7, 120])
def test_late_labels_across_the_third(make, size):
    rows, labels = separate(many_classes(seed=4, rounds=120))
    given_rows, learned = as_rows(rows), as_rows(rows, labels)
    late, found, expected = make(), [], []
    for start in range(0, 120, size):
        stop = min(120, start + size)
        due = np.maximum(0, np.arange(start, stop) - 4)
        before = max(0, start - 5)
        block = late.interleaved(given_rows[start:stop], learned[before : due[-1]], due - before)
        found += as_columns(late, block) if late.rounds else [{}] * len(block)
    plain = make()
    for t, x in enumerate(rows):
        one = plain.score_one(x)
        expected.append(one if isinstance(one, dict) else {})
        if t >= 5:
            plain.learn_one(rows[t - 5], labels[t - 5])
    assert state_of(late) == state_of(plain)
    for one, block in zip(expected, found, strict=True):
        assert all(block[label] == score for label, score in one.items())


def test_a_name_that_is_dropped_before_the_third_label():
    rng = np.random.default_rng(0)
    rows = [{f"w{i}": 1.0 for i in rng.integers(9000, size=20)} for _ in range(400)]
    labels = [CLASSES[int(rng.integers(2 if t < 200 else 3))] for t in range(400)]
    one_by_one, at_once = Braid(budget=20), Braid(budget=20).partial_fit(rows, labels)
    for x, y in zip(rows, labels, strict=True):
        one_by_one.learn_one(x, y)
    assert state_of(one_by_one) == state_of(at_once)
    names = {name for x in rows for name in x}
    assert len(at_once.engine.space) < len(names) <= at_once.features_seen


@pytest.mark.parametrize(
    "change",
    [
        lambda told, arrays: told.pop("widened"),
        lambda told, arrays: told.update(widened=False),
        lambda told, arrays: told.update(labels=told["labels"][:2]),
        lambda told, arrays: told.update(inside=told["inside"] * 2),
        lambda told, arrays: told["inside"][0].update(known=[0, 1]),
        lambda told, arrays: told["inside"][0].update(capacity=16),
        lambda told, arrays: np.put(arrays["inside.0.inside.0.state.since"], 1, -2),
        lambda told, arrays: np.put(arrays["inside.0.inside.0.state.row.cell"], 0, 2**30),
        lambda told, arrays: arrays.pop("inside.0.state.rounds"),
    ],
)
def test_files_that_contradict_themselves_are_refused(change, tmp_path):
    rows, labels = separate(many_classes(seed=5, rounds=60))
    Braid().partial_fit(rows, labels, classes=list("abcd")).save(tmp_path / "m")
    texts, told, arrays = contents(tmp_path / "m")
    change(told, arrays)
    forge(tmp_path / "m", texts, told, arrays)
    with pytest.raises(ModelFileError):
        load(tmp_path / "m")


# ----------------------------------------------------------------------------- what is refused


def test_without_leave_a_third_label_is_refused():
    model = OLSF().partial_fit([{"a": 1.0}, {"b": 1.0}], ["x", "y"])
    with pytest.raises(InputError, match=r"third label, 'z', after 'x' and 'y'.*allow_any_labels"):
        model.learn_one({"a": 1.0}, "z")
    model.allow_any_labels().learn_one({"a": 1.0}, "z")
    assert model.classes_.tolist() == ["x", "y", "z"]
    assert OneVsRest(OLSF()).allow_any_labels().many_classes
    with pytest.raises(InputError, match="can not be merged: it has more than two labels"):
        model.merge(model)


def test_bad_input_changes_nothing():
    for first in (["x", "y"], ["x", "y", "z"]):
        model = Braid().partial_fit([{"a": 1.0}] * len(first), first)
        before = state_of(model)
        for rows, labels in (
            ([{"a": 1.0}, {"a": 2.0}], ["w", None]),
            ([{"a": 1.0}, {"a": float("inf")}], ["w", "x"]),
            ([{"a": 1.0}, {"a": 2.0}], ["w", 0.5]),
        ):
            with pytest.raises(InputError):
                model.partial_fit(rows, labels)
            assert state_of(model) == before
    with pytest.raises(InputError, match="Unknown label type: continuous"):
        Braid().fit([{"a": 1.0}] * 3, [0.1, 0.2, 0.3])
    assert Braid().fit([{"a": 1.0}] * 2, [0.1, 0.2]).classes_.tolist() == [0.1, 0.2]


# ------------------------------------------------------------------------- what it tells


def test_what_a_braid_tells_of_each_label():
    rows, labels = separate(many_classes(seed=3, rounds=300))
    model = Braid().fit(rows, labels)
    classes = model.classes_.tolist()
    assert classes == list("abcd")
    assert model.weights_by_class
    assert (
        set(model.weights()) == set(model.experts()) == set(model.explain(rows[0])) == set("abcd")
    )
    assert sum(e["share"] for e in model.experts()["c"].values()) == pytest.approx(1.0)
    chances = model.predict_proba(rows)
    np.testing.assert_allclose(chances.sum(axis=1), 1.0)
    assert model.predict(rows).tolist() == [classes[i] for i in chances.argmax(axis=1)]
    one = model.predict_proba_one(rows[7])
    assert one == pytest.approx(dict(zip(classes, chances[7], strict=True)))
    assert model.score_one(rows[7]) == dict(
        zip(classes, model.decision_function(rows[7:8])[0], strict=True)
    )
    alone = {name: value for name, value in rows[7].items() if name == next(iter(rows[7]))}
    for label, pushes in model.explain(alone).items():
        assert list(pushes) == list(alone), label
    model.set_params(label_memory=False)
    with pytest.raises(InputError, match="budget"):
        model.set_params(budget=3)
    assert model.predict_one(rows[0]) in classes


def test_two_labels_have_one_score_whatever_tells_them_apart():
    rows, labels = separate(many_classes(seed=3, rounds=200, classes="ab"))
    for model in (Braid(), OneVsRest(Braid()), OneVsRest(OLSF()), Scaled(OneVsRest(OCO()))):
        before = model.prequential(rows, labels)
        scores = model.decision_function(rows)
        assert before.shape == scores.shape == (200,)
        assert model.predict(rows).tolist() == ["ab"[int(score > 0)] for score in scores]
        assert model.score_one(rows[3]) == scores[3]
        assert model.predict_one(rows[3]) == "ab"[int(scores[3] > 0)]
        if hasattr(model, "predict_proba"):
            second = model.predict_proba(rows)[:, 1]  # where both are nearly 1, the half is rounded
            assert (second[scores > 0] >= 0.5).all()
            assert (second[scores <= 0] <= 0.5).all()
        assert model.prequential(rows[:5], labels[:5], by_class=True).shape == (5, 2)


# ------------------------------------------------------------------------- real data


def shuffled(name):
    X, y = getattr(datasets, f"load_{name}")(return_X_y=True)
    order = np.random.default_rng(0).permutation(y.size)
    return X[order], y[order]


@pytest.mark.parametrize(
    ("name", "prequential", "validated"),
    [("iris", 0.87, 0.9), ("wine", 0.94, 0.93), ("digits", 0.91, 0.93)],
)
def test_accuracy_without_being_told(name, prequential, validated):
    X, y = shuffled(name)
    model, other = Braid(), OneVsRest(Braid())
    right = [
        np.mean(m.classes_[scores.argmax(axis=1)] == y)
        for m, scores in ((m, m.prequential(X, y)) for m in (model, other))
    ]
    assert right[0] >= prequential
    assert right[0] == pytest.approx(right[1], abs=0.01)  # the second label began later there
    assert model.fit(X, y).score(X, y) > validated
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1.0)
    assert cross_val_score(Braid(), X, y, cv=3).mean() > validated


def test_few_labels_of_many_classes():
    X, y = shuffled("digits")
    some = [int(label) if t % 4 == 0 else None for t, label in enumerate(y)]
    model = PseudoLabel(Braid(), confidence=2.0).fit(X, some)
    assert model.pseudo_labelled > 500
    assert model.score(X, y) > 0.93

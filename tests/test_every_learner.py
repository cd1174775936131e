"""What holds for every learner: a line in the registry is all that a new one needs."""

from __future__ import annotations

import copy
import math
import pickle

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from braided import InputError
from braided.learner.state import arrays
from tests.support.every_learner import BUDGETED, EVERY, LIMITED, few, halves, new
from tests.support.learned import state_of
from tests.support.streams_of_rows import any_values, long_stream, streams


@EVERY
@few
@given(stream=streams(any_values), cuts=st.lists(st.integers(1, 7), min_size=1, max_size=40))
def test_one_by_one_equals_in_blocks_bit_for_bit(name, stream, cuts):
    rows, labels = halves(stream)
    one_by_one, at_once, in_blocks = new(name), new(name), new(name)
    for x, y in stream:
        one_by_one.predict_one(x)
        one_by_one.learn_one(x, y)
    at_once.partial_fit(rows, labels)
    start = 0
    for size in [*cuts, len(rows)]:
        if rows[start : start + size]:
            in_blocks.prequential(rows[start : start + size], labels[start : start + size])
        start += size
    assert state_of(one_by_one) == state_of(at_once) == state_of(in_blocks)


pytestmark = pytest.mark.usefixtures("names_dropped_soon")


@EVERY
def test_one_by_one_equals_in_blocks_on_a_long_stream(name):
    stream = long_stream(seed=5)
    rows, labels = halves(stream)
    one_by_one, at_once = new(name), new(name)
    scores = []
    for x, y in stream:
        scores.append(one_by_one.score_one(x))
        one_by_one.learn_one(x, y)
    # Before both labels are known no side is positive; these scores are 0 or of one sign.
    assert at_once.prequential(rows, labels).tolist() == scores
    assert state_of(one_by_one) == state_of(at_once)


@EVERY
def test_dicts_csr_arrays_and_frames_are_the_same(name):
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    dense = rng.normal(size=(80, 6)).round(2)
    dense[rng.random(dense.shape) < 0.3] = np.nan
    dense[3, 2] = 0.0
    labels = np.where(rng.random(80) < 0.5, 1, -1)
    row, column = np.nonzero(~np.isnan(dense))
    csr = sp.csr_matrix((dense[row, column], (row, column)), shape=dense.shape)
    dicts = [{j: v for j, v in enumerate(values) if v == v} for values in dense.tolist()]
    with_none = [{j: v if v == v else None for j, v in enumerate(x)} for x in dense.tolist()]
    frame = pd.DataFrame(dense, columns=range(6))
    models = [new(name).partial_fit(X, labels) for X in (dense, csr, dicts, with_none, frame)]
    assert all(state_of(model) == state_of(models[0]) for model in models)


@EVERY
@few
@given(stream=streams(any_values))
def test_renaming_changes_nothing_but_names(name, stream):
    rows, labels = halves(stream)
    renamed = [{("other", n): v for n, v in x.items()} for x in rows]
    first, second = new(name).partial_fit(rows, labels), new(name).partial_fit(renamed, labels)
    assert {("other", n): w for n, w in first.weights().items()} == second.weights()
    assert first.decision_function(rows).tolist() == second.decision_function(renamed).tolist()


@EVERY
def test_reordering_a_row_changes_nothing_beyond_rounding(name):
    rows, labels = halves(long_stream(seed=2))
    rng = np.random.default_rng(0)
    # The first row is left alone: it settles which of its features was seen first.
    shuffled = [
        dict(rng.permutation(list(x.items())).tolist()) if t else x for t, x in enumerate(rows)
    ]
    shuffled = [{n: float(v) for n, v in x.items()} for x in shuffled]
    model = new(name)
    if getattr(model, "selection", None) == "random" or getattr(model, "exploration", 0) > 0:
        pytest.skip("what is drawn depends on the order in which features were first seen")
    if name in LIMITED:
        pytest.skip("which of a row's new names find room depends on their order")
    first, second = new(name).prequential(rows, labels), new(name).prequential(shuffled, labels)
    np.testing.assert_allclose(first, second, rtol=1e-6, atol=1e-9)


@EVERY
def test_resuming_from_a_copy_equals_going_on(name):
    rows, labels = halves(long_stream(seed=3))
    model = new(name).partial_fit(rows[:200], labels[:200])
    resumed = [copy.deepcopy(model), pickle.loads(pickle.dumps(model))]
    for each in [model, *resumed]:
        each.partial_fit(rows[200:], labels[200:])
    assert state_of(model) == state_of(resumed[0]) == state_of(resumed[1])


@EVERY
def test_the_same_seed_gives_the_same_result(name):
    rows, labels = halves(long_stream(seed=4))
    first, second = new(name).partial_fit(rows, labels), new(name).partial_fit(rows, labels)
    assert state_of(first) == state_of(second)
    assert state_of(clone(first).fit(rows, labels)) == state_of(first)


@BUDGETED
@pytest.mark.parametrize("budget", [1, 2, 5, 0.1, 0.5])
@few
@given(stream=streams(any_values))
def test_the_budget_is_never_exceeded(name, budget, stream):
    model = new(name, budget=budget)
    for x, y in stream:
        model.learn_one(x, y)
        share = max(1, math.floor(budget * max(1, model.features_seen)))
        assert model.features_kept <= (budget if isinstance(budget, int) else share)


@EVERY
@pytest.mark.parametrize("bad", [math.inf, -math.inf, 1e101, "text", [1.0], 1 + 2j, 10**400])
def test_bad_values_are_refused_and_change_nothing(name, bad):
    rows, labels = halves(long_stream(seed=6, rounds=50))
    model = new(name).partial_fit(rows, labels)
    before = state_of(model)
    bad_row = {"f0": 1.0, "never seen": 2.0, "f1": bad}
    with pytest.raises(InputError, match=r"row 0, feature 'f1'"):
        model.learn_one(bad_row, 1)
    with pytest.raises(InputError, match=r"row 0, feature 'f1'"):
        model.predict_one(bad_row)
    with pytest.raises(InputError, match=r"row 2, feature 'f1'"):
        model.partial_fit([{"f0": 1.0}, {"new": 1.0}, bad_row], [1, -1, 1])
    with pytest.raises(InputError, match=r"row 1, feature 'f1'"):
        new(name).partial_fit([{"f0": 1.0}, bad_row], [1, -1])
    assert state_of(model) == before


@EVERY
def test_unobserved_is_left_out_everywhere(name):
    rows, labels = halves(long_stream(seed=6, rounds=50))
    plain, padded = new(name), new(name)
    for x, y in zip(rows, labels, strict=True):
        x_padded = {**x, "never": math.nan, "nothing": None}
        plain.learn_one(x, y)
        assert padded.score_one(x_padded) == padded.score_one(x)
        padded.learn_one(x_padded, y)
    assert state_of(plain) == state_of(padded)
    assert "never" not in padded.engine.space


@EVERY
def test_extreme_but_finite_values_never_poison(name):
    rng = np.random.default_rng(0)
    model = new(name)
    for t in range(300):
        magnitude = 10.0 ** rng.integers(-320, 100, size=4).clip(-300, 99)
        x = {f"f{rng.integers(9)}": float(m * rng.choice([-1, 1])) for m in magnitude}
        model.learn_one(x, bool(t % 2))
        assert all(np.isfinite(a).all() for a in arrays(model.engine.state) if a.dtype.kind == "f")
        assert math.isfinite(model.score_one({"f1": 1.0, "f2": -3.0}))


@EVERY
@pytest.mark.parametrize("weight", [1e-300, 5.0, 1e9])
def test_extreme_sample_weights_never_poison(name, weight):
    model = new(name)
    X = [{"a": 1.0}, {"a": 1.0, "b": 1e-30}, {"b": 1e-139}, {"a": 1e100, "b": 1.0}, {"c": -3.0}]
    for _ in range(100):
        model.partial_fit(X, [0, 1, 0, 1, 1], sample_weight=[weight] * 5)
        assert all(np.isfinite(a).all() for a in arrays(model.engine.state) if a.dtype.kind == "f")
        assert np.isfinite(model.decision_function(X)).all()


@EVERY
def test_x_is_never_changed_and_empty_rows_are_rows(name):
    model = new(name)
    x = {"a": 1.0, "b": None}
    model.learn_one(x, 1)
    model.predict_one(x)
    model.learn_one({}, -1)
    model.partial_fit([{}, {}], [1, -1])
    assert x == {"a": 1.0, "b": None}
    assert model.rounds == 4
    assert model.score_one({}) == pytest.approx(model.decision_function([{}])[0])


@EVERY
@pytest.mark.parametrize(
    ("negative", "positive"), [(-1, 1), (0, 1), (False, True), ("mail", "spam"), (1, 2)]
)
def test_any_two_labels(name, negative, positive):
    rows, labels = halves(long_stream(seed=8))
    renamed = [positive if y > 0 else negative for y in labels]
    usual, other = new(name).partial_fit(rows, labels), new(name).partial_fit(rows, renamed)
    assert other.classes_.tolist() == [negative, positive]
    assert set(other.predict(rows).tolist()) <= {negative, positive}
    assert other.weights() == pytest.approx(usual.weights(), rel=1e-9)
    np.testing.assert_allclose(
        other.decision_function(rows), usual.decision_function(rows), rtol=1e-9, atol=1e-12
    )
    predicted = [other.predict_one(x) for x in rows]
    assert predicted == other.predict(rows).tolist()


@EVERY
def test_a_third_label_is_refused(name):
    model = new(name).partial_fit([{"a": 1.0}, {"b": 1.0}], ["x", "y"])
    before = state_of(model)
    with pytest.raises(InputError, match="third label"):
        model.learn_one({"c": 1.0}, "z")
    with pytest.raises(InputError, match="row 1: a third label"):
        model.partial_fit([{"c": 1.0}, {"d": 1.0}], ["x", "z"])
    with pytest.raises(InputError, match="row 1: the label is missing"):
        model.partial_fit([{"c": 1.0}, {"d": 1.0}], ["x", None])
    assert state_of(model) == before


@EVERY
def test_before_anything_was_learned(name):
    model = new(name)
    assert model.predict_one({"a": 1.0}) is None
    assert model.score_one({"a": 1.0}) == 0.0
    assert (model.weights(), model.rounds, model.features_seen, model.memory_bytes) == ({}, 0, 0, 0)
    for question in (model.predict, model.decision_function):
        with pytest.raises(NotFittedError):
            question([{"a": 1.0}])


@EVERY
def test_memory_is_reported_honestly(name):
    import gc
    import tracemalloc

    # Where pairs of features are kept, 20,000 features are a matter of gigabytes.
    rounds = 100 if new(name).keeps_pairs else 2000
    # A model of few features is smaller than what Numba remembers of a call.
    enough = {"budget": 300} if isinstance(LIMITED.get(name, {}).get("budget"), int) else {}
    rows = [{f"a name of some length {t} {i}": 1.0 for i in range(10)} for t in range(rounds)]
    labels = [t % 2 for t in range(rounds)]
    new(name, **enough).partial_fit(rows[:10], labels[:10])
    gc.collect()
    tracemalloc.start()
    model = new(name, **enough).partial_fit(rows, labels)
    for array in (rows,):
        array.clear()
    gc.collect()
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # The names belonged to the rows before, so they are not in what was traced.
    names = sum(map(len, model.engine.space.names)) + 49 * len(model.engine.space)
    assert model.memory_bytes == pytest.approx(held + names, rel=0.2)

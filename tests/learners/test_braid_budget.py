"""Braid within a budget: who is held, who is forgotten, and what is left of it in memory."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

import braided
from braided import Braid, InputError, OneVsRest, as_rows, load
from braided.learner.state import arrays
from tests.support.braid_recipe import BOTH_LABELS, as_rows_of, compare
from tests.support.eager_braid import EagerBraid
from tests.support.every_learner import few
from tests.support.learned import state_of
from tests.support.streams_of_rows import any_values, in_order, long_stream, streams, tying_values


@given(
    streams(st.one_of(any_values, tying_values), max_rows=90),
    st.sampled_from([1, 2, 3, 6, 0.3, 1.0]),
    st.integers(0, 3),
)
def test_equals_the_plain_recipe_within_a_budget(stream, budget, seed):
    compare([*BOTH_LABELS, *stream], seed, EagerBraid, budget=budget)


@pytest.mark.parametrize("budget", [1, 2, 3, 10, 0.1])
@pytest.mark.parametrize("density", [0.05, 0.5])
def test_equals_the_plain_recipe_where_there_are_more_names_than_room(budget, density):
    stream = long_stream(seed=7, density=density, rounds=500, features=120)
    returning = [({n: v for n, v in x.items() if n != "f0"}, y) for x, y in stream]
    compare([*BOTH_LABELS, *returning, *stream[:100]], 1, EagerBraid, budget=budget)


def passing_by(rounds: int, seed: int = 0):
    """Rows of five names that nobody has seen before, and five of twenty that return."""
    rng = np.random.default_rng(seed)
    rows, labels = [], rng.choice([-1, 1], rounds).tolist()
    for t, label in enumerate(labels):
        x = {f"passes {5 * t + i}": 1.0 for i in range(5)}
        for j in rng.choice(20, 5, replace=False).tolist():
            x[f"returns {j}"] = float(rng.normal() + 2 * label * (j < 5))
        rows.append(x)
    return rows, labels


class SmallEager(EagerBraid):
    """A Braid whose trees are full after a few rows."""

    largest_forest = Braid.largest_forest._replace(nodes=9, slots=5)


@few
@given(streams(any_values, max_rows=60), st.sampled_from([1, 2, 5, 0.3]))
def test_equals_the_plain_recipe_with_forest_and_pairs(stream, budget):
    compare([*BOTH_LABELS, *stream], 0, SmallEager, budget=budget, experts="all")


@pytest.mark.parametrize("budget", [3, 10, 0.1])
def test_to_forest_and_pairs_a_dropped_feature_is_absent(budget):
    """Numbers of dropped features are given to others, which trees must not take for them."""
    stream = long_stream(seed=2, rounds=500, features=60, density=0.3)
    compare([*BOTH_LABELS, *stream], 1, EagerBraid, budget=budget, experts="all")


def test_forest_and_pairs_within_a_budget_are_saved_and_do_not_depend_on_blocks(tmp_path):
    rows, labels = as_rows_of(long_stream(seed=2, rounds=500, features=60))
    models = [EagerBraid(budget=6, experts="all") for _ in range(2)]
    models[0].partial_fit(rows[:300], labels[:300])
    for x, y in zip(rows[:300], labels[:300].tolist(), strict=True):
        models[1].predict_one(rows[0])
        models[1].learn_one(x, y)
    assert state_of(models[0]) == state_of(models[1])
    assert models[0].engine.is_sound
    model = Braid(budget=6, experts="all").partial_fit(rows[:300], labels[:300])
    model.save(tmp_path / "m")
    loaded = load(tmp_path / "m")
    later = rows[300:], labels[300:]
    assert loaded.prequential(*later).tolist() == model.prequential(*later).tolist()
    assert {"forest", "pairs"} <= {*model.experts()}


def test_a_budget_for_all_features_changes_nothing():
    rows, labels = as_rows_of(long_stream(seed=4))
    scores = Braid().prequential(rows, labels).tolist()
    assert Braid(budget=60).prequential(rows, labels).tolist() == scores
    assert Braid(budget=1.0).prequential(rows, labels).tolist() == scores


def test_holds_the_features_that_predict_the_label():
    rows, labels = passing_by(2000)
    model = EagerBraid(budget=5)
    errors = np.sign(model.prequential(rows, labels)) != labels
    assert set(model.weights()) == {f"returns {j}" for j in range(5)}
    assert errors[1000:].mean() < 0.2
    assert model.features_kept == 5
    pushes = model.explain(rows[0] | {"unheard of": 1.0})
    assert set(pushes) == {name for name in rows[0] if name in model.weights()}


def test_memory_is_flat_while_names_pass_by():
    rows, labels = passing_by(12_000)
    model, sizes = Braid(budget=50), []
    for start in range(0, len(rows), 500):
        turn = slice(start, start + 500)
        model.partial_fit(rows[turn], labels[turn])
        sizes.append(model.memory_bytes)
        assert len(model.engine.space) <= 1024
        assert model.features_kept <= 50
    assert max(sizes[12:]) < 1.1 * max(sizes[:12])  # names come and go between these
    assert model.features_seen >= 60_000
    assert model.features_seen == model.engine.state.forgotten[0] + len(model.engine.space)


@pytest.mark.parametrize("rounds", [400, 3000])
def test_blocks_and_sources_do_not_matter_when_names_are_forgotten(rounds):
    rows, labels = passing_by(rounds)
    numbers = {
        name: number for number, name in enumerate(dict.fromkeys(n for x in rows for n in x))
    }
    rows = [in_order({numbers[name]: value for name, value in x.items()}) for x in rows]
    entries = [(t, c, v) for t, x in enumerate(rows) for c, v in x.items()]
    t, c, v = map(np.array, zip(*entries, strict=True))
    csr = sp.csr_matrix((v, (t.astype(int), c.astype(int))), (rounds, len(numbers)))
    one_by_one, *others = (Braid(budget=4) for _ in range(5))
    for x, y in zip(rows, labels, strict=True):
        one_by_one.predict_one(x)
        one_by_one.learn_one(x, y)
    others[0].partial_fit(rows, labels)
    for start in range(0, rounds, 170):
        turn = slice(start, start + 170)
        others[1].predict(rows[turn]) if start else None
        others[1].partial_fit(rows[turn], labels[turn])
    # The same entries of a row in the same order, or sums would differ.
    csr.indices, csr.data = c.astype(np.int32), v
    csr.has_sorted_indices = False
    others[2].partial_fit(braided.as_rows(csr), labels)
    others[3].partial_fit(csr, labels, feature_names=range(len(numbers)))
    assert one_by_one.features_seen > len(one_by_one.engine.space)
    assert all(state_of(each) == state_of(one_by_one) for each in others)


def test_a_name_that_returns_after_it_was_forgotten_is_new():
    model = EagerBraid(budget=1)
    model.learn_one({"first": 1.0}, 1)
    model.learn_one({"second": 2.0}, -1)
    assert "second" in model.engine.space
    for t in range(200):
        model.learn_one({f"other {t}": 1.0}, 1 if t % 2 else -1)
    assert "second" not in model.engine.space
    before = model.score_one({"first": 1.0})
    assert model.score_one({"first": 1.0, "second": 2.0}) == before
    seen = model.features_seen
    model.learn_one({"second": 2.0}, -1)
    assert model.features_seen == seen + 1


def test_buffers_of_single_rows_look_columns_up_again_when_names_were_forgotten():
    rows, labels = passing_by(300)
    model, other = EagerBraid(budget=3), EagerBraid(budget=3)
    asked = {"returns 0": 1.0, "returns 3": -1.0, "returns 4": 0.5}
    for x, y in zip(rows, labels, strict=True):
        model.score_one(asked)  # its buffers keep the columns of these names
        model.learn_one(x, y)
        other.partial_fit([x], [y])
        assert model.score_one(asked) == other.decision_function([asked])[0]


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("budget", [3, 0.5])
def test_coin_flips_can_not_be_predicted(seed, budget):
    rng = np.random.default_rng(seed)
    X = np.exp(rng.normal(size=(20_000, 12)))
    X[rng.random(X.shape) < 0.4] = np.nan
    y = rng.choice([-1, 1], size=20_000)
    errors = Braid(budget=budget).prequential(X, y) * y <= 0
    assert 0.49 < errors.mean() < 0.51


def test_another_budget_takes_effect_at_once():
    rows, labels = as_rows_of(long_stream(seed=4))
    model = EagerBraid(budget=20).partial_fit(rows[:200], labels[:200])
    best = list(model.engine.state.places.heap.key[model.engine.state.places.heap.order[:20]])
    model.set_params(budget=7)
    heap = model.engine.state.places.heap
    assert heap.size[0] == 7
    assert model.features_kept <= 7
    assert sorted(heap.key[heap.order[:7]]) == sorted(best)[-7:]
    assert model.engine.is_sound
    for budget in (30, 0.2, 2):
        model.set_params(budget=budget)
        model.partial_fit(rows[200:], labels[200:])
        assert model.engine.is_sound
    assert model.features_kept <= 2


def test_whether_there_is_a_budget_is_settled_at_the_beginning():
    rows, labels = as_rows_of(long_stream(seed=4, rounds=50))
    limited, unlimited = Braid(budget=3), Braid()
    for model, other in ((limited, None), (unlimited, 3)):
        model.partial_fit(rows, labels)
        with pytest.raises(InputError, match="can not be added or removed"):
            model.set_params(budget=other)
        model.partial_fit(rows, labels)
        assert model.budget != other
        model.budget = other
        assert model.fit(rows, labels).rounds == 50
    assert limited.features_kept > 3 >= unlimited.features_kept


@pytest.mark.parametrize("budget", [0, -1, 1.5, 0.0, "many", True])
def test_refuses_bad_budgets(budget):
    with pytest.raises(InputError, match="budget"):
        Braid(budget=budget).learn_one({"a": 1}, 1)


def test_learners_inside_a_learner_forget_no_names():
    rows, labels = passing_by(300)
    alone, inside = EagerBraid(budget=3), OneVsRest(EagerBraid(budget=3))
    alone.partial_fit(rows, labels)
    inside.partial_fit(rows, labels)
    assert len(alone.engine.space) < 60 < 1500 < len(inside.engine.space) == inside.features_seen
    scores = alone.decision_function(rows[-50:])
    found = inside.interleaved(rows[-50:], as_rows([], []), np.zeros(50, int), by_class=True)
    np.testing.assert_allclose(found[:, 1], scores, rtol=1e-9)


@pytest.mark.parametrize("size", [3e-162, 1e-161, 1e99])
def test_values_whose_squares_underflow_or_are_huge_leave_finite_states(size):
    rng = np.random.default_rng(0)
    model = Braid(budget=1)
    for y in rng.choice([-1, 1], 200).tolist():
        model.learn_one({"a": size * rng.integers(3), "b": -size * rng.integers(2)}, y)
        assert all(np.isfinite(a).all() for a in arrays(model.engine.state) if a.dtype.kind == "f")


def test_a_budgeted_state_stays_sound():
    rows, labels = passing_by(400)
    model = EagerBraid(budget=3)
    for x, y in zip(rows, labels, strict=True):
        model.learn_one(x, y)
        assert model.engine.is_sound
    assert all(np.isfinite(a).all() for a in arrays(model.engine.state) if a.dtype.kind == "f")

"""Braid with forest and pairs: the mixture of all against its plain transcription."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from braided import Braid, InputError, ModelFileError, load
from braided.learners.braid.interactions import (
    AWAKE,
    ENTRY,
    TRIAL,
    InteractionParameters,
    Interactions,
    NoInteractions,
)
from braided.registry import EXPERTS
from tests.support.braid_recipe import BOTH_LABELS, as_rows_of, compare, plain_of
from tests.support.every_learner import few
from tests.support.forge import contents, forge
from tests.support.learned import state_of
from tests.support.streams_of_rows import any_values, in_order, long_stream, streams


class Small(Braid):
    """A Braid whose trees are full after a few rows."""

    largest_forest = Braid.largest_forest._replace(nodes=9, slots=5)


def products(rounds, seed=0, features=6, noise=0.0):
    """Rows whose label is the sign of a product, as far as it is not noise."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rounds, features))
    y = np.where((X[:, 0] * X[:, 1] > 0) ^ (rng.random(rounds) < noise), 1, -1)
    return [
        (in_order({f"f{j}": v for j, v in enumerate(row)}), label)
        for row, label in zip(X.tolist(), y.tolist(), strict=True)
    ]


@few
@given(streams(any_values, max_rows=40))
def test_equals_the_plain_recipe_from_the_first_row_on(stream):
    compare([*BOTH_LABELS, *stream], learner=Small, experts="all")


def test_equals_the_plain_recipe_when_forest_and_pairs_count():
    compare([*BOTH_LABELS, *products(300)], experts="all")


@pytest.mark.parametrize("experts", ["all", ["forest", "AROW"], ["pairs", "Bayes"]])
def test_experts_are_those_of_the_list(experts):
    model = Braid(experts=experts).partial_fit(*as_rows_of(products(400)))
    told = model.experts()
    listed = {*told} - {"stack", "second stack", "forest margin"}
    assert listed == ({*EXPERTS.names()} if experts == "all" else {*experts})
    assert sum(member["share"] for member in told.values()) == pytest.approx(1.0)


def words(rounds, vocabulary=300):
    """Rows of few out of many words, whose weights add up to the label."""
    rng = np.random.default_rng(0)
    hidden = rng.normal(size=vocabulary)
    stream = []
    for _ in range(rounds):
        chosen = np.sort(rng.choice(vocabulary, size=6, replace=False))
        label = 1 if hidden[chosen].sum() + 0.1 * rng.normal() > 0 else -1
        stream.append(({f"w{j:03}": 1.0 for j in chosen}, label))
    return stream


def test_equals_the_plain_recipe_where_forest_and_pairs_rest():
    """Where rows are sparse and labels additive; then they learn one row in eight."""
    model, resting = Braid(experts="all"), 0
    plain = plain_of(model)
    for x, y in words(TRIAL + 200):
        before = model.score_one(x)
        assert before == pytest.approx(plain.learn(x, y), rel=1e-8, abs=1e-8)
        model.learn_one(x, y)
        resting += not model.engine.state.interactions.worth[AWAKE]
    assert resting > 100


def test_forest_and_pairs_wake_up_when_they_are_needed():
    model = Braid(experts="all").partial_fit(*as_rows_of(words(TRIAL + 500)))
    assert not model.engine.state.interactions.worth[AWAKE]
    rows, labels = as_rows_of(products(8000, seed=1, features=4))
    right = model.prequential(rows, labels) * labels > 0
    assert right[:500].mean() < 0.6 < 0.9 < right[-1000:].mean()


def test_sample_weights_are_those_of_the_recipe():
    plain, fast = plain_of(Braid(experts="all")), Braid(experts="all")
    for t, (x, y) in enumerate([*BOTH_LABELS, *products(300)]):
        weight = (0.3, 1.0, 4.0)[t % 3]
        before = fast.score_one(x)
        assert before == pytest.approx(plain.learn(x, y, weight), rel=1e-8, abs=1e-8)
        fast.partial_fit([x], [y], sample_weight=[weight])


def test_before_its_entry_a_braid_is_as_without_forest_and_pairs():
    rows, labels = as_rows_of(long_stream(seed=3, rounds=ENTRY))
    without = Braid(experts="additive").prequential(rows, labels)
    assert Braid(experts="all").prequential(rows, labels).tolist() == without.tolist()


def test_forest_and_pairs_learn_what_additive_experts_can_not():
    rows, labels = as_rows_of(products(3000))
    errors = {
        experts: np.mean(
            Braid(experts=experts).prequential(rows, labels)[1000:] * labels[1000:] <= 0
        )
        for experts in ("all", "additive")
    }
    assert errors["all"] < 0.1 < 0.4 < errors["additive"]


def test_one_by_one_equals_in_blocks_over_a_long_stream():
    rows, labels = as_rows_of(products(TRIAL + 400, noise=0.4))
    at_once, one_by_one = Braid(experts="all"), Braid(experts="all")
    at_once.partial_fit(rows, labels)
    for x, y in zip(rows, labels.tolist(), strict=True):
        one_by_one.predict_one(rows[0])
        one_by_one.learn_one(x, y)
    assert state_of(at_once) == state_of(one_by_one)


def test_a_seed_makes_another_forest():
    rows, labels = as_rows_of(products(300))
    first, second, other = (
        Braid(seed=s, experts="all").partial_fit(rows, labels) for s in (1, 1, 2)
    )
    assert state_of(first) == state_of(second)
    assert first.predict_proba(rows).tolist() != other.predict_proba(rows).tolist()


def test_coin_flips_can_not_be_predicted_by_additive_experts_either():
    rng = np.random.default_rng(5)
    X, y = rng.normal(size=(10_000, 5)), rng.choice([-1, 1], size=10_000)
    assert 0.485 < np.mean(Braid(experts="additive").prequential(X, y) * y <= 0) < 0.515


def test_explains_interactions():
    rows, labels = as_rows_of(products(2000))
    model = Braid(experts="all").partial_fit(rows, labels)
    pushes = model.explain({"f0": 1.5, "f1": 1.5, "f4": 0.1})
    assert {*list(pushes)[:2]} == {"f0", "f1"}
    assert min(pushes["f0"], pushes["f1"]) > 1 > abs(pushes["f4"])


def test_arrays_grow_as_needed_and_without_forest_there_are_none(tmp_path):
    rows, labels = as_rows_of(products(1000))
    assert Braid(experts="all").partial_fit(rows[:100], labels[:100]).memory_bytes < 600_000
    model, additive = Braid(experts="all"), Braid(experts="additive")
    model.partial_fit(rows, labels)
    additive.partial_fit(rows, labels)
    assert model.memory_bytes < 3_000_000
    assert additive.memory_bytes < 30_000
    parts: Interactions = additive.engine.state.interactions
    assert parts.forest.node.size == parts.pairs.alone.size == parts.stack.weight.size == 0
    additive.save(tmp_path / "m")
    _texts, told, arrays = contents(tmp_path / "m")
    assert "experts" not in told["parameters"]  # as in files from before there was a choice
    assert not any("interactions" in name for name in arrays)


def test_resumes_from_a_file(tmp_path):
    rows, labels = as_rows_of(products(600))
    experts = ["forest", "pairs", "naive Bayes"]
    model = Braid(experts=experts).partial_fit(rows[:300], labels[:300])
    model.save(tmp_path / "m")
    loaded = load(tmp_path / "m")
    assert loaded.get_params() == {
        **model.get_params(),
        "experts": ("forest", "pairs", "naive Bayes"),
    }
    assert loaded.prequential(rows[300:], labels[300:]).tolist() == (
        model.prequential(rows[300:], labels[300:]).tolist()
    )


@pytest.mark.parametrize(
    "change",
    [
        lambda told, arrays: _of(arrays, "forest.node").__setitem__((0, 0, 1), 10**6),
        lambda told, arrays: _of(arrays, "forest.most").__setitem__(0, 10**6),
        lambda told, arrays: _of(arrays, "forest.used").__setitem__((0, 0), 10**6),
        lambda told, arrays: arrays.pop("state.interactions.forest.node"),
        lambda told, arrays: arrays.pop("state.interactions.worth"),
        lambda told, arrays: told["parameters"].pop("experts"),
        lambda told, arrays: told["parameters"].update(experts="additive"),
        lambda told, arrays: told["parameters"].update(experts=["pairs"]),
        lambda told, arrays: told["parameters"].update(experts=["nobody"]),
    ],
)
def test_forged_files_are_refused(change, tmp_path):
    rows, labels = as_rows_of(products(100))
    Braid(experts="all").partial_fit(rows, labels).save(tmp_path / "m")
    texts, told, arrays = contents(tmp_path / "m")
    change(told, arrays)
    forge(tmp_path / "m", texts, told, arrays)
    with pytest.raises(ModelFileError):
        load(tmp_path / "m")


def _of(arrays, name):
    return arrays[f"state.interactions.{name}"]


@pytest.mark.parametrize("experts", ["some", [], ["forest", "forest"], ["nobody"], 3, None])
def test_refuses_unknown_experts(experts):
    with pytest.raises(InputError, match="experts="):
        Braid(experts=experts).learn_one({"a": 1}, 1)


def test_experts_can_not_change_once_something_is_learned():
    model = Braid()
    model.learn_one({"a": 1}, 1)
    with pytest.raises(InputError, match="begin anew"):
        model.set_params(experts="all")
    assert model.get_params()["experts"] == "additive"
    assert repr(Braid(experts=["pairs"])) == "Braid(experts=['pairs'])"


def test_forests_are_not_merged():
    rows, labels = as_rows_of(products(50))
    models = [Braid(experts="all").partial_fit(rows, labels) for _ in range(2)]
    with pytest.raises(InputError, match="forests have no mean"):
        models[0].merge(models[1])


def test_only_who_uses_forest_or_pairs_compiles_them():
    for experts, used in [(None, False), ("all", True), (["pairs"], True)]:
        parameters = Braid(experts=experts) if experts else Braid()
        kind = type(parameters.kernel_parameters().interactions)
        assert kind is (InteractionParameters if used else NoInteractions)

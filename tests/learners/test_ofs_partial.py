"""OFS_P and its rivals against the paper's algorithm written plainly, and their live use."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from braided import InputError, OFSPartial, datasets
from braided.kernels.random_subset import chosen
from braided.kernels.rng import as_uniform, new_rng, word_at
from braided.learner.state import arrays
from braided.learners.ofs.partial_kernels import EXPLORE, KEEP, KNOWN, NEW, WORDS
from tests import naive
from tests.support.ofs_recipe import budgets, compare
from tests.support.streams_of_rows import any_values, long_stream, streams, tying_values

forms = st.fixed_dictionaries(
    {
        "step": st.sampled_from([0.2, 1.0]),
        "radius": st.sampled_from([0.7, 10.0, math.inf]),
        "exploration": st.sampled_from([0.0, 0.2, 0.7, 1.0]),
        "update": st.sampled_from(["gradient", "perceptron"]),
        "selection": st.sampled_from(["largest", "random"]),
        "budget": budgets,
    }
)


def plain_twin(seed: int, **form):
    """The plain learner, with the draws of the fast one."""
    rng = new_rng(seed)
    purposes = {"known": KNOWN, "new": NEW, "kept": KEEP}

    def word(t, purpose):
        return np.uint64(word_at(rng, WORDS * t + purpose))

    def explores(t):
        return as_uniform(word(t, EXPLORE)) < form["exploration"]

    def choose(purpose, features, k):
        t = plain.rounds - (purpose == "kept")  # which is asked when the round is counted
        key = word(t, purposes[purpose])
        return {f for i, f in enumerate(features) if chosen(key, i, len(features), k)}

    plain = naive.ofs.OFSPartial(**form, explores=explores, choose=choose)
    return plain


def margin(form) -> float:
    return 1.0 if form["update"] == "gradient" else 0.0


@given(streams(tying_values), forms, st.integers(0, 99))
def test_is_the_papers_algorithm_with_ties(stream, form, seed):
    compare(stream, OFSPartial(**form, seed=seed), plain_twin(seed, **form), margin=margin(form))


@given(streams(any_values), forms, st.integers(0, 99))
def test_is_the_papers_algorithm(stream, form, seed):
    compare(stream, OFSPartial(**form, seed=seed), plain_twin(seed, **form), margin=margin(form))


@pytest.mark.parametrize("selection", ["largest", "random"])
@pytest.mark.parametrize("update", ["gradient", "perceptron"])
@pytest.mark.parametrize("exploration", [0.2, 1.0])
@pytest.mark.parametrize("budget", [1.0, 0.5, 0.1, 1, 5])
def test_is_the_papers_algorithm_on_a_long_stream(budget, exploration, update, selection):
    form = {"step": 0.2, "radius": 2.0, "exploration": exploration, "budget": budget}
    form |= {"update": update, "selection": selection}
    fast = OFSPartial(**form, seed=4)
    compare(long_stream(seed=7), fast, plain_twin(4, **form), margin=margin(form))


def live(model, stream):
    """Each row has only what is wanted of it."""
    scores = []
    for x, y in stream:
        names = model.wanted(x)
        bought = {name: x[name] for name in names}
        scores.append(model.score_one(bought))
        model.learn_one(bought, y)
    return scores


def contents(model):
    return [array.tobytes() for array in arrays(model.engine.state)] + [model.engine.space.names]


@given(streams(any_values), forms, st.integers(0, 99))
def test_live_equals_over_full_rows_bit_for_bit(stream, form, seed):
    bought, masked, at_once = (OFSPartial(**form, seed=seed) for _ in range(3))
    scores = live(bought, stream)
    for (x, y), score in zip(stream, scores, strict=True):
        assert masked.score_one(x) == score
        masked.learn_one(x, y)
    rows, labels = [x for x, _ in stream], [y for _, y in stream]
    assert at_once.partial_fit(rows, labels).weights() == bought.weights() == masked.weights()
    # The scratch of a row may differ: a row that was masked is longer.
    for model in (bought, masked, at_once):
        model.engine.state.weights.kept.row[:] = 0
    assert contents(bought) == contents(masked) == contents(at_once)


def test_live_equals_over_full_rows_on_a_long_stream():
    stream = long_stream(seed=9, rounds=2000)
    bought, masked = OFSPartial(budget=0.2, seed=1), OFSPartial(budget=0.2, seed=1)
    scores = live(bought, stream)
    assert masked.prequential([x for x, _ in stream], [y for _, y in stream]).tolist() == scores


@pytest.mark.parametrize("exploration", [0.0, 0.2, 0.6, 1.0])
@pytest.mark.parametrize("budget", [3, 0.3])
def test_wanted_keeps_to_the_budget_and_explores_at_its_rate(exploration, budget):
    model = OFSPartial(budget=budget, exploration=exploration, seed=2)
    rng = np.random.default_rng(0)
    names = [f"f{j}" for j in range(10)]
    explored, times = 0, np.zeros(10)
    for t in range(4000):
        wanted = model.wanted(names)
        assert len(wanted) <= 3
        assert set(wanted) <= set(names)
        if t > 100 and set(wanted) != set(model.weights()):
            explored += 1
            times += [name in wanted for name in names]
        x = dict(zip(names, rng.normal(size=10).tolist(), strict=True))
        y = x["f3"] + 0.5 * x["f7"] > 0
        model.learn_one({name: x[name] for name in wanted}, y)
    # One choice of 120 is the same as that of exploiting.
    assert explored / 3899 == pytest.approx(exploration * 119 / 120, abs=0.03)
    if exploration == 1.0:
        assert times / explored == pytest.approx(0.3, abs=0.04)


def test_wanted_stays_until_a_row_is_learned():
    model = OFSPartial(budget=2, exploration=1.0)
    first = model.wanted("abcdefgh")
    assert len(first) == 2
    assert all(model.wanted("abcdefgh") == first for _ in range(5))
    assert model.features_seen == 8
    assert model.predict_one({"a": 1.0}) is None
    assert model.wanted("abcdefghab") == first
    model.learn_one(dict.fromkeys(first, 1.0), "yes")
    assert any(_next(model) != first for _ in range(5))
    with pytest.raises(InputError, match="names"):
        model.wanted([["a"]])
    assert model.wanted([]) == []


def _next(model):
    model.learn_one({}, "yes")
    return model.wanted("abcdefgh")


def test_without_exploration_only_features_with_weights_are_wanted():
    model = OFSPartial(budget=2).partial_fit([{"a": 1.0, "b": 2.0, "c": 0.5}] * 9, [1, 0, 1] * 3)
    model.set_params(exploration=0.0)
    for _ in range(20):
        assert set(model.wanted("abc")) == set(model.weights())
        model.learn_one({"a": 1.0, "b": 1.0, "c": 1.0}, 1)


class Costly(Mapping):
    """A row whose values are bought: it counts who was read, and raises if it was not wanted."""

    def __init__(self, values, wanted):
        self.values_, self.wanted, self.read = values, set(wanted), set()

    def __getitem__(self, name):
        if name not in self.wanted:
            raise AssertionError(f"{name} was read, but not wanted")
        self.read.add(name)
        return self.values_[name]

    def __iter__(self):
        return iter(self.values_)

    def __len__(self):
        return len(self.values_)


@pytest.mark.parametrize("budget", [2, 5])
def test_only_the_budget_is_read_of_german(budget):
    costly, masked = OFSPartial(budget=budget, seed=3), OFSPartial(budget=budget, seed=3)
    most = 0
    for x, y in german():
        row = Costly(x, costly.wanted(x))
        assert costly.predict_one(row) == masked.predict_one(x)
        costly.learn_one(row, y)
        masked.learn_one(x, y)
        assert len(row.read) <= budget
        most = max(most, len(row.read))
    assert most == budget
    assert costly.weights() == masked.weights()


def german():
    data = datasets.load("german")
    for t, y in enumerate(data.y.tolist()):
        entries = slice(data.X.indptr[t], data.X.indptr[t + 1])
        columns, values = data.X.indices[entries].tolist(), data.X.values[entries].tolist()
        yield dict(zip(columns, values, strict=True)), y


@pytest.mark.parametrize(
    "wrong",
    [
        {"step": 0},
        {"radius": 0},
        {"exploration": -0.1},
        {"exploration": 1.1},
        {"exploration": 1e-12},
        {"budget": 0},
        {"update": "pa"},
        {"selection": "smallest"},
        {"seed": -1},
    ],
)
def test_refuses_bad_parameters(wrong):
    (name,) = wrong
    with pytest.raises(InputError, match=name):
        OFSPartial(**wrong).learn_one({"a": 1}, 1)

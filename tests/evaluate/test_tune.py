"""Choosing parameters by rounds that are not reported."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from braided import InputError, registry, streams
from braided.evaluate import prequential, tune
from braided.evaluate.tune import TUNING_SEEDS


def make_stream(seed, n=400):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 5))
    y = np.where(X[:, 0] + 0.1 * rng.normal(size=n) > 0, 1, -1)
    return streams.fixed(X, y, seed=seed)


GRID = {"aggressiveness": [0.01, 100.0], "variant": ["I"]}


def test_prefix_chooses_by_the_first_rounds_and_reports_the_rest():
    tuned = tune("olsf", make_stream, GRID, prefix=0.25)
    for setting, judged in tuned.judged:
        result = prequential(registry.create("olsf", **setting), make_stream(0))
        wrong = ~(result.signs * result.scores > 0)
        assert judged == pytest.approx(wrong[:100].mean())
        if setting == tuned.chosen:
            assert tuned.error_rate == pytest.approx(wrong[100:].mean())
    assert tuned.chosen == min(tuned.judged, key=lambda pair: pair[1])[0]


def test_permutations_are_others_than_those_reported():
    asked = []

    def watched(seed):
        asked.append(seed)
        return make_stream(seed)

    tuned = tune("olsf", watched, GRID, method="permutations", repeats=2, seed=3)
    assert asked == [TUNING_SEEDS + 3, TUNING_SEEDS + 4] * 2 + [3, 4]
    assert list(tuned.reported.results) == [3, 4]


def plain_cross_validation(make_model, pairs, folds, seed):
    """Every row is predicted once, by a model that has learned the rows of all other folds."""
    order = np.random.default_rng(seed).permutation(len(pairs))
    wrong = 0
    for part in np.array_split(order, folds):
        held_out, model = set(part.tolist()), make_model()
        for t, (x, y) in enumerate(pairs):
            if t not in held_out:
                model.learn_one(x, y)
        wrong += sum(model.predict_one(pairs[t][0]) != pairs[t][1] for t in held_out)
    return wrong / len(pairs)


@pytest.mark.parametrize(("folds", "rounds"), [(2, 60), (3, 100), (5, 47)])
def test_folds_are_those_of_a_plain_loop(folds, rounds):
    make = partial(make_stream, n=rounds)
    tuned = tune("olsf", make, GRID, folds=folds, repeats=2, seed=3)
    pairs = list(make(TUNING_SEEDS + 3).pairs())
    for setting, judged in tuned.judged:
        model = partial(registry.create, "olsf", **setting)
        assert judged == plain_cross_validation(model, pairs, folds, TUNING_SEEDS + 3)
    assert tuned.method == "folds"
    assert list(tuned.reported.results) == [3, 4]


def test_folds_with_many_classes_and_another_seed():
    def make(seed):
        stream = make_stream(0, 90)
        labels = np.array(["a", "b", "c"])[np.arange(90) % 3]
        return streams.trapezoidal(stream.rows, labels, seed=seed)

    keywords = {"many_classes": "rest", "folds": 4, "repeats": 1}
    tuned = tune("oco", make, {"step": [0.1, 1.0]}, **keywords)
    pairs = list(make(TUNING_SEEDS).pairs())
    for setting, judged in tuned.judged:
        model = partial(registry.create, "oco", "rest", **setting)
        assert judged == plain_cross_validation(model, pairs, 4, TUNING_SEEDS)
    again = tune("oco", make, {"step": [0.1, 1.0]}, method="folds", **keywords)
    assert again.judged == tuned.judged
    other = tune("oco", make, {"step": [0.1, 1.0]}, seed=1, **keywords)
    assert other.judged != tuned.judged


def test_folds_are_five_if_nothing_is_said():
    five = tune("olsf", make_stream, GRID, folds=5, repeats=1)
    assert tune("olsf", make_stream, GRID, method="folds", repeats=1).judged == five.judged


def test_folds_refuse_what_can_not_be():
    with pytest.raises(InputError, match="folds=1 is not allowed"):
        tune("olsf", make_stream, GRID, folds=1)
    with pytest.raises(InputError, match="there are only 9 rounds"):
        tune("olsf", lambda seed: make_stream(seed, 9), GRID, folds=10)
    with pytest.raises(InputError, match="folds=3 goes with argument method='folds' only"):
        tune("olsf", make_stream, GRID, folds=3, method="prefix")


def test_tune_refuses_unknown_parameters_and_methods():
    with pytest.raises(InputError, match="method"):
        tune("olsf", make_stream, GRID, method="all")
    with pytest.raises(InputError, match="agressiveness"):
        tune("olsf", make_stream, {"agressiveness": [1.0]})

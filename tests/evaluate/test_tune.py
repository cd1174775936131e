"""Choosing parameters by rounds that are not reported."""

from __future__ import annotations

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


def test_tune_refuses_unknown_parameters_and_methods():
    with pytest.raises(InputError, match="method"):
        tune("olsf", make_stream, GRID, method="all")
    with pytest.raises(InputError, match="agressiveness"):
        tune("olsf", make_stream, {"agressiveness": [1.0]})

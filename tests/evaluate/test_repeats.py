"""The same run with several seeds."""

import statistics

import numpy as np
import pytest

from braided import OLSF, datasets, streams
from braided.evaluate import Result, Snapshot, Summary, prequential, repeated


def test_each_repeat_is_a_run_with_its_own_seed():
    data = datasets.load("wisconsin")

    def model(seed):
        return OLSF(selection="random", budget=3, seed=seed)

    def stream(seed):
        return streams.capricious(data.X, data.y, seed=seed)

    summary = repeated(model, stream, repeats=3, seed=5)
    assert list(summary.results) == [5, 6, 7]
    for seed, result in summary.results.items():
        assert result.mistakes == prequential(model(seed), stream(seed)).mistakes


def result_with(mistakes):
    scores = np.where(np.arange(10) < mistakes, -1.0, 1.0)
    return Result(np.ones(10), scores, (Snapshot(10, 4, 2, 100, 0.5),))


def summary_of(*mistakes):
    return Summary({seed: result_with(m) for seed, m in enumerate(mistakes)})


def test_mean_and_sample_deviation():
    summary = summary_of(1, 2, 6)
    assert summary.mean("mistakes") == 3.0
    assert summary.mean("error_rate") == pytest.approx(0.3)
    assert summary.std("mistakes") == pytest.approx(statistics.stdev([1, 2, 6]))


def test_one_repeat_has_no_spread():
    assert summary_of(4).std("mistakes") == 0.0

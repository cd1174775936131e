"""GLSC beside OCO, OLSF-I and FESL on real sets that ship; ``docs/varying.md`` has all of them."""

from __future__ import annotations

import numpy as np
import pytest

from braided import FESL, GLSC, OCO, OLSF, datasets, streams
from braided.streams.offline_scaling import scaled

SETS = ("australian", "german", "ionosphere", "wisconsin")
GRID = (0.3, 1.0, 10.0, 30.0)
SEEDS = 6


def accuracy(make, name, shape):
    """In per cent, the mean over seeds of the best of the grid."""
    data = datasets.load(name)
    rows = scaled(data.X, "zscore+unit", absent="zero")
    labels = np.where(data.y == max(data.y), 1, -1)
    shaped = [getattr(streams, shape)(rows, labels, seed=seed) for seed in range(SEEDS)]
    passes = [next(stream.blocks(len(rows))) for stream in shaped]
    return max(
        np.mean([100 * (make(v).prequential(p) * p.labels > 0).mean() for p in passes])
        for v in GRID
    )


def differences(shape, rival):
    return np.array(
        [
            accuracy(lambda v: GLSC(step=v), name, shape) - accuracy(rival, name, shape)
            for name in SETS
        ]
    )


def test_capricious_above_oco_on_average_and_never_far_below():
    difference = differences("capricious", lambda v: OCO(step=v))
    assert difference.mean() > 0
    assert difference.min() > -0.3


def test_trapezoidal_not_below_olsf():
    rival = differences("trapezoidal", lambda v: OLSF(aggressiveness=v / 10))
    assert rival.mean() > -0.1


def test_evolvable_not_far_below_fesl():
    assert differences("evolvable", lambda v: FESL(step=v)).mean() > -0.5


@pytest.mark.parametrize("graph", ["gradient", "multiplicative"])
def test_the_papers_graphs_return_numbers_on_real_sets(graph):
    data = datasets.load("german")
    for rows in (data.X, scaled(data.X, "zscore+unit", absent="zero")):
        for block in streams.capricious(rows, data.y, missing=0.5):
            assert np.isfinite(GLSC(graph=graph).prequential(block)).all()

"""What the papers measure that is not a plain prequential pass."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import mutual_info_score

from braided import GLSC, streams
from braided.papers import sets
from braided.papers.glsc import Mixing
from braided.papers.mrmr import levels, mrmr, mutual_information
from braided.papers.olsf_others import head_start
from braided.papers.sol import LEVELS, SparsityPath
from braided.papers.trial import POINTS


@pytest.fixture(autouse=True)
def only_what_ships(monkeypatch):
    monkeypatch.delenv("BRAIDED_DATA", raising=False)
    sets.load.cache_clear()


@pytest.fixture
def table():
    return np.random.default_rng(0).normal(size=(400, 12))


def test_mutual_information_is_scikit_learns(table):
    codes = levels(table)
    indicators = (codes[:, :, None] == np.arange(3)).astype(float)
    found = mutual_information(indicators, 4)
    expected = [mutual_info_score(codes[:, 4], codes[:, j]) for j in range(12)]
    np.testing.assert_allclose(found, expected, atol=1e-12)


def test_mrmr_passes_over_a_copy_of_what_it_has(table):
    y = np.sign(table[:, 3] + 0.8 * table[:, 5])
    table[:, 7] = table[:, 3]
    assert mrmr(table, y, 2) == [3, 5]
    assert 7 not in mrmr(table, y, 3)
    assert len(set(mrmr(table, y, 99))) == 12


def test_a_head_start_of_half_the_features():
    X = np.ones((100, 20))
    widths = [len(x) for x, _ in head_start(X, np.tile([0, 1], 50)).pairs()]
    assert widths == sorted(widths)
    assert widths[:10] == [10] * 10
    assert widths[10:20] == [12] * 10
    assert widths[50:] == [20] * 50


def test_sparsity_costs_accuracy_in_the_end():
    found = np.array(SparsityPath("splice", "fobos")(0))
    assert found.size == len(LEVELS)
    known = found[~np.isnan(found)]
    assert known.size >= 4
    assert known[-1] > known[0]


def test_the_mixing_curve_ends_with_the_mixing_of_the_model():
    found = Mixing("ionosphere", "mean")(3)
    model = GLSC(budget=150, graph="gradient", share=0.0, losses="mean")
    stream = streams.capricious(*sets.load("ionosphere"), seed=3)
    model.partial_fit(next(stream.blocks(len(stream))))
    assert len(found) == POINTS
    assert found[-1] == model.mixing

"""The synthetic sources are what they say."""

from __future__ import annotations

import numpy as np
import pytest

from braided.errors import InputError
from braided.streams import FactorModel, linear_switch


def dense(rows):
    return rows.values.reshape(len(rows), -1)


def test_a_factor_model_has_the_covariance_that_it_states():
    model = FactorModel(features=6, factors=2, noise=0.5, seed=3)
    X = dense(model.rows(40_000))
    np.testing.assert_allclose(np.cov(X.T), model.covariance, atol=0.06)
    np.testing.assert_allclose(X.mean(axis=0), 0.0, atol=0.03)


def test_nothing_beats_what_is_expected_of_the_unobserved():
    model = FactorModel(features=10, factors=3, noise=0.3, seed=1)
    known, unknown = model.names[::2], model.names[1::2]
    rows = list(model.rows(3000).dicts())
    guesses = [model.expected({n: x[n] for n in known}) for x in rows]
    errors = np.array([[x[n] - g[n] for n in unknown] for x, g in zip(rows, guesses, strict=True)])
    inner = np.linalg.inv(np.linalg.inv(model.covariance)[1::2, 1::2])
    np.testing.assert_allclose((errors**2).mean(axis=0), np.diag(inner), rtol=0.15)


def test_the_same_seed_gives_the_same_rows_and_another_seed_others():
    rows = [dense(FactorModel(seed=seed).rows(5)) for seed in (0, 0, 1)]
    assert (rows[0] == rows[1]).all()
    assert abs(np.corrcoef(rows[0].ravel(), rows[2].ravel())[0, 1]) < 0.3


def test_generations_are_images_of_one_another():
    stream = linear_switch(generations=3, features=4, rounds=2000, noise=0.1, seed=5)
    X, y = dense(stream.rows), stream.rows.labels
    for g in (0, 1):
        old, new = X[:, 4 * g : 4 * g + 4], X[:, 4 * g + 4 : 4 * g + 8]
        rotation = np.linalg.lstsq(old, new, rcond=None)[0]
        np.testing.assert_allclose(rotation @ rotation.T, np.eye(4), atol=0.02)
        assert (new - old @ rotation).std() == pytest.approx(0.1, rel=0.05)
    plane = np.linalg.lstsq(X[:, :4], y, rcond=None)[0]
    assert ((X[:, :4] @ plane > 0) == (y > 0)).mean() > 0.97
    assert 0.45 < (y > 0).mean() < 0.55


@pytest.mark.parametrize(
    "wrong", [{"generations": 0}, {"features": 0}, {"rounds": 0}, {"noise": -1}, {"seed": -1}]
)
def test_linear_switch_refuses_bad_parameters(wrong):
    (name,) = wrong
    with pytest.raises(InputError, match=name):
        linear_switch(**wrong)

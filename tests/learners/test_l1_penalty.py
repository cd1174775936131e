"""What holds for every learner with an L1 penalty, and is found wanting elsewhere."""

from __future__ import annotations

import numpy as np
import pytest

from braided import FOBOS, FSOL, SSOL, STG, AdaFOBOS, AdaRDA
from braided.learner.state import arrays
from braided.records.roles import LARGEST_WEIGHT
from tests.support.streams_of_rows import long_stream

LEARNERS = [
    FSOL(step=0.1, penalty=5.0),
    FSOL(step=0.1, penalty=0.05, schedule="growing"),
    FSOL(step=0.1, penalty=0.05, schedule="growing", clock="feature"),
    SSOL(penalty=0.2),
    SSOL(penalty=0.001, schedule="growing", clock="feature"),
    SSOL(penalty=0.2, covariance="full"),
    FOBOS(step=0.1, penalty=0.1),
    FOBOS(step=0.3, penalty=0.1, decay="sqrt"),
    STG(step=0.1, penalty=0.1),
    AdaFOBOS(step=0.3, penalty=0.1),
    AdaRDA(step=0.3, penalty=0.05),
    AdaRDA(step=0.3, penalty=0.05, clock="feature"),
]
EVERY = pytest.mark.parametrize("model", LEARNERS, ids=repr)


def fresh(model):
    return type(model)(**model.get_params())


@EVERY
def test_a_weight_returns_to_exact_zero(model):
    model = fresh(model)
    for _ in range(60):
        model.learn_one({"for": 1.0}, 1)
    assert model.weights()["for"] > 0
    for _ in range(2000):
        model.learn_one({"for": 0.05}, -1)
        if "for" not in model.weights():
            break
    assert "for" not in model.weights()
    assert model.score_one({"for": 1.0}) == 0.0


@EVERY
def test_sparsity_does_not_depend_on_the_size_of_blocks(model):
    rows, labels = zip(*long_stream(seed=9), strict=True)
    kept = []
    for size in (1, 7, 50, 400):
        model = fresh(model)
        for start in range(0, 400, size):
            model.partial_fit(rows[start : start + size], labels[start : start + size])
        kept.append(model.weights())
    assert 0 < len(kept[0]) < model.features_seen
    assert kept[0] == kept[1] == kept[2] == kept[3]


@EVERY
def test_weights_include_all_penalties_so_far(model):
    """weights(), features_kept and predictions speak of the same moment."""
    model = fresh(model)
    rows, labels = zip(*long_stream(seed=9), strict=True)
    model.partial_fit(rows, labels)
    for _ in range(5):
        model.partial_fit([{}] * 50, [1] * 50)
        weights = model.weights()
        assert model.features_kept == len(weights)
        if not isinstance(model, SSOL):  # it weighs a row before it predicts
            for name in [f"f{i}" for i in range(60)]:
                assert model.score_one({name: 1.0}) == pytest.approx(weights.get(name, 0.0))


@EVERY
@pytest.mark.parametrize("factor", [1e3, LARGEST_WEIGHT])
def test_sample_weights_never_poison(model, factor):
    model = fresh(model)
    X, y = [{"a": 1.0}, {"a": 1.0, "b": 1e-30}, {"b": 1e-139}, {"a": 1e100, "b": 1.0}], [0, 1, 0, 1]
    for _ in range(50):
        scores = model.partial_fit(X, y, sample_weight=[factor] * 4).decision_function(X)
        assert np.isfinite(scores).all()
        assert all(np.isfinite(a).all() for a in arrays(model.engine.state) if a.dtype.kind == "f")


@EVERY
def test_a_heavy_penalty_leaves_no_weight(model):
    rows, labels = zip(*long_stream(seed=9), strict=True)
    model = fresh(model).set_params(penalty=1e6).partial_fit(rows, labels)
    assert model.rounds % getattr(model, "interval", 1) == 0  # STG: a truncation has just been
    assert model.features_seen > 50
    assert model.features_kept == 0


# ---------------------------------------------------------------------- features born late

BIRTH = 100_000


def noise(rounds: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Five features that say nothing about the labels."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(rounds, 5)).round(3), np.where(rng.random(rounds) < 0.5, 1, -1)


def sightings_until_heard(model, most: int = 10_000) -> int:
    """How many rows with a perfect feature it takes until its weight is 0.1."""
    X, y = noise(most, seed=1)
    for sighting, (x, label) in enumerate(zip(X.tolist(), y.tolist(), strict=True), start=1):
        model.learn_one({**dict(zip("abcde", x, strict=True)), "perfect": float(label)}, label)
        if model.weights().get("perfect", 0.0) >= 0.1:
            return sighting
    return most


@pytest.mark.parametrize(
    "model",
    [
        FSOL(step=0.05, penalty=0.05, schedule="growing"),
        SSOL(step=0.2, penalty=0.05, schedule="growing"),
        AdaRDA(step=0.05, penalty=0.05, delta=1.0),
    ],
    ids=repr,
)
def test_a_late_feature_gets_a_weight_as_soon_as_an_early_one(model):
    """Within three times the sightings by its own clock; by the world's clock it is not."""
    X, y = noise(BIRTH, seed=0)
    names = list("abcde")
    sightings = {}
    for clock in ("feature", "global"):
        early = fresh(model).set_params(clock=clock)
        late = fresh(model).set_params(clock=clock).partial_fit(X, y, feature_names=names)
        sightings[clock] = sightings_until_heard(early), sightings_until_heard(late)
    early, late = sightings["feature"]
    assert 1 <= late <= 3 * early
    early, late = sightings["global"]
    assert late > 100 * early

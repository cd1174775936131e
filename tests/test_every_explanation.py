"""Every learner, and every learner made of learners, explains scores and has probabilities."""

from __future__ import annotations

import numpy as np
import pytest

from braided import OCO, OLSF, Calibrated, OneVsRest, Scaled, registry
from braided.compose import with_probabilities
from tests.support.every_learner import NAMES, new
from tests.support.saved_composites import COMPOSITES, learned, stream_for
from tests.support.streams_of_rows import long_stream

STREAM = long_stream(seed=8, rounds=120)
ROWS, LABELS = [x for x, _ in STREAM], [y for _, y in STREAM]
LAST = next(x for x in reversed(ROWS) if len(x) > 3)

# SSOL changes the precision of its weights by a row before it predicts it.
NOT_LINEAR = {"Braid", "FESL", "GLSC", "OFSPartial", "SSOL"}


def without(x, name):
    return {key: value for key, value in x.items() if key != name}


@pytest.mark.parametrize("name", NAMES)
def test_every_learner_explains_and_has_probabilities(name):
    model = with_probabilities(new(name))
    assert model.explain(LAST) == {}
    assert model.predict_proba_one(LAST) == {}
    model.partial_fit(ROWS, LABELS)
    assert model.predict_proba(ROWS).sum(axis=1) == pytest.approx(np.ones(len(ROWS)))
    effects = model.explain(LAST | {"never seen": 1.0, "not observed": None})
    assert effects or name == "braid 3"  # which holds none of these features
    assert set(effects) <= set(LAST)
    sizes = [abs(effect) for effect in effects.values()]
    assert sizes == sorted(sizes, reverse=True)
    kind = type(model.learner if isinstance(model, Calibrated) else model).__name__
    if kind == "Braid":
        return
    for feature, effect in effects.items():
        difference = model.score_one(LAST) - model.score_one(without(LAST, feature))
        assert effect == pytest.approx(difference, rel=1e-9, abs=1e-12)
    if kind not in NOT_LINEAR:
        weights = model.weights()
        expected = {feature: weights.get(feature, 0.0) * LAST[feature] for feature in effects}
        assert effects == pytest.approx(expected, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("case", COMPOSITES)
def test_every_composite_explains_and_has_probabilities(case):
    rows, _ = stream_for(case, seed=2)
    model = learned(case, seed=2, rounds=200)
    x = next(row for row in reversed(rows[:200]) if len(row) > 3)
    effects = model.explain(x)
    if len(model.classes_) > 2:
        assert set(effects) == set(model.classes_.tolist())
        assert all(set(each) <= set(x) for each in effects.values())
    else:
        assert set(effects) <= set(x)
    wrapped = with_probabilities(COMPOSITES[case])
    assert wrapped.has_probabilities
    assert not hasattr(COMPOSITES[case], "predict_proba") or wrapped is COMPOSITES[case]


def test_values_are_explained_as_they_are_scaled():
    for how in ("standard", "maxabs", "unit"):
        model = Calibrated(Scaled(OLSF(), how=how, intercept=True)).partial_fit(ROWS, LABELS)
        effects = model.explain(LAST)
        offset = model.score_one({})
        assert sum(effects.values()) + offset == pytest.approx(model.score_one(LAST), abs=1e-9)


def test_the_effect_of_a_feature_is_for_the_second_label():
    model = OneVsRest(OCO()).partial_fit([{"a": 1.0}, {"b": 1.0}, {"c": 1.0}] * 5, list("xyz") * 5)
    effects = model.explain({"a": 1.0, "b": 2.0})
    assert effects["x"]["a"] > 0 > effects["x"]["b"]
    assert OCO().partial_fit([{"a": 1.0}, {"b": 1.0}], ["z", "m"]).explain({"a": 1.0})["a"] > 0
    assert model.explain({}) == {"x": {}, "y": {}, "z": {}}


def test_every_wrapper_has_a_name():
    for home in registry.WRAPPERS.values():
        assert home in registry.COMPOSITES

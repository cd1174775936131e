"""Learners in river's pipelines, and river's data sets as streams."""

from __future__ import annotations

import pickle

import pytest

from braided import OLSF, Braid, InputError, OneVsRest, Scaled, registry
from braided.compose import ForRiver
from braided.streams import from_river

pytest.importorskip("river", reason="river is not installed")
from river import checks, compose, datasets, evaluate, metrics, preprocessing


@pytest.mark.parametrize("name", [e.name for e in registry.LEARNERS if e.alias_of is None])
def test_every_learner_in_a_pipeline(name):
    all_kept = {"budget": 1.0} if "budget" in registry.parameters(name) else {}
    model = preprocessing.StandardScaler() | ForRiver(registry.create(name, **all_kept))
    metric = evaluate.progressive_val_score(
        datasets.Phishing().take(300), model, metrics.Accuracy()
    )
    assert metric.get() > 0.7
    assert ForRiver(registry.create(name)).clone().model.rounds == 0


def test_many_classes_and_online_scaling_in_a_river_pipeline():
    model = ForRiver(Scaled(OneVsRest(OLSF()), intercept=True))
    metric = evaluate.progressive_val_score(
        datasets.ImageSegments().take(1000), model, metrics.MacroF1()
    )
    assert metric.get() > 0.6
    assert model.model.rounds == 1000
    assert pickle.loads(pickle.dumps(model)).model.weights() == model.model.weights()
    pipeline = compose.Select("aspect") | ForRiver(OneVsRest(OLSF()))
    assert pipeline.predict_one({"aspect": 1.0}) is None


def test_a_dataset_of_river_is_a_stream():
    stream = from_river(datasets.Phishing())
    assert len(stream) == 1250
    first = next(iter(datasets.Phishing()))
    assert next(stream.pairs()) == (first[0], first[1])
    rest = ForRiver(OLSF())
    for x, y in datasets.Phishing():
        rest.learn_one(x, y)
    model = OLSF()
    for block in stream:
        model.partial_fit(block)
    assert model.weights() == rest.model.weights()


def test_what_is_inside_must_be_a_learner():
    with pytest.raises(InputError, match="made of a learner"):
        ForRiver(3)


@pytest.mark.parametrize("learner", [OLSF(), OneVsRest(OLSF()), Scaled(Braid())], ids=repr)
def test_every_estimator_check_of_river(learner):
    checks.check_estimator(ForRiver(learner))


def test_metrics_of_probabilities():
    model = preprocessing.StandardScaler() | ForRiver(OLSF())
    metric = evaluate.progressive_val_score(datasets.Phishing(), model, metrics.ROCAUC())
    assert metric.get() > 0.93
    words = ForRiver(OLSF())
    assert words.predict_proba_one({"a": 1.0}) == {False: 0.5, True: 0.5}
    words.learn_one({"a": 1.0}, "spam")
    assert words.predict_proba_one({"a": 1.0}) == {"spam": 1.0}

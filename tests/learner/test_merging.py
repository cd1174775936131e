"""Merging two models: means of weights, by rounds."""

import numpy as np
import pytest

import braided
from braided import FESL, GLSC, OCO, OLSF, SSOL, InputError, registry
from braided.learner.state import arrays
from tests.support.every_learner import BUDGETED, EVERY, LIMITED, NAMES, halves, new
from tests.support.streams_of_rows import long_stream

REFUSE = ("glsc", "glsc adaptive", "fesl", "braid", *LIMITED)
MERGING = pytest.mark.parametrize("name", [n for n in NAMES if n not in REFUSE])
ALL_KEPT = {"budget": 1.0}


def two(name, **parameters):
    """Two models that share some features, seen in different orders, and learned unlike rounds."""
    if name not in LIMITED and _budget(name):
        parameters.setdefault("budget", 1.0)
    rows, labels = halves(long_stream(seed=3))
    here = new(name, **parameters).partial_fit(rows[:150], labels[:150])
    back = slice(399, 180, -1)
    there = new(name, **parameters).partial_fit(rows[back], labels[back])
    return here, there


def mean(here, there):
    n, m = here.rounds, there.rounds
    a, b = here.weights(), there.weights()
    found = {name: (n * a.get(name, 0) + m * b.get(name, 0)) / (n + m) for name in {**a, **b}}
    return {name: weight for name, weight in found.items() if weight}


def close(weights):
    return pytest.approx(weights, rel=1e-9, abs=1e-12)


@MERGING
def test_weights_are_averaged_by_rounds(name):
    here, there = two(name)
    before = here.weights(), there.weights()
    merged = here.merge(there)
    assert (here.weights(), there.weights()) == before
    assert merged.weights() == close(mean(here, there))
    assert merged.rounds == here.rounds + there.rounds
    assert set(merged.engine.space.names) == {*here.engine.space.names, *there.engine.space.names}
    assert merged.get_params() == here.get_params()


@MERGING
def test_the_order_of_the_two_does_not_matter(name):
    here, there = two(name)
    assert here.merge(there).weights() == close(there.merge(here).weights())


@MERGING
def test_merging_with_an_empty_model_changes_nothing(name, tmp_path):
    here, _ = two(name)
    here.save(tmp_path / "a")
    for merged in (here.merge(new(name, **_budget(name))), new(name, **_budget(name)).merge(here)):
        merged.save(tmp_path / "b")
        assert (tmp_path / "b").read_bytes() == (tmp_path / "a").read_bytes()
        assert merged is not here
    empty = new(name)
    assert empty.merge(new(name)).rounds == 0


def _budget(name):
    return ALL_KEPT if "budget" in registry.parameters(name.partition(" ")[0]) else {}


@MERGING
def test_a_merged_model_learns_on_and_can_be_saved(name, tmp_path):
    here, there = two(name)
    merged = here.merge(there)
    merged.save(tmp_path / "m")
    loaded = braided.load(tmp_path / "m")
    rows, labels = halves(long_stream(seed=5))
    assert merged.prequential(rows, labels).tolist() == loaded.prequential(rows, labels).tolist()
    assert all(np.isfinite(a).all() for a in arrays(merged.engine.state) if a.dtype.kind == "f")


@BUDGETED
def test_the_budget_is_applied_again(name):
    if name in REFUSE:
        pytest.skip("is not merged")
    here, there = two(name, budget=5)
    merged = here.merge(there)
    assert merged.features_kept == min(5, len(mean(here, there)))
    largest = sorted(mean(here, there).items(), key=lambda item: -abs(item[1]))[:5]
    assert merged.weights() == close(dict(largest))


@MERGING
def test_labels_may_have_come_in_any_order(name):
    rows, labels = halves(long_stream(seed=3))
    words = ["yes" if y > 0 else "no" for y in labels]
    start = words.index("no"), words.index("yes")
    models = [new(name, **_budget(name)).partial_fit(rows[s:], words[s:]) for s in start]
    assert models[0].engine.labels.values != models[1].engine.labels.values
    merged = models[0].merge(models[1])
    assert merged.weights() == close(mean(*models))
    assert merged.classes_.tolist() == ["no", "yes"]
    one_sided = [new(name).partial_fit([{"a": 1.0}], [word]) for word in ("no", "yes")]
    assert one_sided[0].merge(one_sided[1]).classes_.tolist() == ["no", "yes"]


@EVERY
def test_models_that_do_not_fit_together_are_refused(name):
    here, there = two(name)
    with pytest.raises(InputError, match="can not be merged with"):
        here.merge(OLSF() if not isinstance(here, OLSF) else OCO())
    if name in REFUSE:
        with pytest.raises(InputError, match="beyond weights has no mean"):
            here.merge(there)
        return
    with pytest.raises(InputError, match="different labels can not be merged"):
        here.merge(new(name).partial_fit([{"a": 1.0}], ["other"]))


def test_models_of_different_widths_are_refused():
    here, there = (OCO().partial_fit(np.ones((2, n)), [0, 1]) for n in (3, 4))
    with pytest.raises(InputError, match="models of 3 and 4 columns"):
        here.merge(there)
    assert here.merge(OCO().partial_fit(np.ones((2, 3)), [0, 1])).n_features_in_ == 3


@pytest.mark.parametrize("model", [GLSC(), FESL(), SSOL(covariance="full")])
def test_learners_that_keep_pairs_say_so(model):
    model.partial_fit([{"a": 1.0}, {"b": 1.0}], [0, 1])
    with pytest.raises(InputError, match="can not be merged: what it keeps beyond weights"):
        model.merge(model)


@pytest.mark.parametrize(
    "model",
    [
        braided.FSOL(schedule="growing", penalty=1e-4, clock="feature"),
        braided.SSOL(schedule="growing", penalty=1e-5),
        braided.AdaRDA(clock="feature"),
        braided.STG(ceiling=0.05),
        OCO(intercept=True),
    ],
)
def test_other_forms_of_the_families_can_be_merged(model):
    rows, labels = halves(long_stream(seed=3))
    here = type(model)(**model.get_params())
    here.partial_fit(rows[:150], labels[:150])
    there = type(model)(**model.get_params()).partial_fit(rows[399:180:-1], labels[399:180:-1])
    merged = here.merge(there)
    assert merged.weights() == close(mean(here, there))
    if isinstance(model, OCO):
        means = (150 * here.score_one({}) + 219 * there.score_one({})) / 369
        assert merged.score_one({}) == pytest.approx(means)

"""The list of learners, and everything that is promised of each."""

import math
import re

import pytest
from sklearn.base import clone

from braided import registry
from braided.errors import InputError
from braided.learner.learner import Learner


def test_names_differ_and_aliases_follow_their_head():
    names = registry.LEARNERS.names()
    assert len(set(names)) == len(names)
    head = None
    for entry in registry.LEARNERS:
        if entry.alias_of is None:
            head = entry.name
            assert not entry.preset
        else:
            assert entry.alias_of == head
            assert entry.preset


@pytest.mark.parametrize("name", registry.LEARNERS.names())
def test_every_learner_is_made_with_its_preset(name):
    entry = registry.LEARNERS.find(name)
    model = registry.create(name)
    assert isinstance(model, Learner)
    assert entry.about
    assert "\n" not in entry.about
    assert entry.preset.items() <= model.get_params().items()
    assert model.get_params() == registry.parameters(name)


@pytest.mark.parametrize("name", registry.LEARNERS.names())
def test_every_learner_learns_and_clones(name):
    everything = {"budget": 1.0} if "budget" in registry.parameters(name) else {}
    model = registry.create(name, **everything)
    model.partial_fit([{"a": 1.0}, {"b": 1.0}] * 20, ["x", "y"] * 20)
    assert model.predict([{"a": 1.0}, {"b": 1.0}]).tolist() == ["x", "y"]
    assert clone(model).get_params() == model.get_params()


@pytest.mark.parametrize(
    ("alias", "variant"),
    [
        ("olsf", "I"),
        ("olsf-i", "I"),
        ("olsf-ii", "II"),
        ("stsd", "hard"),
        ("stsd-i", "I"),
        ("stsd-ii", "II"),
    ],
)
def test_variants_of_olsf(alias, variant):
    model = registry.create(alias, budget=3, radius=math.inf)
    assert (model.variant, model.budget) == (variant, 3)


def test_unknown_learner_lists_the_names_and_the_closest():
    with pytest.raises(InputError, match=r"no learner 'OLLSF' \(did you mean 'olsf'\?\): choose"):
        registry.LEARNERS.find("OLLSF")
    with pytest.raises(InputError, match="no learner 'zzz': choose one of braid, olsf, olsf-i"):
        registry.create("zzz")


def test_unknown_parameter_lists_the_parameters():
    with pytest.raises(InputError, match=r"stsd: no parameter 'budgt' \(did you mean 'budget'"):
        registry.create("stsd", budgt=1)


def test_alias_keeps_its_word():
    assert registry.create("stsd-ii", variant="II").variant == "II"
    with pytest.raises(InputError, match="stsd means variant='hard': use olsf to choose"):
        registry.create("stsd", variant="I")


# ------------------------------------------------------------------- wrappers before a name


def test_wrappers_stand_before_the_name():
    made = registry.create("calibrated+scaled+olsf-ii", "rest", how="maxabs", budget=3)
    inside = "OneVsRest(learner=OLSF(budget=3, variant='II'))"
    assert repr(made) == f"Calibrated(learner=Scaled(how='maxabs', learner={inside}))"
    assert repr(registry.create("scaled+oco", intercept=True)) == (
        "Scaled(learner=OCO(intercept=True))"  # a name of both is the learner's
    )
    assert registry.completed("scaled+olsf", {}, seed=3) == {"seed": 3}
    assert "how" not in registry.parameters("olsf")


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("scaled+", "does not end with a learner"),
        ("+olsf", "'' can not stand before"),
        ("+", "does not end with a learner"),
        ("scaled+scaled+olsf", "scaled is written twice"),
        ("calibrated+scaled", "does not end with a learner"),
        ("scaled+calibrated+olsf", "calibrated comes before scaled"),
        ("olsf+scaled", "does not end with a learner"),
        ("olsf+braid", "'olsf' can not stand before"),
        ("Scaled+olsf", "'Scaled' can not stand before"),
        ("scaled+fosl", "did you mean 'fsol'"),
        ("calibrated+braid", "has probabilities already: use it without Calibrated"),
        ("calibrated+scaled+oco", "has probabilities already"),
    ],
)
def test_wrong_wrappers_are_answered_in_one_line(name, why):
    with pytest.raises(InputError, match=re.escape(why)) as refused:
        registry.create(name)
    assert "\n" not in str(refused.value)

"""Files of learners that are made of learners: as safe and as exact as those of single ones."""

import copy
import json
import pickle

import joblib
import numpy as np
import pytest

import braided
from braided import OneVsOne, OneVsRest, PseudoLabel, Scaled, registry
from braided.compose.composite import Composite
from tests.support.every_composite import many_classes
from tests.support.forge import contents, forge
from tests.support.learned import state_of
from tests.support.saved_composites import COMPOSITES, learned, stream_for

EACH = pytest.mark.parametrize("case", COMPOSITES)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "m.braided"


def saved(model, path):
    model.save(path)
    return path.read_bytes()


def test_every_class_that_is_made_of_learners_is_here():
    classes = {home.partition(":")[2] for home in registry.COMPOSITES}
    made = {type(model).__name__ for model in COMPOSITES.values() if isinstance(model, Composite)}
    assert classes == made


@EACH
def test_a_loaded_model_goes_on_bit_for_bit(case, path):
    rows, labels = stream_for(case, seed=3)
    model = learned(case, seed=3, rounds=150)
    before = saved(model, path)
    loaded = braided.load(path, expect=type(model))
    assert saved(loaded, path) == before
    assert state_of(loaded) == state_of(model)
    assert (repr(loaded), loaded.rounds) == (repr(model), model.rounds)
    scores = [each.prequential(rows[150:250], labels[150:250]).tolist() for each in (model, loaded)]
    assert scores[0] == scores[1]
    for x, y in zip(rows[250:], labels[250:], strict=True):
        assert loaded.score_one(x) == model.score_one(x)
        loaded.learn_one(x, y)
        model.learn_one(x, y)
    assert saved(loaded, path) == saved(model, path)


@EACH
def test_many_stops_change_nothing(case, path):
    rows, labels = stream_for(case, seed=4)
    model, stopped = copy.deepcopy(COMPOSITES[case]), copy.deepcopy(COMPOSITES[case])
    for start in range(0, 140, 7):
        piece = slice(start, start + 7)
        model.partial_fit(rows[piece], labels[piece])
        stopped.save(path)
        stopped = braided.load(path).partial_fit(rows[piece], labels[piece])
    assert saved(stopped, path) == saved(model, path)


@EACH
def test_copies_and_pickles_make_the_same_file(case, path, tmp_path):
    rows, labels = stream_for(case, seed=5)
    model = learned(case, seed=5, rounds=100)
    joblib.dump(model, tmp_path / "dumped")
    copies = [
        copy.deepcopy(model),
        pickle.loads(pickle.dumps(model)),
        joblib.load(tmp_path / "dumped", mmap_mode="r"),
    ]
    model.partial_fit(rows[100:], labels[100:])
    for each in copies:
        assert saved(each.partial_fit(rows[100:], labels[100:]), path) == saved(model, path)


@EACH
def test_every_array_and_every_word_of_the_file_is_needed(case, path):
    learned(case, seed=5, rounds=250).save(path)
    texts, told, arrays = contents(path)
    for missing in arrays:
        forge(path, texts, told, {key: a for key, a in arrays.items() if key != missing})
        with pytest.raises(braided.ModelFileError):
            braided.load(path)
    for changed in _changes(told):
        forge(path, texts, changed, arrays)
        with pytest.raises(braided.ModelFileError):
            braided.load(path)


def _changes(told):
    """What a file tells, with one thing at a time left out or doubled."""
    parts = [()]
    while parts:
        place = parts.pop()
        part = told
        for step in place:
            part = part["inside"][step]
        for key, value in part.items():
            if key == "width":
                continue  # of arrays without names, which there were none
            yield _with(told, place, key, None)
            if isinstance(value, list) and value:
                yield _with(told, place, key, value + value[-1:])
                if key != "labels":  # of which there may be one
                    yield _with(told, place, key, value[:-1])
        parts += [(*place, number) for number in range(len(part.get("inside", ())))]


def _with(told, place, key, value):
    changed = json.loads(json.dumps(told))
    part = changed
    for step in place:
        part = part["inside"][step]
    part[key] = value
    return changed


@pytest.mark.parametrize(
    "changes",
    [
        {"models": [0, 1, 1]},
        {"models": [0, 1, 9]},
        {"models": [0, 1, [2]]},
        {"models": "012"},
        {"known": [0, 1, 3], "models": [0, 1, 3]},
        {"known": [0, 1, -1]},
        {"known": [0, 1, True]},
        {"declared": [7]},
        {"declared": [{}]},
        {"inside": [{"capacity": 2**40}] * 3},
        {"inside": [{"capacity": 32.0}] * 3},
        {"inside": [1, 2, 3]},
    ],
)
def test_impossible_classes_are_refused(changes, path):
    stream = many_classes(seed=1, rounds=60, classes="abc")
    model = OneVsRest(braided.OLSF())
    model.partial_fit([x for x, _ in stream], [y for _, y in stream]).save(path)
    texts, told, arrays = contents(path)
    assert len(told["models"]) == 3
    forge(path, texts, {**told, **changes}, arrays)
    with pytest.raises(braided.ModelFileError):
        braided.load(path)


@pytest.mark.parametrize(
    ("how", "wrong"),
    [("standard", (-1, 0, 0)), ("standard", (1.5, 0, 0)), ("standard", (2, 1e101, 0)),
     ("standard", (2, 0, -1)), ("standard", (1, 0, 1e300)), ("maxabs", (-1,)),
     ("maxabs", (1e101,)), ("tfidf", (-1,)), ("tfidf", (0.5,)), ("tfidf", (3,))],
)  # fmt: skip
def test_statistics_that_would_poison_a_model_are_refused(how, wrong, path):
    Scaled(braided.OCO(), how=how).partial_fit([{"a": 1.0}, {"a": 2.0}], [0, 1]).save(path)
    texts, told, arrays = contents(path)
    arrays["state.table"][0] = wrong
    forge(path, texts, told, arrays)
    with pytest.raises(braided.ModelFileError, match="contradict"):
        braided.load(path)


@pytest.mark.parametrize("rows", [-1, 1.5, 2.0**54])
def test_impossible_numbers_of_rows_are_refused(rows, path):
    Scaled(braided.OCO(), how="tfidf").partial_fit([{"a": 1.0}, {"b": 2.0}], [0, 1]).save(path)
    texts, told, arrays = contents(path)
    assert arrays["state.rows"].tolist() == [2]
    arrays["state.rows"][0] = rows
    forge(path, texts, told, arrays)
    with pytest.raises(braided.ModelFileError, match="contradict"):
        braided.load(path)


def test_negative_counts_are_refused(path):
    PseudoLabel(braided.OCO()).partial_fit([{"a": 1.0}], [0]).save(path)
    texts, told, arrays = contents(path)
    arrays["state.skipped"][0] = -1
    forge(path, texts, told, arrays)
    with pytest.raises(braided.ModelFileError, match="contradict"):
        braided.load(path)


def test_many_pairs_of_classes_fit_into_a_file(path):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(400, 5)), np.arange(400) % 40
    model = OneVsOne(braided.OLSF()).partial_fit(X, y)
    model.save(path)
    loaded = braided.load(path)
    assert len(loaded.weights()) == 780
    assert loaded.decision_function(X).tolist() == model.decision_function(X).tolist()


def test_declared_classes_and_a_single_class_come_back(path):
    for model in (OneVsOne(braided.OCO()), OneVsRest(braided.OCO())):
        model.partial_fit([{"a": 1.0}], ["x"])
        model.save(path)
        loaded = braided.load(path)
        more = [{"a": -1.0}, {"b": 1.0}], ["y", "z"]
        for each in (model, loaded):
            each.partial_fit(*more, classes=["x", "y", "z", "w"])
        assert saved(loaded, path) == saved(model, path)
        loaded = braided.load(path)
        assert loaded.score_one({"b": 1.0}) == model.score_one({"b": 1.0})


def test_a_learner_of_your_own_inside_is_refused(path):
    class Own(braided.OCO):
        pass

    with pytest.raises(braided.InputError, match="Own can not be saved"):
        OneVsRest(Own()).save(path)


def test_parameters_inside_that_are_not_in_force_are_refused(path):
    model = Scaled(braided.OLSF()).partial_fit([{"a": 1.0}], [0])
    model.learner.budget = 3
    with pytest.raises(braided.InputError, match="not in force"):
        model.save(path)
    model.set_params(learner__budget=3)
    assert saved(model, path) == saved(braided.load(saved(model, path) and path), path)


@EACH
def test_merging_says_what_can_be_merged(case):
    model = learned(case, seed=5, rounds=20)
    if case == "Braid-classes":  # which has seen no third label yet
        assert model.merge(model).rounds == 2 * model.rounds
        return
    why = "only single learners can" if isinstance(model, Composite) else "no mean"
    with pytest.raises(braided.InputError, match=why):
        model.merge(model)

"""What holds for every learner's file: a line in the registry is all that a new one needs."""

import copy
import pickle

import joblib
import pytest

import braided
from braided.model_files import safetensors as tensors
from tests.support.every_learner import EVERY_IN_FILES, halves, new
from tests.support.forge import contents, forge
from tests.support.learned import state_of
from tests.support.streams_of_rows import long_stream


@pytest.fixture
def path(tmp_path):
    return tmp_path / "m.braided"


def saved(model, path):
    model.save(path)
    return path.read_bytes()


@EVERY_IN_FILES
def test_a_loaded_model_goes_on_bit_for_bit(name, path):
    rows, labels = halves(long_stream(seed=3))
    model = new(name).partial_fit(rows[:200], labels[:200])
    before = saved(model, path)
    loaded = braided.load(path, expect=type(model))
    assert saved(model, path) == before
    assert saved(loaded, path) == before
    assert state_of(loaded) == state_of(model)
    assert repr(loaded) == repr(model)
    scores = [each.prequential(rows[200:300], labels[200:300]).tolist() for each in (model, loaded)]
    assert scores[0] == scores[1]
    for x, y in zip(rows[300:], labels[300:], strict=True):
        assert loaded.score_one(x) == model.score_one(x)
        loaded.learn_one(x, y)
        model.learn_one(x, y)
    assert saved(loaded, path) == saved(model, path)


@EVERY_IN_FILES
def test_many_stops_change_nothing(name, path):
    rows, labels = halves(long_stream(seed=4, rounds=120))
    model, stopped = new(name), new(name)
    for start in range(0, len(rows), 7):
        piece = slice(start, start + 7)
        model.partial_fit(rows[piece], labels[piece])
        stopped.save(path)
        stopped = braided.load(path).partial_fit(rows[piece], labels[piece])
    assert saved(stopped, path) == saved(model, path)


@EVERY_IN_FILES
def test_a_model_that_learned_nothing_comes_back(name, path):
    model = new(name)
    before = saved(model, path)
    loaded = braided.load(path)
    assert saved(loaded, path) == before
    rows, labels = halves(long_stream(seed=4, rounds=50))
    assert state_of(loaded.partial_fit(rows, labels)) == state_of(model.partial_fit(rows, labels))


@EVERY_IN_FILES
def test_copies_and_pickles_make_the_same_file(name, path, tmp_path):
    rows, labels = halves(long_stream(seed=5, rounds=100))
    model = new(name).partial_fit(rows, labels)
    joblib.dump(model, tmp_path / "dumped")
    copies = [
        copy.deepcopy(model),
        pickle.loads(pickle.dumps(model)),
        joblib.load(tmp_path / "dumped"),
        joblib.load(tmp_path / "dumped", mmap_mode="r"),
    ]
    for each in copies:
        assert saved(each, path) == saved(model, path)
    model.partial_fit(rows, labels)
    for each in copies:
        assert saved(each.partial_fit(rows, labels), path) == saved(model, path)


@EVERY_IN_FILES
def test_the_file_is_about_as_large_as_the_model(name, path):
    rows, labels = halves(long_stream(seed=5))
    model = new(name).partial_fit(rows, labels)
    size = len(saved(model, path))
    assert size < model.memory_bytes + 8192


@EVERY_IN_FILES
def test_every_array_of_the_file_is_needed(name, path):
    rows, labels = halves(long_stream(seed=5, rounds=60))
    new(name).partial_fit(rows, labels).save(path)
    texts, told, arrays = contents(path)
    with tensors.opened(path) as file:
        assert file.names == set(arrays)
    for missing in arrays:
        left = {key: array for key, array in arrays.items() if key != missing}
        forge(path, texts, told, left)
        with pytest.raises(braided.ModelFileError):
            braided.load(path)

"""Models in files: what is special about names, labels, parameters and classes."""

import math
import os
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp

import braided
from braided import FESL, GLSC, OCO, OLSF, InputError, ModelFileError
from braided.model_files.save_load import read, save
from tests.support.forge import contents, forge
from tests.support.streams_of_rows import long_stream

ROWS = [{"a": 1.0, "b": 2.0}, {"b": -1.0, "c": 0.5}, {"a": 3.0}]
LABELS = ["x", "y", "x"]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "m.braided"


def saved(model, path):
    model.save(path)
    return path.read_bytes()


def again(model, path):
    """The model after a journey to the disk and back, which must lose nothing."""
    before = saved(model, path)
    loaded = braided.load(path)
    assert saved(loaded, path) == before
    return loaded


@pytest.mark.parametrize(
    "names",
    [
        ["a", "\u00e9\U0001f600", ""],
        [1, "1", 2.5],
        [True, 2, "x"],
        [0, 5, 3],
        [5, 2**40, -1],
        [b"\x00\xff", ("a", 1, ("b", None)), None],
        [math.inf, -math.inf, 0.1],
    ],
)
def test_names_keep_their_types(names, path):
    model = OLSF().partial_fit([dict.fromkeys(names, 1.0), {names[0]: 1.0}], [0, 1])
    loaded = again(model, path)
    assert [*map(repr, loaded.engine.space.names)] == [*map(repr, model.engine.space.names)]
    assert {*map(repr, loaded.engine.space.names)} == {*map(repr, names)}
    assert loaded.weights() == model.weights()
    assert loaded.predict_one({names[2]: 1.0}) == model.predict_one({names[2]: 1.0})


def test_a_name_that_is_no_text_is_refused_before_it_is_learned():
    model = OLSF()
    with pytest.raises(InputError, match=r"the name of a feature: .* is not valid text"):
        model.partial_fit([{"a": 1.0, "\ud83d": 1.0}], [1])
    assert model.rounds == 0


@pytest.mark.parametrize("name", [frozenset("a"), Fraction(1, 3)])
def test_names_that_can_not_be_kept_are_refused(name, path):
    model = OLSF().partial_fit([{"a": 1.0, name: 1.0}], [1])
    with pytest.raises(InputError, match=r"the name of a feature: .* can not be kept in a file"):
        model.save(path)
    assert not path.exists()


@pytest.mark.parametrize(
    "labels", [("x", "y"), (0, 1), (-1, 1), (True, False), (2.5, 1.0), (b"a", b"b"), (1, "a"), "q"]
)
def test_labels_keep_their_types_and_sides(labels, path):
    for y in (list(labels), list(labels)[::-1]):
        model = OCO().partial_fit(ROWS[: len(y)], y)
        loaded = again(model, path)
        assert [*map(repr, loaded.engine.labels.values)] == [*map(repr, y)]
        assert loaded.predict(ROWS).tolist() == model.predict(ROWS).tolist()
        assert loaded.decision_function(ROWS).tolist() == model.decision_function(ROWS).tolist()


def test_declared_and_late_labels_come_back(path):
    declared = OCO().partial_fit(ROWS[:1], ["x"], classes=["x", "w"])
    assert again(declared, path).classes_.tolist() == ["w", "x"]
    late = again(OCO().partial_fit(ROWS[:1], ["x"]), path)
    assert late.partial_fit(ROWS[1:], ["w", "x"]).classes_.tolist() == ["w", "x"]
    with pytest.raises(InputError, match="third label"):
        late.learn_one({}, "z")


def test_columns_without_names_keep_their_width_and_their_numbers(path):
    X = sp.csr_matrix(np.array([[0, 0, 1.0, 0], [2.0, 0, 0, 0]]))
    model = OLSF().partial_fit(X, [0, 1])
    loaded = again(model, path)
    assert loaded.n_features_in_ == 4
    space = again(model, path).engine.space
    small = space.memory_bytes
    assert space.names == [2, 0]
    assert space.memory_bytes > small  # until then it did without Python's numbers
    with pytest.raises(InputError, match="expecting 4 features"):
        loaded.partial_fit(np.ones((1, 3)), [1])
    Y = np.array([[np.nan, 1.0, 2.0, np.nan]])
    assert again(model.partial_fit(Y, [1]), path).weights() == loaded.partial_fit(Y, [1]).weights()


def test_names_that_are_large_numbers_take_no_memory(path):
    model = OLSF().partial_fit([{0: 1.0, 2**31 - 2: 1.0}], [1])
    loaded = again(model, path)
    assert loaded.memory_bytes < 2**20
    assert loaded.weights() == model.weights()


def test_every_kind_of_input_makes_the_same_file(path):
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    dense = rng.normal(size=(80, 6)).round(2)
    dense[rng.random(dense.shape) < 0.3] = np.nan
    dense[0] = 1.0
    y = np.where(rng.random(80) < 0.5, "a", "b")
    names = list("uvwxyz")
    row, column = np.nonzero(~np.isnan(dense))
    csr = sp.csr_matrix((dense[row, column], (row, column)), shape=dense.shape)
    dicts = [{n: v for n, v in zip(names, x, strict=True) if v == v} for x in dense.tolist()]
    files = {
        saved(OLSF(budget=0.5).partial_fit(dense, y, feature_names=names), path),
        saved(OLSF(budget=0.5).partial_fit(csr, y, feature_names=names), path),
        saved(OLSF(budget=0.5).partial_fit(dicts, y), path),
        saved(OLSF(budget=0.5).partial_fit(pd.DataFrame(dense, columns=names), y), path),
    }
    one_by_one = OLSF(budget=0.5)
    for x, label in zip(dicts, y.tolist(), strict=True):
        one_by_one.learn_one(x, label)
    assert files == {saved(one_by_one, path)}


def test_parameters_keep_their_types(path):
    assert again(OLSF(budget=1), path).budget == 1
    assert isinstance(again(OLSF(budget=1), path).budget, int)
    assert isinstance(again(OLSF(budget=1.0), path).budget, float)
    assert again(OLSF(radius=math.inf), path).radius == math.inf
    assert saved(OLSF(budget=np.float64(0.5)), path) == saved(OLSF(budget=0.5), path)
    assert saved(OLSF(seed=np.int64(3)), path) == saved(OLSF(seed=3), path)
    model = OLSF(budget=Fraction(1, 3)).partial_fit(ROWS, LABELS)
    assert braided.load((model.save(path), path)[1]).weights() == model.weights()


def test_a_parameter_that_is_not_in_force_is_refused(path):
    model = OLSF().partial_fit(ROWS, LABELS)
    model.aggressiveness = 2.0
    with pytest.raises(InputError, match="not in force; use set_params"):
        model.save(path)
    model.set_params(aggressiveness=2.0).save(path)
    assert braided.load(path).aggressiveness == 2.0


@pytest.mark.parametrize(
    ("model", "change"),
    [
        (OLSF(), {"budget": 2}),
        (OLSF(budget=5), {"selection": "random"}),
        (GLSC(), {"budget": 3}),
        (GLSC(budget=0.9), {"budget": 0.2, "graph": "gradient"}),
        (FESL(), {"width": 4}),
        (FESL(width=3), {"width": 100}),
        (braided.FSOL(schedule="growing"), {"clock": "feature"}),
        (braided.AdaRDA(clock="feature"), {"clock": "global"}),
        (braided.STG(), {"ceiling": 0.01}),
    ],
)
def test_models_whose_parameters_were_changed_come_back(model, change, path):
    stream = long_stream(seed=1, rounds=120)
    rows, labels = [x for x, _ in stream], [y for _, y in stream]
    model.partial_fit(rows[:60], labels[:60]).set_params(**change)
    loaded = again(model, path).partial_fit(rows[60:], labels[60:])
    model.partial_fit(rows[60:], labels[60:])
    assert saved(loaded, path) == saved(model, path)


def test_models_that_were_interrupted_while_they_grew_come_back(path):
    model = OLSF().partial_fit(ROWS, LABELS)
    model.engine.make_room(more=100)
    assert again(model, path).weights() == model.weights()


def test_a_model_that_learned_nothing_comes_back(path):
    assert again(OLSF(budget=7), path).get_params() == OLSF(budget=7).get_params()
    empty = again(OLSF().partial_fit([], []), path)
    assert empty.rounds == 0
    assert empty.predict_one({"a": 1.0}) is None
    assert again(OLSF().partial_fit([{}], [1]), path).rounds == 1


def test_a_model_of_another_class_than_expected_is_refused(path):
    OLSF().partial_fit(ROWS, LABELS).save(path)
    assert isinstance(braided.load(path, expect=OLSF), OLSF)
    assert isinstance(braided.load(path, expect=(OCO, OLSF)), OLSF)
    assert isinstance(braided.load(path, expect=braided.Learner), OLSF)
    with pytest.raises(ModelFileError, match=r"m\.braided can not be loaded: it holds OLSF, not F"):
        braided.load(path, expect=FESL)
    with pytest.raises(ModelFileError, match="not FESL or OCO"):
        braided.load(path, expect=(FESL, OCO))


def test_classes_of_others_are_refused(path):
    class OLSF(braided.OLSF):
        pass

    class Mine(braided.OLSF):
        pass

    for cls in (OLSF, Mine):
        with pytest.raises(InputError, match="only Braided's own learners"):
            cls().save(path)
    assert not path.exists()


def test_a_file_that_does_not_exist_or_is_no_model_file_is_refused(path):
    with pytest.raises(FileNotFoundError):
        braided.load(path)
    for data in (b"", b"x", b"\0" * 1000, b"PK\x03\x04" + b"\0" * 100, os.urandom(5000)):
        path.write_bytes(data)
        with pytest.raises(ModelFileError, match=r"m\.braided can not be loaded: it"):
            braided.load(path)


def test_other_versions_and_other_safetensors_files_are_refused(path):
    OLSF().save(path)
    texts, told, arrays = contents(path)
    forge(path, {**texts, "braided": "2"}, told, arrays)
    with pytest.raises(ModelFileError, match=r"version '2'.* reads version 1: a newer one"):
        braided.load(path)
    braided.model_files.safetensors.write(path, {}, {"x": np.ones(3)})
    with pytest.raises(ModelFileError, match="no model of Braided"):
        braided.load(path)


def test_notes_come_with_the_model(path):
    save(OLSF(), path, {"note": "of one who saved it"})
    assert read(path)[1] == {"note": "of one who saved it"}

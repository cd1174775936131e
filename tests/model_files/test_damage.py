"""Damaged and forged files: refused with a ModelFileError, or no damage at all."""

import json
import os
import resource
import subprocess
import sys

import numpy as np
import pytest

import braided
from braided import ModelFileError
from tests.support.damage import damaged, files, outcome
from tests.support.every_learner import EVERY_IN_FILES, NAMES
from tests.support.forge import contents, forge
from tests.support.streams_of_rows import long_stream


@pytest.fixture(scope="module")
def given(tmp_path_factory):
    return files(tmp_path_factory.mktemp("files"))


@pytest.fixture
def path(tmp_path):
    return tmp_path / "m.braided"


@EVERY_IN_FILES
def test_random_damage_is_found(name, given, path):
    rng = np.random.default_rng(NAMES.index(name))
    for _ in range(100):
        outcome(path, given[name], damaged(given[name], rng))


def refuses(path):
    with pytest.raises(ModelFileError):
        braided.load(path)
    return True


@EVERY_IN_FILES
def test_forged_arrays_that_lead_out_of_others_are_refused(name, given, path):
    """Every number by which a kernel could find its way is set to what no kernel could bear."""
    path.write_bytes(given[name])
    texts, told, arrays = contents(path)
    seeds = {"state.rng"}  # where every number is right
    for key, array in arrays.items():
        if array.dtype.kind not in "iu" or key in seeds | {"names"}:
            continue
        highest = np.iinfo(array.dtype).max
        forged = {**arrays, key: np.full_like(array, highest)}
        forge(path, texts, told, forged)
        if array.size:
            assert refuses(path), key
        if array.dtype.kind == "i" and array.size:
            forge(path, texts, told, {**arrays, key: np.full_like(array, -highest)})
            assert refuses(path), key


@EVERY_IN_FILES
def test_forged_floats_that_are_no_numbers_are_refused(name, given, path):
    path.write_bytes(given[name])
    texts, told, arrays = contents(path)
    for key, array in arrays.items():
        if array.dtype.kind == "f" and array.size:
            for value in (np.nan, np.inf):
                poisoned = array.copy()
                poisoned.flat[-1] = value
                forge(path, texts, told, {**arrays, key: poisoned})
                assert refuses(path), key


ABSURD = [None, -1, 0, 2**31, 2**53, 2**80, 1.5, True, "x", [], [[]], {}, {"float": "inf"}]


@EVERY_IN_FILES
def test_forged_descriptions_are_refused_or_harmless(name, given, path):
    path.write_bytes(given[name])
    texts, told, arrays = contents(path)
    for key in told:
        for value in (*ABSURD, None):
            changed = {**told, key: value}
            forge(path, texts, changed, arrays)
            survives(path)
        forge(path, texts, {k: v for k, v in told.items() if k != key}, arrays)
        survives(path)
    for key in told["parameters"]:
        for value in ABSURD:
            forge(path, texts, {**told, "parameters": {**told["parameters"], key: value}}, arrays)
            survives(path)
    forge(path, texts, {**told, "parameters": {**told["parameters"], "more": 1}}, arrays)
    assert refuses(path)


def survives(path):
    """It is refused, or a model that learns on."""
    try:
        model = braided.load(path)
    except ModelFileError:
        return
    stream = long_stream(seed=2, rounds=20)
    rows = [x for x, _ in stream]
    if model.engine is not None and len(model.engine.labels) == 2:
        model.partial_fit(rows, [model.classes_[int(y > 0)] for _, y in stream])


@pytest.mark.parametrize("name", ["os.system", "../OLSF", "Core", "Learner", "", None, 3, ["OLSF"]])
def test_learners_that_are_not_known_are_not_looked_for(name, given, path):
    path.write_bytes(given["oco"])
    texts, told, arrays = contents(path)
    forge(path, texts, {**told, "learner": name}, arrays)
    with pytest.raises(ModelFileError, match="does not know"):
        braided.load(path)


@pytest.mark.parametrize("names", ["[", "3", "{}", '["a","a"]', '["a",1,1.0]', "[]", '[["a",[]]]'])
def test_forged_names_are_refused(names, given, path):
    path.write_bytes(given["oco"])
    texts, told, arrays = contents(path)
    arrays["names"] = np.frombuffer(names.encode(), np.uint8)
    forge(path, texts, told, arrays)
    assert refuses(path)


@pytest.mark.parametrize("labels", [["a", "b", "c"], ["a", "a"], [None], [{"float": "inf"}], "ab"])
def test_forged_labels_are_refused(labels, given, path):
    path.write_bytes(given["oco"])
    texts, told, arrays = contents(path)
    forge(path, texts, {**told, "labels": labels}, arrays)
    assert refuses(path)


LOADING = """
import braided, resource, sys
import braided.learners.glsc, braided.learners.fesl
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for path in sys.argv[1:]:
    try:
        braided.load(path)
    except braided.ModelFileError:
        pass
    else:
        raise SystemExit("loaded")
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
assert after - before < 100 * 1024, after - before
"""


def limited():
    resource.setrlimit(resource.RLIMIT_AS, (8 * 2**30, 8 * 2**30))


def test_forged_sizes_take_no_memory(given, tmp_path):
    """Files of some kilobytes that speak of terabytes, under a limit of memory."""
    names = [f"f{i}" for i in range(50_000)]
    paths = []
    for learner, parameter in (("glsc", "budget"), ("fesl", "width")):
        path = tmp_path / learner
        path.write_bytes(given[learner])
        texts, told, arrays = contents(path)
        told["parameters"][parameter] = 2**31 - 1
        told["features"], told["capacity"] = len(names), 65536
        arrays["names"] = np.frombuffer(json.dumps(names).encode(), np.uint8)
        forge(path, texts, told, arrays)
        paths.append(path)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", LOADING, *paths]
    subprocess.run(command, check=True, env=environment, preexec_fn=limited)

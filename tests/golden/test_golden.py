"""Model files of older versions are loaded, and say what they said."""

import json
from itertools import chain
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

import braided
from braided import registry
from braided.model_files.json_values import decode
from braided.model_files.safetensors import opened

# Files of before buffers were saved as zeros.
BRAIDS = {"Braid", "Braid-budget", "Braid-classes", "Braid-budget-classes", "PseudoLabel-classes"}
WITH_BUFFERS = BRAIDS | {"GLSC", "GLSC-adaptive", "GLSC-gradient"}
BUFFERS = {"parts", "graph.row", "graph.here", "graph.psi", "graph.total"}
for path in ("experts.own", "stack.inputs", "stack.moved", "shares.halves", "logits"):
    BUFFERS |= {path, f"braid.{path}"}
for path in ("main", "ratio", "cell", "bin", "facts"):
    BUFFERS |= {f"row.{path}", f"braid.row.{path}"}
BUFFERS |= {"scores", "slots", "values"}

FOLDER = Path(__file__).parent
NAMES = sorted(path.stem for path in FOLDER.glob("*.braided"))


def test_every_learner_has_a_golden_file():
    classes = set(registry.classes())
    assert classes <= set(NAMES), "python -m tests.golden adds those that are missing"


def as_they_were(names, values):
    """The rows with their features in the order of then, in which random choices are drawn.

    Dicts are taken in the order of their names; a sparse matrix keeps its own.
    """
    places = {name: place for place, name in enumerate(dict.fromkeys(chain(*names)))}
    indptr = np.cumsum([0, *map(len, names)])
    indices = [places[name] for name in chain(*names)]
    shape = (len(names), len(places))
    matrix = sp.csr_matrix((list(chain(*values)), indices, indptr), shape=shape)
    return braided.as_rows(matrix, feature_names=list(places))


@pytest.mark.parametrize("name", NAMES)
def test_golden_files_are_loaded_and_say_what_they_said(name):
    model = braided.load(FOLDER / f"{name}.braided")
    told = json.loads((FOLDER / f"{name}.json").read_text())
    assert type(model).__name__ == name.partition("-")[0]
    assert model.classes_.tolist() == told["classes"]
    rows = as_they_were([[*map(decode, names)] for names in told["names"]], told["values"])
    # The last digit may differ where another processor adds up in another way.
    close = {"rtol": 1e-9, "atol": 1e-12}
    np.testing.assert_allclose(model.decision_function(rows), told["scores"], **close)
    assert model.predict(rows).tolist() == told["predicted"]
    learned = model.prequential(rows, told["labels"])
    np.testing.assert_allclose(learned, told["prequential"], **close)


@pytest.mark.parametrize("name", NAMES)
def test_this_version_would_write_the_same_file(name, tmp_path):
    old, new = FOLDER / f"{name}.braided", tmp_path / "m"
    braided.load(old).save(new)
    if name not in WITH_BUFFERS:
        assert new.read_bytes() == old.read_bytes()
        return
    with opened(old) as before, opened(new) as now:
        assert (now.places, now.texts) == (before.places, before.texts)
        differ = set()
        for array, place in now.places.items():
            was, became = np.zeros(place.shape, place.dtype), np.zeros(place.shape, place.dtype)
            before.read_into(array, was)
            now.read_into(array, became)
            if not np.array_equal(was, became):
                assert not became[was != became].any(), array
                differ.add(array.rpartition("state.")[2])
    assert differ <= BUFFERS

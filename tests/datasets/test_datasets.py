"""The shipped datasets, datasets of one's own, and the way to OpenML."""

import gzip
import json
import os
import warnings
from importlib.resources import files
from types import SimpleNamespace
from urllib.error import URLError

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
import sklearn.datasets

import braided.datasets
from braided.datasets import Dataset, folder, load, names
from braided.errors import InputError

FOLDER = files("braided.datasets")
SOURCES = json.loads(FOLDER.joinpath("sources.json").read_text(encoding="utf-8"))
FACTS = {
    "title", "instances", "features", "labels", "categorical", "source", "copy", "licence", "note"
}  # fmt: skip


@pytest.fixture
def own(tmp_path, monkeypatch):
    """An empty folder that BRAIDED_DATA names."""
    monkeypatch.setenv("BRAIDED_DATA", str(tmp_path))
    return tmp_path


@pytest.fixture
def shipped_only(monkeypatch):
    monkeypatch.delenv("BRAIDED_DATA", raising=False)


@pytest.fixture
def offline(monkeypatch):
    def fail(name, **options):
        warnings.warn("A network error occurred while downloading. Retrying...", stacklevel=1)
        raise URLError("no route\nto host")

    monkeypatch.setattr(sklearn.datasets, "fetch_openml", fail)


def test_the_public_names_of_datasets_are_sorted():
    assert braided.datasets.__all__ == sorted(braided.datasets.__all__)


# --- the shipped datasets -----------------------------------------------------------------------


@pytest.mark.usefixtures("shipped_only")
def test_names_are_the_described_sets():
    assert names() == sorted(SOURCES)
    packed = {entry.name.removesuffix(".csv.xz") for entry in FOLDER.joinpath("files").iterdir()}
    assert packed == set(SOURCES) - {"wdbc"}


def test_shipped_files_stay_small():
    sizes = [len(entry.read_bytes()) for entry in FOLDER.joinpath("files").iterdir()]
    assert sum(sizes) <= 2_000_000


@pytest.mark.usefixtures("shipped_only")
@pytest.mark.parametrize("name", sorted(SOURCES))
def test_shipped_set_is_as_described(name):
    facts = SOURCES[name]
    assert set(facts) == FACTS
    dataset = load(name)
    assert isinstance(dataset, Dataset)
    assert dataset.name == name
    assert len(dataset.X) == dataset.y.size == facts["instances"]
    assert dataset.X.labels is None
    labels, counts = np.unique(dataset.y, return_counts=True)
    assert dict(zip(labels.tolist(), counts.tolist(), strict=True)) == facts["labels"]
    columns = {str(feature).partition("=")[0] for feature in dataset.X.names}
    assert len(columns) == facts["features"]
    indicators = {feature.partition("=")[0] for feature in dataset.X.names if "=" in feature}
    assert indicators == set(facts["categorical"])
    # None of the copies has a missing value, so every row observes every column once.
    assert dataset.X.values.size == facts["instances"] * facts["features"]
    assert dataset.licence == facts["licence"]
    assert dataset.note == facts["note"]
    assert facts["source"] in dataset.source


@pytest.mark.usefixtures("shipped_only")
@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("magic", {"fLength": 28.7967, "fConc1": 0.1982, "fAlpha": 40.092, "fDist": 81.8828}),
        ("german", {"checking=A11": 1.0, "duration": 6.0, "purpose=A43": 1.0, "age": 67.0}),
        (
            "spambase",
            {"word_freq_make": 0.0, "char_freq_!": 0.778, "capital_run_length_total": 278},
        ),
        ("ionosphere", {"a1": 1.0, "a3": 0.995, "a34": -0.453}),
        ("australian", {"A1=1": 1.0, "A2": 2208.0, "A5=4": 1.0, "A14": 1213.0}),
        ("crx", {"A1=b": 1.0, "A2": 3083.0, "A13=g": 1.0, "A15": 0.0}),
        ("wisconsin", {"clump_thickness": 5.0, "bare_nuclei": 1.0, "mitoses": 1.0}),
        ("splice", {"p-30=A": 1.0, "p-1=G": 1.0, "p+1=G": 1.0, "p+2=T": 1.0, "p+30=C": 1.0}),
        ("wdbc", {"mean radius": 17.99, "worst fractal dimension": 0.1189}),
    ],
)
def test_the_first_row_of_shipped_sets(name, first):
    row = next(load(name).X.dicts())
    assert {feature: row[feature] for feature in first} == first


@pytest.mark.usefixtures("shipped_only")
def test_repr_is_short_and_says_what_it_is():
    text = repr(load("german"))
    assert text == "<Dataset german: 1000 rows, 61 features, labels 'good' (700), 'bad' (300)>"


# --- datasets of one's own ----------------------------------------------------------------------


def test_own_folder_comes_first(own):
    (own / "german.svm").write_text("1 1:2\n-1 3:0\n")
    dataset = load("german")
    assert list(dataset.X.dicts()) == [{1: 2.0}, {3: 0.0}]
    assert dataset.y.tolist() == [1, -1]
    assert dataset.X.labels is None
    assert "german.svm" in dataset.source


@pytest.mark.parametrize("suffix", [".svm", ".svmlight", ".libsvm"])
@pytest.mark.parametrize("packed", [False, True])
def test_own_files_of_every_kind(own, suffix, packed):
    text = b"2 4:1.5\n3 4:2.5\n"
    path = own / f"mine{suffix}{'.gz' if packed else ''}"
    path.write_bytes(gzip.compress(text) if packed else text)
    assert "mine" in names()
    assert load("mine").y.tolist() == [2, 3]


def test_names_hold_shipped_and_own_sorted(own):
    for file in ["zebra.svm.gz", "aardvark.svm", "aardvark.vocab", "german.svm", "notes.txt"]:
        (own / file).touch()
    assert names() == sorted({*SOURCES, "zebra", "aardvark"})


@pytest.mark.parametrize("packed", [False, True])
def test_vocabulary_names_the_features(own, packed):
    (own / "mine.svm").write_text("1 1:2 3:1\n0 2:0\n")
    vocabulary = b"apple\npear, ripe\nquince=yes\nplum\n"
    if packed:
        (own / "mine.vocab.gz").write_bytes(gzip.compress(vocabulary))
    else:
        (own / "mine.vocab").write_bytes(vocabulary)
    X = load("mine").X
    assert list(X.dicts()) == [{"apple": 2.0, "quince=yes": 1.0}, {"pear, ripe": 0.0}]
    assert X.width == 4


@pytest.mark.parametrize(
    ("vocabulary", "message"),
    [
        (b"a\nb\n", "has feature 3, but .*names the features 1 to 2"),
        (b"a\n\nc\n", "mine.vocab, line 2: empty"),
        (b"a\nb\na\n", "mine.vocab, line 3: 'a' is already the name on line 1"),
        (b"a\n\xff\nc\n", "mine.vocab is not UTF-8 text"),
    ],
)
def test_faulty_vocabularies_are_refused(own, vocabulary, message):
    (own / "mine.svm").write_text("1 1:2 3:1\n")
    (own / "mine.vocab").write_bytes(vocabulary)
    with pytest.raises(InputError, match=message):
        load("mine")


def test_vocabulary_does_not_name_feature_zero(own):
    (own / "mine.svm").write_text("1 0:2\n")
    (own / "mine.vocab").write_text("a\nb\n")
    with pytest.raises(InputError, match="has feature 0, but"):
        load("mine")


def test_a_vocabulary_that_is_not_gzip_is_refused(own):
    (own / "mine.svm").write_text("1 1:2\n")
    (own / "mine.vocab.gz").write_text("a\n")
    with pytest.raises(InputError, match=r"mine.vocab.gz cannot be read"):
        load("mine")


def test_a_folder_that_does_not_exist_is_refused(tmp_path, monkeypatch):
    monkeypatch.setenv("BRAIDED_DATA", str(tmp_path / "nowhere"))
    with pytest.raises(InputError, match=r"BRAIDED_DATA is .*nowhere.*not a folder"):
        load("german")


def test_sets_in_the_real_folder_load():
    if not os.environ.get("BRAIDED_DATA"):
        pytest.skip("BRAIDED_DATA names no folder of datasets")
    found = {name: folder.find(name) for name in folder.names()}
    small = {name: path for name, path in found.items() if path.stat().st_size < 20_000_000}
    if not small:
        pytest.skip("BRAIDED_DATA has no dataset of less than 20 MB")
    for name, path in small.items():
        dataset = load(name)
        assert dataset.source == str(path)
        assert len(dataset.X) == dataset.y.size > 0


# --- OpenML -------------------------------------------------------------------------------------


def answer(monkeypatch, **parts):
    """Let OpenML answer with this, and return the list of names that it was asked for."""
    asked = []

    def fetch(name, **options):
        asked.append(name)
        details = {"version": "2", "licence": "Public"}
        return SimpleNamespace(**{"details": details, "feature_names": None, **parts})

    monkeypatch.setattr(sklearn.datasets, "fetch_openml", fetch)
    return asked


@pytest.mark.usefixtures("shipped_only")
def test_openml_is_asked_when_it_is_named(monkeypatch):
    frame = pd.DataFrame(
        {"size": [1.5, np.nan], "colour": pd.Series(["red", None], dtype="category")}
    )
    asked = answer(monkeypatch, data=frame, target=pd.Series(["yes", "no"], dtype="category"))
    dataset = load("openml:elsewhere")
    assert asked == ["elsewhere"]
    assert list(dataset.X.dicts()) == [{"size": 1.5, "colour=red": 1.0}, {}]
    assert dataset.y.tolist() == ["yes", "no"]
    assert dataset.source == "OpenML, elsewhere, version 2"
    assert dataset.licence == "Public"
    assert load("german").name == "german"
    assert asked == ["elsewhere"]


@pytest.mark.usefixtures("shipped_only")
def test_sparse_sets_of_openml_keep_their_names(monkeypatch):
    X = sp.csr_matrix(([0.0, 3.0], ([0, 1], [1, 0])), shape=(2, 2))
    answer(monkeypatch, data=X, feature_names=["a", "b"], target=np.array([0, 1]))
    assert list(load("openml:elsewhere").X.dicts()) == [{"b": 0.0}, {"a": 3.0}]


@pytest.mark.usefixtures("shipped_only")
@pytest.mark.parametrize("target", [None, pd.DataFrame({"a": [1], "b": [2]})])
def test_an_openml_set_without_one_column_of_labels_is_refused(monkeypatch, target):
    answer(monkeypatch, data=pd.DataFrame({"x": [1.0]}), target=target)
    with pytest.raises(InputError, match="'elsewhere' does not have exactly one column of labels"):
        load("openml:elsewhere")


@pytest.mark.filterwarnings("error")
@pytest.mark.usefixtures("offline")
def test_a_failed_fetch_is_one_line():
    with pytest.raises(InputError) as caught:
        load("openml:germany")
    message = str(caught.value)
    assert "\n" not in message
    assert message.startswith("no dataset 'openml:germany': ")
    assert "OpenML could not be reached or has no such set" in message
    assert "no route to host" in message


def test_a_mistyped_name_is_answered_at_once_with_its_near_matches(own, monkeypatch):
    (own / "mine.svm").write_text("1 1:2\n")
    asked = answer(monkeypatch)
    with pytest.raises(
        InputError, match=r"no dataset 'germany' \(did you mean 'german'\?\)"
    ) as caught:
        load("germany")
    assert "the known names are australian, crx, german," in str(caught.value)
    assert "mine" in str(caught.value)
    assert "openml:germany asks OpenML for it" in str(caught.value)
    assert asked == []


@pytest.mark.usefixtures("shipped_only")
def test_openml_without_pandas_names_the_extra(monkeypatch):
    def fail(name, **options):
        raise ImportError("needs pandas")

    monkeypatch.setattr(sklearn.datasets, "fetch_openml", fail)
    with pytest.raises(InputError, match=r"pip install 'braided\[frames\]'"):
        load("openml:elsewhere")


@pytest.mark.usefixtures("shipped_only", "offline")
@pytest.mark.parametrize("name", ["", "../german", "data/german.svm"])
def test_what_is_no_name_is_refused(name):
    with pytest.raises(InputError, match="is not the name of a dataset; known: australian,"):
        load(name)

"""FeatureSpace: names <-> columns, in order of first sight, whatever they come from."""

from __future__ import annotations

import pickle
import sys
import threading
from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from braided import FeatureSpace
from braided.features import space as space_module
from braided.records import as_rows

pd = pytest.importorskip("pandas")


def place(space, X, *, grow=True, **options):
    """The placed rows as lists of (column, value)."""
    placed = space.place(as_rows(X, **options), grow=grow)
    return [list(x.items()) for x in placed.dicts()]


# ------------------------------------------------------------------ order of first sight


def test_columns_are_given_in_order_of_first_sight():
    space = FeatureSpace()
    assert place(space, [{"c": 1, "b": 2}, {"c": 3, "a": 4}]) == [
        [(0, 2), (1, 1)],  # of names that are first seen together, the smaller one goes before
        [(2, 4), (1, 3)],
    ]
    assert space.names == ["b", "c", "a"]
    assert space.columns == {"b": 0, "c": 1, "a": 2}
    assert list(space) == ["b", "c", "a"]
    assert len(space) == 3
    assert repr(space) == "<3 features>"
    assert "a" in space
    assert "d" not in space


def sources(row):
    """One row of whole-number names as each kind of input, its first row empty."""
    width = max(row, default=0) + 1
    dense = np.full((2, width), np.nan)
    dense[1, list(row)] = list(row.values())
    indices, values = np.array(list(row), np.int32), np.array(list(row.values()), float)
    csr = sp.csr_matrix((values, indices, np.array([0, 0, len(row)])), shape=(2, width))
    names = list(range(width))
    return {
        "dicts": ([{}, row], {}),
        "dense": (dense, {}),
        "named dense": (dense, {"feature_names": names}),
        "csr": (csr, {}),
        "named csr": (csr, {"feature_names": names}),
        "frame": (pd.DataFrame(dense, columns=names), {}),
    }


@given(
    st.lists(
        st.tuples(
            st.sampled_from(sorted(sources({}))),
            st.dictionaries(st.integers(0, 9), st.integers(1, 5), max_size=5),
            st.booleans(),
        ),
        max_size=12,
    )
)
def test_any_mixture_of_sources_means_what_dicts_mean(steps):
    """A column without a name and a dict's int are the same feature."""
    space, columns = FeatureSpace(), {}
    for kind, row, grow in steps:
        X, options = sources(row)[kind]
        in_order = row if kind in ("csr", "named csr") else dict(sorted(row.items()))
        if grow:
            for name in in_order:
                columns.setdefault(name, len(columns))
        expected = [(columns[n], v) for n, v in in_order.items() if n in columns]
        assert place(space, X, grow=grow, **options) == [[], expected]
        assert len(space) == len(columns)
    assert space.columns == columns
    assert space.names == list(columns)


def test_a_name_that_is_never_observed_is_never_seen():
    space = FeatureSpace()
    place(space, [{"a": None, "b": float("nan"), "c": 0}])
    place(space, np.array([[np.nan, 1.0]]), feature_names=["d", "e"])
    place(space, sp.csr_matrix((1, 100)))
    assert space.names == ["c", "e"]


@pytest.mark.parametrize("same", [(1, True), (1, 1.0), (0, False), (0, -0.0), (2, np.int64(2))])
def test_names_that_are_equal_are_one_feature(same):
    space = FeatureSpace()
    for name in same:
        place(space, [{name: 1.0}])
    place(space, np.ones((1, 3)))
    assert len(space) == 3


def test_names_that_differ_are_different_features():
    space = FeatureSpace()
    place(space, [{1: 1.0, "1": 1.0, (1,): 1.0, None: 1.0, -1: 1.0, -2: 1.0, "": 1.0}])
    assert len(space) == 7


def test_add_gives_columns_to_new_names_and_tells_those_of_old_ones():
    space = FeatureSpace()
    place(space, np.ones((1, 2)))
    assert space.add(["a", 1, "b", "a"]) == [2, 1, 3, 2]
    assert space.names == [0, 1, "a", "b"]
    assert space.add(iter([])) == []


# --------------------------------------------------------------------------- predicting


@pytest.mark.parametrize("kind", sorted(sources({})))
@pytest.mark.parametrize("learned", sorted(sources({})))
def test_predicting_never_grows_the_space(learned, kind):
    space = FeatureSpace()
    X, options = sources({3: 1, 1: 1})[learned]
    place(space, X, **options)
    names, memory = list(space.names), space.memory_bytes
    X, options = sources({1: 5, 7: 6, 3: 7})[kind]
    for _ in range(2):
        placed = place(space, X, grow=False, **options)[1]
        assert sorted(placed) == sorted([(space.columns[1], 5), (space.columns[3], 7)])
    assert space.names == names
    assert space.memory_bytes <= memory + 600  # the names of the last source, and its translation
    X, options = sources({7: 6})["dicts"]
    assert place(space, X) == [[], [(2, 6)]]


def test_predicting_wide_arrays_takes_no_memory():
    """Learned from dicts, the model may meet arrays of any width."""
    space = FeatureSpace()
    place(space, [{5: 1.0}])
    memory = space.memory_bytes
    wide = sp.csr_matrix((np.ones(2), ([0, 0], [5, 10**6])), shape=(1, 10**6 + 1))
    assert place(space, wide, grow=False) == [[(0, 1.0)]]
    assert space.memory_bytes == memory


def test_numbers_stay_numbers_until_somebody_asks_for_a_name():
    """As Python objects they would take twenty times the room."""
    space = FeatureSpace()
    place(space, sp.csr_matrix(np.ones((1, 1000))))
    memory = space.memory_bytes
    place(space, sp.csr_matrix(np.ones((1, 1001))), grow=False)
    assert space.memory_bytes == memory < 10_000
    assert space.names == list(range(1000))
    assert space.memory_bytes > 50_000


def test_the_last_source_is_not_pickled():
    space = FeatureSpace()
    place(space, sp.csr_matrix(([1.0], ([0], [7])), shape=(1, 50_000)),
          feature_names=[f"n{i}" for i in range(50_000)])  # fmt: skip
    packed = pickle.dumps(space)
    assert len(packed) < 1000
    again = pickle.loads(packed)
    assert again.names == ["n7"]
    assert place(again, [{"n8": 1.0, "n7": 2.0}]) == [[(0, 2.0), (1, 1.0)]]


def test_memory_counts_the_translation_of_the_last_source():
    space = FeatureSpace()
    place(space, [{"a": 1.0}])
    memory = space.memory_bytes
    place(space, sp.csr_matrix((1, 1000)), feature_names=range(1000))
    assert space.memory_bytes >= memory + 4 * 1000
    names = [f"n{i}" for i in range(1000)]
    place(space, np.ones((1, 1000)), feature_names=names)
    held = sys.getsizeof(names) + sum(map(len, names)) + 16 * 1000 + 4 * 1000
    assert space.memory_bytes >= memory + held


# -------------------------------------------------------------------------- translation


def test_sources_that_alternate_or_are_renamed_are_told_apart():
    space = FeatureSpace()
    first, second = as_rows([{"a": 1, "b": 2}]), as_rows([{"b": 3, "c": 4}])
    renamed = replace(first, names=["c", "d"])
    for _ in range(3):
        for grow in (True, False):
            assert space.place(first, grow=grow).indices.tolist() == [0, 1]
            assert space.place(second, grow=grow).indices.tolist() == [1, 2]
            assert space.place(first[:1], grow=grow).indices.tolist() == [0, 1]
            assert space.place(renamed).indices.tolist() == [2, 3]
    assert space.names == ["a", "b", "c", "d"]


def test_a_source_that_widens_keeps_its_translation():
    space = FeatureSpace()
    for width in (1, 3, 2, 6, 40):
        X = sp.csr_matrix(([1.0], ([0], [width - 1])), shape=(1, width))
        place(space, X)
    assert space.names == [0, 2, 1, 5, 39]
    assert space.place(as_rows(np.ones((1, 6))), grow=False).indices.tolist() == [0, 2, 1, 3]


def test_labels_and_values_come_along():
    placed = FeatureSpace().place(as_rows([{"a": 1.5}, {"b": 2.5}], ["x", "y"]))
    assert placed.labels.tolist() == ["x", "y"]
    assert placed.values.tolist() == [1.5, 2.5]
    assert placed.width == 2


@pytest.mark.parametrize("named", [False, True])
@pytest.mark.parametrize("after_dicts", [False, True])
def test_an_interrupt_while_names_are_translated_leaves_no_trace(monkeypatch, named, after_dicts):
    """Ctrl-C is noticed when compiled code returns: then columns are given out, not recorded."""

    def interrupted(*arguments):
        translate(*arguments)
        raise KeyboardInterrupt

    translate = space_module.translate
    space, untouched = FeatureSpace(), FeatureSpace()
    options = {"feature_names": [*"abcdef"]} if named else {}
    for each in (space, untouched):
        if after_dicts:
            place(each, [{"b": 1.0, 4: 1.0}])
        place(each, np.array([[np.nan, 1.0, 1.0, np.nan, np.nan, np.nan]]), **options)
    with monkeypatch.context() as patch:
        patch.setattr(space_module, "translate", interrupted)
        with pytest.raises(KeyboardInterrupt):
            place(space, np.ones((1, 6)), **options)
    for X in (np.array([[np.nan] * 5 + [1.0]]), np.ones((2, 6))):
        assert place(space, X, **options) == place(untouched, X, **options)
    assert space.names == untouched.names


def test_threads_may_predict_side_by_side():
    space = FeatureSpace()
    place(space, sp.csr_matrix(np.ones((1, 500))))
    rng = np.random.default_rng(0)
    blocks = []
    for t in range(4):
        columns = rng.permutation(3000)[:1500].astype(np.int32)
        csr = sp.csr_matrix((np.ones(1500), columns, [0, 1500]), shape=(1, 3000))
        names = [f"{t} {c}" if t % 2 else c for c in range(3000)]
        blocks.append((as_rows(csr), [c for c in columns.tolist() if c < 500]))
        named = as_rows(csr, feature_names=names)
        blocks.append((named, [] if t % 2 else [c for c in columns.tolist() if c < 500]))
    wrong = []

    def predict(rows, expected):
        for _ in range(60):
            if space.place(rows, grow=False).indices.tolist() != expected:
                wrong.append(expected)

    threads = [threading.Thread(target=predict, args=block) for block in blocks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert len(space) == 500


def test_keeps_some_columns_and_numbers_them_anew():
    space = FeatureSpace.of(["a", "b", "c", "d"])
    space.keep([1, 3])
    assert (space.names, space.columns, len(space)) == (["b", "d"], {"b": 0, "d": 1}, 2)
    placed = space.place(as_rows([{"d": 1.0, "a": 2.0}, {"b": 3.0}]))
    assert placed.indices.tolist() == [2, 1, 0]
    space.keep([])
    assert (space.names, len(space)) == ([], 0)
    assert space.place(as_rows([{"d": 1.0}])).indices.tolist() == [0]


@pytest.mark.parametrize("names", [None, ["a", "b", "c", "d", "e"]])
def test_sources_are_translated_again_when_columns_were_numbered_anew(names):
    rows = as_rows(np.ones((2, 5)), feature_names=names)
    space = FeatureSpace()
    space.place(rows)
    space.keep([4, 2])
    assert space.names == [rows.name(4), rows.name(2)]
    assert space.place(rows, grow=False).indices.tolist() == [1, 0, 1, 0]
    assert space.place(rows).indices.tolist() == [2, 3, 1, 4, 0] * 2
    space.keep([])
    assert space.place(rows, grow=False).indices.tolist() == []
    assert space.place(rows).indices.tolist() == [0, 1, 2, 3, 4] * 2


def test_bytes_of_names_are_those_of_all_names_however_often_they_are_asked_for():
    space = FeatureSpace()
    for names in (["a", "b"], ["b", "a longer name", 7], [f"f{i}" for i in range(300)]):
        space.add(names)
        fresh = FeatureSpace.of(space.names)
        texts = [name for name in space.names if isinstance(name, str)]
        assert space.memory_bytes >= 24 * len(space) + sum(map(len, texts))
        assert (
            abs(space.memory_bytes - fresh.memory_bytes) < 4096
        )  # lists and dicts have spare room
    before = space.memory_bytes
    space.keep([0, 2])
    assert space.memory_bytes < before / 10

"""Rows: slicing, selecting, and the mark of rows that were checked."""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from braided import OLSF, FeatureSpace, InputError, Rows, as_rows
from braided.rows.rows import offsets

SOUND = {
    "indptr": np.array([0, 2, 3]),
    "indices": np.array([0, 2, 1], np.int32),
    "values": np.array([1.0, 2.0, 3.0]),
    "width": 3,
}


DICTS = [{"a": 1.0, "b": 2.0}, {}, {"b": 3.0}, {"c": 4.0, "a": 0.0}]
ROWS = as_rows(DICTS, [10, 11, 12, 13])


def shown(rows):
    return list(rows.dicts()), rows.labels.tolist()


# ------------------------------------------------------------------------------ choosing


@pytest.mark.parametrize(
    "which",
    [
        slice(None), slice(1, 3), slice(2), slice(3, 1), slice(-2, None), slice(9, 12),
        slice(0, 4, 2), slice(None, None, -1), slice(2, None, -2),
        np.array([2, 0, 2]), np.array([-1, 1]), np.array([], np.int64), np.array([3], np.uint8),
        np.array([True, False, False, True]), np.zeros(4, bool), [1, 3], range(2),
    ],
    ids=repr,
)  # fmt: skip
def test_choosing_rows_is_as_in_numpy(which):
    numbers = np.arange(4)[which].tolist()
    chosen = ROWS[which]
    assert shown(chosen) == ([DICTS[i] for i in numbers], [10 + i for i in numbers])
    assert len(chosen) == len(numbers)
    assert (chosen.names, chosen.width) == (ROWS.names, ROWS.width)
    assert chosen.indptr[0] == 0
    assert chosen.indptr.dtype == np.int64


def test_one_number_is_one_row():
    assert shown(ROWS[2]) == ([DICTS[2]], [12])
    assert shown(ROWS[-1]) == ([DICTS[3]], [13])
    assert [shown(row)[0] for row in ROWS] == [[x] for x in DICTS]


@pytest.mark.parametrize("which", [4, -5, np.array([4]), np.array([True, False]), np.array([0.5])])
def test_row_numbers_out_of_range_are_refused(which):
    with pytest.raises(IndexError):
        ROWS[which]


@given(
    st.lists(st.dictionaries(st.sampled_from("abcd"), st.integers(0, 9), max_size=4), max_size=8),
    st.data(),
)
def test_choosing_rows_and_entries_from_any_rows(X, data):
    rows = as_rows(X, list(range(len(X))))
    numbers = data.draw(st.lists(st.integers(0, max(0, len(X) - 1)), max_size=6)) if X else []
    chosen = rows[np.array(numbers, np.int64)]
    assert shown(chosen) == ([X[i] for i in numbers], numbers)
    keep = np.array([data.draw(st.booleans()) for _ in range(chosen.values.size)], bool)
    selected = chosen.select(keep)
    left = iter(keep.tolist())
    assert list(selected.dicts()) == [
        {n: v for n, v in x.items() if next(left)} for x in chosen.dicts()
    ]
    assert selected.labels.tolist() == numbers


def test_entries_know_their_row():
    assert ROWS.row_of_entry().tolist() == [0, 0, 2, 3, 3]
    assert as_rows([]).row_of_entry().tolist() == []
    assert as_rows([{}, {}]).row_of_entry().tolist() == []


def test_offsets_are_cumulated_sizes():
    assert offsets(np.array([2, 0, 1])).tolist() == [0, 2, 2, 3]
    assert offsets(np.array([], np.int64)).tolist() == [0]
    assert offsets(np.array([True, True])).dtype == np.int64


# ------------------------------------------------------------------------------- showing


def test_repr_shows_the_numbers_of_rows_columns_and_values():
    assert repr(ROWS) == "<4 rows, 3 columns, 5 values, labelled>"
    assert repr(as_rows(np.ones((2, 3)))) == "<2 rows, 3 columns, 6 values>"


def test_a_column_without_a_name_is_called_by_its_number():
    rows = as_rows(np.ones((1, 2)))
    assert rows.name(np.int32(1)) == 1
    assert type(rows.name(np.int32(1))) is int
    assert ROWS.name(1) == "b"


def test_to_csr_keeps_zeros_that_were_observed():
    csr = ROWS.to_csr()
    assert csr.shape == (4, 3)
    assert csr.nnz == 5
    assert list(as_rows(csr, feature_names=ROWS.names).dicts()) == DICTS


def test_rows_can_not_be_changed_by_accident():
    with pytest.raises(AttributeError):
        ROWS.width = 7


# -------------------------------------------------------------------------------- checked


def test_checked_rows_stay_checked_when_sliced_and_are_not_when_replaced():
    rows = as_rows([{"a": 1.0, "b": 2.0}, {"b": 3.0}], ["x", "y"])
    assert rows.checked
    assert rows[:1].checked
    assert rows[np.array([1])].checked
    assert rows.select(rows.values > 1).checked
    assert pickle.loads(pickle.dumps(rows)).checked
    assert not replace(rows, values=rows.values * 2).checked
    assert not Rows(**SOUND).checked


def test_sound_rows_made_by_hand_are_taken_as_they_are():
    rows = as_rows(Rows(**SOUND, names=["x", "y", "z"], labels=np.array([1, 0])))
    assert list(rows.dicts()) == [{"x": 1.0, "z": 2.0}, {"y": 3.0}]
    assert rows.labels.tolist() == [1, 0]


def test_rows_made_by_hand_are_brought_into_the_one_layout():
    loose = Rows(
        np.array([0, 2, 3], np.uint8),
        np.array([0, 9, 2, 9, 1, 9], np.int64)[::2],
        np.array([1, 2, 3], np.int8),
        3,
    )
    rows = as_rows(loose)
    assert [a.dtype for a in (rows.indptr, rows.indices, rows.values)] == [
        np.int64,
        np.int32,
        np.float64,
    ]
    assert rows.indices.flags.c_contiguous
    assert list(rows.dicts()) == [{0: 1.0, 2: 2.0}, {1: 3.0}]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"indices": np.array([0, 3, 1], np.int32)}, "row 0: column 3 is not among the 3 columns"),
        ({"indices": np.array([0, 1, -1], np.int32)}, "row 1: column -1"),
        ({"indices": np.array([0, 1, 2**40])}, "row 1: column 1099511627776"),
        ({"indices": np.array([2, 2, 1], np.int32)}, "row 0: feature 2 appears twice"),
        ({"indices": np.array([0.0, 2.0, 1.0])}, "float64"),
        ({"indptr": np.array([0, 2, 4])}, "indptr"),
        ({"indptr": np.array([1, 2, 3])}, "indptr"),
        ({"indptr": np.array([0, 3, 2])}, "indptr"),
        ({"indptr": np.array([0, 2, -1])}, "indptr"),
        ({"indptr": np.array([], np.int64)}, "indptr"),
        ({"values": np.array([1.0, np.inf, 3.0])}, "row 0, feature 2: inf"),
        ({"values": np.array([1.0, 2.0])}, "indptr"),
        ({"values": np.array(["a", "b", "c"])}, "<U1"),
        ({"values": np.array([[1.0, 2.0, 3.0]])}, "one dimension"),
        ({"values": [1.0, 2.0, 3.0]}, "list"),
        ({"width": 2**31}, "2147483648 columns"),
        ({"width": -1}, "-1 columns"),
        ({"width": 3.0}, "3.0 columns"),
        ({"names": ["x", "y"]}, "2 feature names for 3 columns"),
        ({"names": ["x", "y", "x"]}, "'x'"),
        ({"labels": np.array([1, 0, 1])}, "3 labels for 2 rows"),
    ],
)
def test_malformed_rows_reach_no_kernel(change, why):
    malformed = Rows(**{**SOUND, **change})
    with pytest.raises(InputError, match=why):
        as_rows(malformed)
    with pytest.raises(InputError, match=why):
        FeatureSpace().place(malformed)
    y = None if "labels" in change else [1, 0]
    model = OLSF()
    with pytest.raises(InputError, match=why):
        model.partial_fit(malformed, y)
    assert model.rounds == 0


def test_nan_in_rows_made_by_hand_is_unobserved():
    rows = Rows(**{**SOUND, "values": np.array([1.0, np.nan, 3.0])})
    assert list(as_rows(rows).dicts()) == [{0: 1.0}, {1: 3.0}]
    model = OLSF().partial_fit(rows, [1, 0])
    assert model.rounds == 2
    assert model.features_seen == 2


def test_rows_whose_values_were_changed_since_are_not_skipped_in_silence():
    matrix = sp.csr_matrix(np.ones((3, 2)))
    rows = as_rows(matrix, [1, 0, 1])
    model = OLSF().partial_fit(rows)
    matrix.data[2] = np.inf
    with pytest.raises(InputError, match="row 1: a value is no longer allowed"):
        model.decision_function(rows)
    with pytest.raises(InputError, match="row 1: a value is no longer allowed"):
        model.partial_fit(rows)


@given(
    st.lists(st.lists(st.booleans(), max_size=4), max_size=6),
    st.randoms(use_true_random=False),
)
def test_select_keeps_the_marked_entries_of_each_row(marks, random):
    counts = [len(row) for row in marks]
    keep = np.array([mark for row in marks for mark in row], bool)
    indices = np.array([random.randrange(9) for _ in keep], np.int32)
    rows = Rows(offsets(np.array(counts, np.int64)), indices, 1.0 * np.arange(keep.size), 9)
    selected = rows.select(keep)
    assert selected.values.tolist() == np.flatnonzero(keep).tolist()
    assert selected.indices.tolist() == indices[keep].tolist()
    assert np.diff(selected.indptr).tolist() == [sum(row) for row in marks]


@pytest.mark.parametrize("indptr", [[0, 9, 2], [0, 5, -3], [7, 7, 7], [0, 2, 1]])
def test_select_stays_within_rows_that_make_no_sense(indptr):
    rows = Rows(np.array(indptr), np.zeros(3, np.int32), np.ones(3), 1)
    assert rows.select(np.array([True, False, True])).values.size == 2
    with pytest.raises(IndexError, match="2 marks for 3 entries"):
        rows.select(np.ones(2, bool))

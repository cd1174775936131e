"""Rows: slicing, selecting, and the mark of rows that were checked."""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pytest

from braided import OLSF, FeatureSpace, InputError, Rows, as_rows

SOUND = {
    "indptr": np.array([0, 2, 3]),
    "indices": np.array([0, 2, 1], np.int32),
    "values": np.array([1.0, 2.0, 3.0]),
    "width": 3,
}


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

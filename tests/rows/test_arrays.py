"""Rows as arrays."""

from __future__ import annotations

import math
from decimal import Decimal

import numpy as np
import pytest
import scipy.sparse as sp

from braided import OLSF, InputError, Rows, as_rows
from tests.support.made_rows import bad_in_arrays, dicts

pd = pytest.importorskip("pandas")


DENSE = np.array([[1.0, 0.0, 2.0], [0.0, 3.0, 4.0]])


@pytest.mark.parametrize(
    "array",
    [
        DENSE,
        DENSE.tolist(),
        DENSE.astype(np.float32),
        DENSE.astype(np.float16),
        DENSE.astype(np.longdouble),
        DENSE.astype(np.int8),
        DENSE.astype(np.uint64),
        DENSE.astype(object),
        DENSE.astype(">f8"),
        np.asfortranarray(DENSE),
        np.repeat(DENSE, 2, axis=1)[:, ::2],
        DENSE[::-1][::-1],
        np.matrix(DENSE),
        tuple(map(tuple, DENSE)),
    ],
    ids=lambda a: f"{type(a).__name__} {getattr(a, 'dtype', '')}",
)
def test_an_array_of_any_type_and_layout(array):
    rows = as_rows(array)
    assert list(rows.dicts()) == [{0: 1.0, 1: 0.0, 2: 2.0}, {0: 0.0, 1: 3.0, 2: 4.0}]
    assert rows.names is None
    for part, dtype in ((rows.indptr, np.int64), (rows.indices, np.int32), (rows.values, float)):
        assert part.dtype == np.dtype(dtype)
        assert part.flags.c_contiguous
        assert part.flags.writeable


def test_bools_are_numbers():
    assert dicts(np.array([[True, False]])) == [{0: 1.0, 1: 0.0}]


def test_read_only_and_mapped_arrays_are_read(tmp_path):
    frozen = DENSE.copy()
    frozen.flags.writeable = False
    np.save(tmp_path / "X.npy", DENSE)
    for mode in ("r", "c", "r+"):
        mapped = np.load(tmp_path / "X.npy", mmap_mode=mode)
        model = OLSF().partial_fit(mapped, [1, 0])
        assert model.weights() == OLSF().partial_fit(frozen, [1, 0]).weights()
    matrix = sp.csr_matrix(DENSE)
    for part in (matrix.data, matrix.indices, matrix.indptr):
        part.flags.writeable = False
    assert len(OLSF().partial_fit(matrix, [1, 0]).weights()) == 3
    assert (np.load(tmp_path / "X.npy") == DENSE).all()


def test_nan_none_and_masked_cells_are_unobserved():
    assert dicts(np.array([[np.nan, 1.0]])) == [{1: 1.0}]
    assert dicts([[None, 1.0], [2.0, math.nan]]) == [{1: 1.0}, {0: 2.0}]
    assert dicts(np.array([[pd.NA, 1], [None, Decimal(2)]], dtype=object)) == [{1: 1.0}, {1: 2.0}]
    assert dicts(np.ma.array([[1, 2]], mask=[[True, False]])) == [{1: 2.0}]
    assert dicts(np.ma.array([["x", 2]], mask=[[True, False]], dtype=object)) == [{1: 2.0}]
    assert dicts(np.ma.array([[1, 2]])) == [{0: 1.0, 1: 2.0}]


def test_names_for_the_columns_of_an_array():
    for names in (["a", "b", "c"], ("a", "b", "c"), np.array(["a", "b", "c"]), pd.Index([*"abc"])):
        rows = as_rows(DENSE, feature_names=names)
        assert next(rows.dicts()) == {"a": 1.0, "b": 0.0, "c": 2.0}
        assert [type(name) for name in rows.names] == [str, str, str]
    assert [type(name) for name in as_rows(DENSE, feature_names=np.arange(3)).names] == [int] * 3


@pytest.mark.parametrize("X", [DENSE, sp.csr_matrix(DENSE)])
@pytest.mark.parametrize(
    ("names", "why"),
    [
        (["a", "b"], "2 feature names for 3 columns"),
        (["a", "b", "a"], "'a' is there twice"),
        ([1, "x", True], "1 is there twice"),
        ([["a"], "b", "c"], "a feature name that can not be looked up"),
    ],
)
def test_names_of_a_wrong_number_or_repeated_are_refused(X, names, why):
    with pytest.raises(InputError, match=why):
        as_rows(X, feature_names=names)


@pytest.mark.parametrize(
    "X",
    [
        [{"a": 1}, {"a": 2}],
        as_rows(DENSE),
        pd.DataFrame(DENSE),
        Rows(np.array([0]), np.array([], int), np.array([]), 0),
    ],
)
def test_names_for_input_that_has_names_are_refused(X):
    with pytest.raises(InputError, match="feature_names"):
        as_rows(X, feature_names=["a", "b", "c"])


@bad_in_arrays
def test_a_bad_value_in_an_array_is_named(bad):
    if isinstance(bad, np.ndarray):
        pytest.skip("not one cell")
    array = np.array([[1.0, 2.0], [3.0, None]], dtype=object)
    array[1, 1] = bad
    with pytest.raises(InputError, match="row 1, feature 1: "):
        as_rows(array)
    with pytest.raises(InputError, match="row 1, feature 'b': "):
        as_rows(array, feature_names=["a", "b"])


@pytest.mark.parametrize(
    ("X", "why"),
    [
        ([[1.0, 2.0], [3.0, "x"]], r"row 1, feature 1: 'x'"),
        ([[1.0, "2"]], r"row 0, feature 1: '2'"),
        (np.array([["1", "2"]]), r"row 0, feature 0: '1'"),
        (np.array([[b"1"]]), r"row 0, feature 0: b'1'"),
        (np.array([[1.0, np.inf]]), r"row 0, feature 1: inf"),
        (np.array([[np.nan, -np.inf]]), r"row 0, feature 1: -inf"),
        (np.array([[1 + 0j]]), "complex128"),
        (np.array([["2020-01-01"]], "M8[D]"), "datetime64"),
        (np.array([[1]], "m8[s]"), "timedelta64"),
        (np.zeros((1, 1), [("a", float)]), "expected real numbers"),
        ([[1.0, 2.0], [3.0]], "different lengths"),
        (np.ones(3), r"shape \(3,\)"),
        (np.ones((1, 1, 1)), r"shape \(1, 1, 1\)"),
        (np.array([]), r"shape \(0,\)"),
        (5, r"shape \(\)"),
        (None, r"shape \(\)"),
        ("text", r"shape \(\)"),
        ("", r"shape \(\)"),
        ([1.0, 2.0], r"shape \(2,\)"),
        (["text"], r"shape \(1,\)"),
    ],
)
def test_what_is_no_array_of_numbers_is_refused(X, why):
    with pytest.raises(InputError, match=why):
        as_rows(X)


def test_arrays_without_rows_or_columns():
    assert (len(as_rows(np.empty((0, 3)))), as_rows(np.empty((0, 3))).width) == (0, 3)
    assert (len(as_rows(np.empty((3, 0)))), as_rows(np.empty((3, 0))).width) == (3, 0)


class Tensor:
    """What other libraries' arrays have in common."""

    ndim = 2

    def __array__(self, dtype=None, copy=None):
        return DENSE

    def __iter__(self):
        return iter(DENSE)


def test_arrays_of_other_libraries_are_read():
    assert dicts(Tensor()) == dicts(DENSE)

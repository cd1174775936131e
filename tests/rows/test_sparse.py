"""Rows as sparse matrices."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from braided import OLSF, InputError, as_rows
from tests.support.made_rows import csr, dicts

pd = pytest.importorskip("pandas")


STORED = sp.coo_matrix(([1.0, 0.0, 3.0, 4.0], ([0, 0, 1, 1], [2, 1, 0, 2])), shape=(2, 4))


@pytest.mark.parametrize("kind", ["coo", "csr", "csc", "dok"])
@pytest.mark.parametrize("array", [False, True])
def test_an_entry_that_is_stored_is_observed_also_when_it_is_zero(kind, array):
    X = (sp.coo_array(STORED) if array else STORED).asformat(kind)
    rows = as_rows(X)
    assert list(rows.dicts()) == [{1: 0.0, 2: 1.0}, {0: 3.0, 2: 4.0}]
    assert (rows.width, rows.names) == (4, None)
    named = as_rows(X, feature_names=[*"abcd"])
    assert list(named.dicts()) == [{"b": 0.0, "c": 1.0}, {"a": 3.0, "c": 4.0}]


@pytest.mark.parametrize("dtype", [np.float32, np.int64, np.uint8, np.longdouble])
def test_sparse_numbers_of_any_type(dtype):
    rows = as_rows(STORED.tocsr().astype(dtype))
    assert rows.values.dtype == np.float64
    assert list(rows.dicts()) == [{1: 0.0, 2: 1.0}, {0: 3.0, 2: 4.0}]
    assert dicts(sp.csr_matrix(np.array([[True, False]]))) == [{0: 1.0}]


def test_a_sparse_row_keeps_the_order_of_its_entries():
    rows = as_rows(csr(indices=(2, 0, 1)))
    assert [list(x) for x in rows.dicts()] == [[2, 0], [1]]


def test_sparse_nan_is_unobserved_and_infinity_refused():
    assert dicts(csr(values=(np.nan, 2.0, np.nan))) == [{2: 2.0}, {}]
    with pytest.raises(InputError, match="row 1, feature 1: -inf"):
        as_rows(csr(values=(1.0, np.nan, -np.inf)))
    with pytest.raises(InputError, match="row 1, feature 'b': -inf"):
        as_rows(csr(values=(1.0, np.nan, -np.inf)), feature_names=[*"abc"])


def test_duplicate_entries_are_refused():
    """Where SciPy itself has added them up there is nothing to refuse."""
    coo = sp.coo_matrix(([1.0, 2.0], ([0, 0], [1, 1])), shape=(1, 2))
    assert dicts(coo) == [{1: 3.0}]
    with pytest.raises(InputError, match="row 1: feature 'a' appears twice"):
        as_rows(csr(indices=(1, 0, 0), indptr=(0, 1, 3)), feature_names=[*"abc"])
    unsorted = csr(values=[1.0] * 6, indices=(2, 1, 0, 2, 0, 2), indptr=(0, 3, 6))
    with pytest.raises(InputError, match="row 1: feature 2 appears twice"):
        as_rows(unsorted)


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (0, 0), (3, 5)])
def test_sparse_matrices_without_entries(shape):
    rows = as_rows(sp.csr_matrix(shape))
    assert (len(rows), rows.width, rows.values.size) == (*shape, 0)


def test_the_callers_arrays_are_never_changed():
    frozen = csr(values=(1.0, np.nan, 3.0), indices=(2, 0, 1))
    copies = frozen.data.copy(), frozen.indices.copy(), frozen.indptr.copy()
    dense = np.array([[1.0, np.nan], [2.0, 3.0]])
    before = dense.copy()
    OLSF().partial_fit(frozen, [1, 0])
    OLSF().partial_fit(dense, [1, 0])
    for now, then in zip((frozen.data, frozen.indices, frozen.indptr), copies, strict=True):
        np.testing.assert_array_equal(now, then)
    np.testing.assert_array_equal(dense, before)


@pytest.mark.parametrize(
    ("matrix", "why"),
    [
        (csr(indices=(0, 3, 1)), "row 0: column 3 is not among the 3 columns"),
        (csr(indices=(0, 2, -5)), "row 1: column -5"),
        (csr(indices=(2, 2, 1)), "row 0: feature 2 appears twice"),
        (csr(indices=(2, 0, 1), indptr=(0, 3, 1)), "indptr"),
        (csr(indptr=(0, 2, 400)), "malformed"),
        (csr(indptr=(-2, 2, 3)), "malformed"),
        (csr(values=(1j, 2j, 3j)), "complex128"),
        (sp.csr_matrix((1, 2**31)), "2147483648 columns"),
        pytest.param(
            sp.coo_array(np.array([1.0, 2.0])),
            r"shape \(2,\)",
            marks=pytest.mark.skipif(
                sp.coo_array(np.ones(2)).ndim == 2, reason="this SciPy makes a row of it"
            ),
        ),
    ],
)
def test_malformed_sparse_matrices_reach_no_kernel(matrix, why):
    with pytest.raises(InputError, match=why):
        as_rows(matrix)
    model = OLSF()
    with pytest.raises(InputError, match=why):
        model.partial_fit(matrix, [1] * matrix.shape[0])
    assert model.rounds == 0


def test_a_malformed_csc_matrix_reaches_no_compiled_code():
    matrix = sp.csc_matrix(np.eye(3))
    matrix.indices = np.array([0, 10**8, -(10**8)], np.int32)
    with pytest.raises(InputError, match="malformed"):
        as_rows(matrix)
    assert matrix.indices.tolist() == [0, 10**8, -(10**8)]


def test_an_index_beyond_32_bits_is_not_cut_off():
    wide = sp.csr_matrix((np.ones(1), np.array([2**32 + 1]), np.array([0, 1])), shape=(1, 2**33))
    with pytest.raises(InputError, match="columns"):
        as_rows(wide)


def test_what_lies_behind_the_last_row_of_a_csr_matrix_is_not_there():
    assert dicts(csr(values=(1.0, 2.0, np.inf), indptr=(0, 1, 2))) == [{0: 1.0}, {2: 2.0}]

"""Offline scaling, held to its definition."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from braided.errors import InputError
from braided.records import as_rows
from braided.streams.offline_scaling import ABSENT, SCALINGS, scaled

MAGNITUDES = st.floats(1e-150, 1e90)
VALUES = st.one_of(st.just(0.0), MAGNITUDES, MAGNITUDES.map(lambda x: -x), st.floats(-5, 5))
ARRAYS = hnp.arrays(float, st.tuples(st.integers(1, 12), st.integers(1, 6)), elements=VALUES)


def dense(rows):
    assert np.diff(rows.indptr).tolist() == [rows.width] * len(rows)
    return rows.values.reshape(len(rows), rows.width)


def sparse(array):
    """The rows of an array of which the zeros are not written."""
    return as_rows(sp.csr_matrix(array), np.arange(len(array)))


@pytest.mark.parametrize("magnitude", [1e-170, 1e-3, 1.0, 1e8, 1e90])
def test_zscore_is_mean_0_and_deviation_1(magnitude):
    rng = np.random.default_rng(0)
    X = magnitude * (rng.random((50, 4)) + np.array([0, 1, 10, 1000]))
    Z = dense(scaled(as_rows(X), "zscore"))
    np.testing.assert_allclose(Z.mean(axis=0), 0, atol=1e-14)
    np.testing.assert_allclose(Z.std(axis=0), 1, rtol=1e-12)
    plain = X / magnitude
    expected = (plain - plain.mean(axis=0)) / plain.std(axis=0)
    np.testing.assert_allclose(Z, expected, rtol=1e-9, atol=1e-9)


@given(ARRAYS)
@settings(max_examples=200)
def test_zscore_of_any_array_has_mean_0_and_deviation_1(X):
    Z = dense(scaled(sparse(X), "zscore"))
    constant = X.max(axis=0) == X.min(axis=0)
    assert not Z[:, constant].any()
    np.testing.assert_allclose(Z.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(Z.std(axis=0)[~constant], 1, rtol=1e-9)


@given(ARRAYS)
@settings(max_examples=200)
def test_unit_rows_have_length_one(X):
    rows = sparse(X)
    unit = scaled(rows, "unit")
    norms = np.linalg.norm(unit.to_csr().toarray(), axis=1)
    np.testing.assert_allclose(norms, X.any(axis=1), rtol=1e-12)
    assert unit.indices is rows.indices  # as sparse as before


@pytest.mark.parametrize("absent", ABSENT)
def test_tfidf_is_that_of_scikit_learn(absent):
    text = pytest.importorskip("sklearn.feature_extraction.text")
    rng = np.random.default_rng(0)
    counts = sp.csr_matrix(rng.poisson(0.1, size=(300, 200)).astype(float))
    expected = text.TfidfTransformer().fit_transform(counts).toarray()
    weighed = scaled(as_rows(counts), "tfidf", absent=absent)
    assert (weighed.values.size == counts.nnz) == (absent == "unobserved")
    np.testing.assert_allclose(weighed.to_csr().toarray(), expected, rtol=1e-12, atol=0)


def test_tfidf_counts_a_zero_as_no_word():
    rows = as_rows([{"a": 1.0, "b": 0.0}, {"a": 2.0, "b": 5.0}])
    (only, _, a, b) = scaled(rows, "tfidf").values
    assert only == 1.0
    assert b / a == pytest.approx(2.5 * (np.log(3 / 2) + 1), rel=1e-15)


def test_unit_after_zscore():
    X = np.array([[1.0, 5.0, 2.0], [3.0, 5.0, 2.5], [2.0, 5.0, 9.0], [2.0, 5.0, 4.5]])
    Z = (X - X.mean(axis=0)) / np.where(X.std(axis=0) > 0, X.std(axis=0), 1)
    norms = np.linalg.norm(Z, axis=1, keepdims=True)
    assert norms[3] == 0  # a row at the mean has no direction
    expected = Z / np.where(norms > 0, norms, 1)
    np.testing.assert_allclose(dense(scaled(as_rows(X), "zscore+unit")), expected, atol=1e-15)


@pytest.mark.parametrize("number", [0.1, 1 / 3, 1e90, -7.7e-90])
def test_a_constant_column_becomes_exactly_0(number):
    assert not scaled(as_rows(np.full((1001, 2), number)), "zscore").values.any()


def test_absent_as_zero_is_observed():
    rows = as_rows([{"a": 3.0}, {"b": 4.0}, {}], ["x", "y", "z"])
    assert list(scaled(rows, "none", absent="zero").dicts()) == [
        {"a": 3.0, "b": 0.0},
        {"a": 0.0, "b": 4.0},
        {"a": 0.0, "b": 0.0},
    ]
    assert next(scaled(rows, "unit", absent="zero").dicts()) == {"a": 1.0, "b": 0.0}
    assert scaled(rows, "none") is rows


def test_an_observed_zero_stays_observed():
    rows = as_rows([{"a": 0.0, "b": 2.0}, {"a": 0.0}])
    assert list(scaled(rows, "unit").dicts()) == [{"a": 0.0, "b": 1.0}, {"a": 0.0}]


@pytest.mark.parametrize("how", SCALINGS)
@pytest.mark.parametrize("absent", ABSENT)
def test_labels_and_names_travel_and_the_source_stays(how, absent):
    rows = as_rows([{"a": 3.0, "b": 1.0}, {"b": 4.0}, {}], ["x", "y", "z"])
    before = rows.values.copy()
    after = scaled(rows, how, absent=absent)
    assert after.names is rows.names
    assert after.labels is rows.labels
    assert (after.values.dtype, after.indices.dtype, after.indptr.dtype) == (
        np.float64, np.int32, np.int64
    )  # fmt: skip
    assert rows.values.tolist() == before.tolist()


@pytest.mark.parametrize("how", SCALINGS)
@pytest.mark.parametrize("absent", ABSENT)
def test_no_rows_and_no_columns(how, absent):
    for shape in (0, 3), (3, 0):
        after = scaled(as_rows(np.empty(shape)), how, absent=absent)
        assert (len(after), after.width) == shape


def test_refuses_to_make_too_many_cells():
    rows = as_rows(sp.csr_matrix(([1.0], ([0], [5])), (1000, 10_000_000)))
    for how, absent in ("zscore", "unobserved"), ("none", "zero"):
        with pytest.raises(InputError, match=r"1000 rows of 10000000 columns are 1e\+10 cells"):
            scaled(rows, how, absent=absent)
    assert scaled(rows, "unit").values.tolist() == [1.0]


def test_refuses_unknown_scalings():
    rows = as_rows([[1.0]])
    with pytest.raises(InputError, match="how='minmax' is not allowed: choose one of 'none'"):
        scaled(rows, "minmax")
    with pytest.raises(InputError, match="absent='mean' is not allowed: choose one of"):
        scaled(rows, "unit", absent="mean")

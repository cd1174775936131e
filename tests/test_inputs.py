"""Every kind of input: what is observed, what is refused, and with which words."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from braided import OLSF, InputError, as_rows


def dicts(X, **options):
    return list(as_rows(X, **options).dicts())


def csr(values=(1.0, 2.0, 3.0), indices=(0, 2, 1), indptr=(0, 2, 3), shape=(2, 3)):
    """A CSR matrix of exactly these arrays, whether or not they make sense."""
    matrix = sp.csr_matrix(shape)
    matrix.data, matrix.indices = np.array(values), np.array(indices, np.int32)
    matrix.indptr = np.array(indptr, np.int32)
    return matrix


# ------------------------------------------------------------------------------- sparse


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
        (sp.coo_array(np.array([1.0, 2.0])), r"shape \(2,\)"),
    ],
)
def test_malformed_sparse_matrices_reach_no_kernel(matrix, why):
    with pytest.raises(InputError, match=why):
        as_rows(matrix)
    model = OLSF()
    with pytest.raises(InputError, match=why):
        model.partial_fit(matrix, [1] * matrix.shape[0])
    assert model.rounds == 0


def test_an_index_beyond_32_bits_is_not_cut_off():
    wide = sp.csr_matrix((np.ones(1), np.array([2**32 + 1]), np.array([0, 1])), shape=(1, 2**33))
    with pytest.raises(InputError, match="columns"):
        as_rows(wide)


def test_what_lies_behind_the_last_row_of_a_csr_matrix_is_not_there():
    assert dicts(csr(values=(1.0, 2.0, np.inf), indptr=(0, 1, 2))) == [{0: 1.0}, {2: 2.0}]


# ---------------------------------------------------------------------- the largest value


def test_the_limit_is_one_of_values_however_many_there_are():
    """A limit of norms would depend on how they are summed, and differ from door to door."""
    rng = np.random.default_rng(0)
    for _ in range(50):
        values = rng.random(9)
        values *= 1e100 / np.linalg.norm(values)  # whose norm is the largest value, or a bit more
        x = {f"f{i}": v for i, v in enumerate(values.tolist())}
        at_once = OLSF().partial_fit([{"z": 1.0}, x, {"z": 1.0}], [1, 0, 1])
        one_by_one = OLSF()
        for row, y in (({"z": 1.0}, 1), (x, 0), ({"z": 1.0}, 1)):
            one_by_one.learn_one(row, y)
        assert at_once.rounds == one_by_one.rounds == 3
        assert at_once.weights() == one_by_one.weights()
    assert dicts([{"a": 1e100, "b": -1e100}]) == [{"a": 1e100, "b": -1e100}]


@pytest.mark.parametrize("beyond", [np.nextafter(1e100, np.inf), -1e101, 1e160, 1e300])
@pytest.mark.parametrize("more", [0, 1, 3, 4])
def test_beyond_the_largest_value(beyond, more):
    x = {**{f"f{i}": 1e100 for i in range(more)}, "a": beyond}
    model = OLSF().partial_fit([dict.fromkeys(x, 1.0)], [1])
    for ask in (model.predict_one, lambda x: model.learn_one(x, 1), lambda x: as_rows([x])):
        with pytest.raises(InputError, match="row 0, feature 'a'"):
            ask(x)
    assert model.rounds == 1

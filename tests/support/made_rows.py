"""What several kinds of input are tested with."""

from __future__ import annotations

import math
from decimal import Decimal

import numpy as np
import pytest
import scipy.sparse as sp

from braided import as_rows

pd = pytest.importorskip("pandas")


def dicts(X, **options):
    return list(as_rows(X, **options).dicts())


def csr(values=(1.0, 2.0, 3.0), indices=(0, 2, 1), indptr=(0, 2, 3), shape=(2, 3)):
    """A CSR matrix of exactly these arrays, whether or not they make sense."""
    matrix = sp.csr_matrix(shape)
    matrix.data, matrix.indices = np.array(values), np.array(indices, np.int32)
    matrix.indptr = np.array(indptr, np.int32)
    return matrix


BAD = [
    math.inf, -math.inf, np.float32("inf"), Decimal("1e500"), 1e101, 10**400, b"1", 1j,
    np.complex64(1), object(), Decimal("sNaN"),
]  # fmt: skip
NO_NUMBERS = [
    "text", "1", "", [1.0], (1.0,), {"x": 1}, np.datetime64("2020-01-01"), np.timedelta64(1, "s"),
    pd.Timestamp("2020-01-01"), np.array([1.0, 2.0]),
]  # fmt: skip


def _each(values):
    # An object's repr tells its address, which differs from one process to the next.
    return pytest.mark.parametrize("bad", values, ids=lambda bad: repr(bad).split(" at ")[0])


bad_values = _each(BAD)
bad_in_arrays = _each([*BAD, *NO_NUMBERS])  # records may hold texts, lists, dates and dicts

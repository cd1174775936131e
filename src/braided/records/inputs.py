"""as_rows: every kind of input becomes Rows here, checked.

What is observed (nothing else in the project decides this):

====================  ==============================================  ===================
input                 unobserved                                      observed zero
====================  ==============================================  ===================
dict                  missing key, ``None``, NaN, "", "NULL", "?" ..  a key with 0
CSR matrix            an entry that is not stored                     a stored 0
dense array           NaN, ``None``, a masked cell                    0
frame, columns        null, NaN, "", "NULL", "?" ...                  0
====================  ==============================================  ===================

Infinity and magnitudes beyond ``LARGEST_VALUE`` are refused.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from braided.errors import InputError
from braided.records.convert import Converter
from braided.records.dicts import from_dicts, holds_dicts
from braided.records.frames import from_frame, is_frame
from braided.records.schema import Schema
from braided.rows.arrays import from_dense
from braided.rows.rows import Rows
from braided.rows.sparse import from_rows, from_sparse, is_sparse
from braided.rows.validation import with_labels

__all__ = ["as_rows"]


def as_rows(
    X: Any,
    y: Any = None,
    *,
    feature_names: Sequence[Hashable] | None = None,
    schema: Schema | None = None,
) -> Rows:
    """Make Rows from dicts, a sparse matrix, an array or a frame.

    Parameters
    ----------
    X : list of dict, sparse matrix, array, frame or Rows
        The rows. In dicts a missing key, None and NaN are unobserved; in a SciPy sparse matrix what
        is not stored; in an array NaN; in a frame of pandas, polars or Arrow null and NaN. Values
        of dicts and frames may be numbers, texts, bools, dates, lists and dicts.
    y : array-like, optional
        A label for each row.
    feature_names : sequence of hashable, optional
        Names for the columns of a sparse matrix or an array; all else has names of its own.
    schema : Schema, optional
        The kinds of the fields of dicts and frames; kinds that it does not know are decided.

    Returns
    -------
    Rows
        The rows, checked: without NaN, all values finite and at most 1e100 in magnitude.

    Raises
    ------
    InputError
        If a value is not allowed; the message names row, feature and value.

    Examples
    --------
    >>> rows = as_rows([{"age": 31, "height": None}, {"age": 64, "pet": "cat"}])
    >>> list(rows.dicts())
    [{'age': 31.0}, {'age': 64.0, 'pet=cat': 1.0}]
    """
    if isinstance(X, Rows):
        rows = X if X.checked else from_rows(X)
    elif is_sparse(X):
        return with_labels(from_sparse(X, feature_names), y)
    elif is_frame(X):
        rows = from_frame(X, Converter(schema or Schema()))
    elif isinstance(X, Mapping):
        raise InputError("X is one dict; give a list of dicts, or use learn_one and predict_one")
    elif holds_dicts(X):
        dicts = X if isinstance(X, Sequence) else list(X)
        rows = from_dicts(dicts, Converter(schema or Schema()))
    else:
        return with_labels(from_dense(X, feature_names), y)
    if feature_names is not None:
        raise InputError("feature_names are for arrays and sparse matrices: X has its own names")
    return with_labels(rows, y)

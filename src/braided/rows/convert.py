"""Every kind of input becomes Rows here, checked and clean.

What is observed (nothing else in the project decides this):

====================  =============================  ===================
input                 unobserved                     observed zero
====================  =============================  ===================
dict                  missing key, ``None``, NaN     a key with 0
CSR matrix            an entry that is not stored    a stored 0
dense array           NaN, ``None``, a masked cell   0
frame, columns        null, NaN, empty text          0
====================  =============================  ===================

Infinity, magnitudes beyond ``LARGEST_VALUE`` and things that are no numbers are refused.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from braided.errors import InputError
from braided.rows.arrays import from_dense
from braided.rows.columns import from_arrays, from_columns
from braided.rows.dicts import from_dicts, holds_dicts
from braided.rows.frames import columns_of, is_frame
from braided.rows.labels import with_labels
from braided.rows.names import holds_nan
from braided.rows.rows import Rows
from braided.rows.sparse import MOST_COLUMNS, from_rows, from_sparse, is_sparse

__all__ = ["MOST_COLUMNS", "as_rows", "from_columns", "holds_nan"]


def as_rows(X: Any, y: Any = None, *, feature_names: Sequence[Hashable] | None = None) -> Rows:
    """Rows from dicts, a CSR matrix, a dense array, a frame, or Rows; checked and clean.

    Parameters
    ----------
    X
        a sequence of dicts; a SciPy sparse matrix; a dense array (NaN is unobserved); a frame of
        pandas, polars or Arrow (null is unobserved, text becomes indicators); or Rows.
    y
        a label per row.
    feature_names
        the names of the columns of a sparse matrix or an array; all else has names of its own.

    Examples
    --------
    >>> rows = as_rows([{"age": 31, "height": None}, {"age": 64, "weight": 0}])
    >>> list(rows.dicts())
    [{'age': 31.0}, {'age': 64.0, 'weight': 0.0}]
    """
    if isinstance(X, Rows):
        rows = X if X.checked else from_rows(X)
    elif is_sparse(X):
        return with_labels(from_sparse(X, feature_names), y)
    elif is_frame(X):
        rows = from_arrays(*columns_of(X))
    elif isinstance(X, Mapping):
        raise InputError("X is one dict; give a list of dicts, or use learn_one and predict_one")
    elif holds_dicts(X):
        rows = from_dicts(X if isinstance(X, Sequence) else list(X))
    else:
        return with_labels(from_dense(X, feature_names), y)
    if feature_names is not None:
        raise InputError("feature_names are for arrays and sparse matrices: X has its own names")
    return with_labels(rows, y)

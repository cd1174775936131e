"""A fingerprint of the rows of a stream, from the first to the latest.

One 64-bit word that every value, column, label and end of a row is mixed into. It can be continued
at any row, and does not depend on how the rows came in blocks. Two streams with the same
fingerprint are the same, but for a chance of one in 10^19; it is no protection against forgery.
"""

from __future__ import annotations

import hashlib
import zlib
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from braided.compiled.jit import Ints, cached
from braided.rows.rows import Rows

__all__ = ["BLANK", "fingerprint"]

BLANK = 0
"""The fingerprint of no rows."""

_END_OF_ROW = np.uint64(0xFFFFFFFFFFFFFFFF)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_HALF = np.uint64(32)


def fingerprint(before: int, rows: Rows, columns: Ints | None) -> int:
    """The fingerprint when these labelled rows follow.

    Features count by their ``columns`` in the model, whatever the source's own columns are. Without
    columns, where names are dropped, they count by their names, which takes longer.
    """
    assert rows.labels is not None
    features = _codes_of_names(rows) if columns is None else columns
    labels = np.array([_code(label) for label in rows.labels.tolist()], np.uint64)
    bits = np.ascontiguousarray(rows.values).view(np.uint64)
    return int(_mixed(np.uint64(before), rows.indptr, features, bits, labels))


@lru_cache(maxsize=4096, typed=True)
def _code(label: Any) -> int:
    return zlib.crc32(_spelled(label))


def _codes_of_names(rows: Rows) -> NDArray[np.uint64]:
    columns, which = np.unique(rows.indices, return_inverse=True)
    spelled = [_spelled(rows.name(column)) for column in columns.tolist()]
    digests = b"".join(hashlib.blake2b(name, digest_size=8).digest() for name in spelled)
    codes: NDArray[np.uint64] = np.frombuffer(digests, "<u8").astype(np.uint64)[which]
    return codes


def _spelled(value: Any) -> bytes:
    # Equal values are the same, in whichever class of numbers a block has them.
    if isinstance(value, (bool, float)) and value == value // 1:
        value = int(value)
    return repr(value).encode("utf-8", "backslashreplace")


@cached
def _mixed(
    word: np.uint64,
    indptr: NDArray[np.int64],
    features: Ints | NDArray[np.uint64],
    bits: NDArray[np.uint64],
    labels: NDArray[np.uint64],
) -> np.uint64:
    for row in range(labels.size):
        for i in range(indptr[row], indptr[row + 1]):
            word = (word ^ np.uint64(features[i])) * _MIX_1
            word = (word ^ (word >> _HALF) ^ bits[i]) * _MIX_2
            word = word ^ (word >> _HALF)
        word = (word ^ labels[row] ^ _END_OF_ROW) * _MIX_1
        word = word ^ (word >> _HALF)
    return word

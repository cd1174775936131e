"""Names, labels and parameters as JSON that keeps their types.

Text, whole numbers, true, false and null are themselves, and so are finite numbers with a
fraction or an exponent. A tuple is a list. What JSON lacks is an object of one entry:
``{"float": "inf"}``, ``{"bytes": "00ff"}``.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from braided.errors import InputError

__all__ = ["decode", "decode_text", "encode", "encode_all", "text_of"]

MOST_BITS = 1024
"""The longest int; Python itself refuses to write and read ints of thousands of digits."""

_INFINITE = {"inf": math.inf, "-inf": -math.inf}


def encode(value: Any) -> Any:
    """A value as JSON, or InputError for one that a file can not keep.

    Examples
    --------
    >>> encode(("age", 3, 0.5, None, b"x", float("inf")))
    ['age', 3, 0.5, None, {'bytes': '78'}, {'float': 'inf'}]
    """
    plain = value.item() if isinstance(value, np.generic) else value
    kind = type(plain)
    if plain is None or kind is bool:
        return plain
    if kind is str and _is_unicode(plain):
        return plain
    if kind is int and plain.bit_length() <= MOST_BITS:
        return plain
    if kind is float and not math.isnan(plain):
        return {"float": str(plain)} if math.isinf(plain) else plain
    if kind is bytes:
        return {"bytes": plain.hex()}
    if kind is tuple:
        return [encode(part) for part in plain]
    raise InputError(
        f"{value!r} can not be kept in a file: allowed are text, numbers (not NaN), true and "
        "false, bytes, None and tuples of these"
    )


def encode_all(values: Iterable[Any]) -> list[Any]:
    """Each value as JSON; where all are text, the most frequent case, they are checked at once."""
    values = list(values)
    if set(map(type, values)) == {str} and _is_unicode("".join(values)):
        return values
    return [encode(value) for value in values]


def decode(item: Any) -> Any:
    """The value that was encoded, or InputError for what ``encode`` never returns.

    Examples
    --------
    >>> decode(['age', 3, 0.5, None, {'bytes': '78'}, {'float': 'inf'}])
    ('age', 3, 0.5, None, b'x', inf)
    """
    if item is None or isinstance(item, (bool, int, str)):
        return item
    if isinstance(item, float) and math.isfinite(item):
        return item
    if isinstance(item, list):
        return tuple(decode(part) for part in item)
    if isinstance(item, dict) and len(item) == 1:
        ((kind, text),) = item.items()
        if kind == "float" and isinstance(text, str) and text in _INFINITE:
            return _INFINITE[text]
        if kind == "bytes" and isinstance(text, str):
            return _from_hex(text)
    raise InputError("it holds a value of no known kind")


def text_of(item: Any) -> str:
    """JSON as text: always the same for the same item."""
    return json.dumps(item, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def decode_text(text: str | bytes) -> Any:
    """The item that a JSON text stands for."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise InputError("it holds a text that is no JSON") from None


def _from_hex(text: str) -> bytes:
    try:
        found = bytes.fromhex(text)
    except ValueError:
        found = None
    if found is None or found.hex() != text:
        raise InputError("it holds bytes that are not written in hex")
    return found


def _is_unicode(text: str) -> bool:
    """Whether a text can be written: Python's own may have halves of characters."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True

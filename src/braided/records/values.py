"""Values: what a single value of a record is: missing, a number, true or false, a list.

All doors use these functions, so that a text means the same from a CSV file, a JSON line or a dict.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Set
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from typing import Any

import numpy as np

from braided.kernels.numerics import LARGEST_VALUE

__all__ = [
    "MINUS",
    "MISSING",
    "NotAllowed",
    "as_bool",
    "as_list",
    "as_number",
    "check_text",
    "looks_like_a_code",
    "plain",
    "text_of",
    "words",
]

MISSING = frozenset({"", "null", "na", "n/a", "#n/a", "<na>", "nan", "none", "?", "-", r"\n", "[]"})
"""Texts, in small letters, that mean unobserved."""

MINUS = "-"
"""Missing as the value of a feature, but a label: of two, the other one is ``+``."""

TRUTH = {"true": True, "false": False, "yes": True, "no": False}
LETTERS = {"t": True, "f": False, "y": True, "n": False}
"""Letters that mean true and false where a field has nothing else."""

_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d*)?")  # 1,234.50
_GROUPED_BY_DOTS = re.compile(r"\d{1,3}(?:\.\d{3})+,\d+")  # 1.234,50
_DECIMAL_COMMA = re.compile(r"\d+,\d+")  # 0,5
_GROUPED_BY_MARKS = re.compile(
    r"\d{1,3}(?:(['\u2019\u00a0\u202f])\d{3})(?:\1\d{3})*(?:[.,]\d*)?"
)  # 1'234.50
_GROUPED_BY_SPACES = re.compile(r"\d{1,3}(?: \d{3})+,\d+")  # 1 234,50
_CURRENCY = "$€£¥₹"
_CODES = "USD|EUR|GBP|CHF|JPY|CNY|INR|CAD|AUD|SEK|NOK|DKK|PLN|CZK|BRL"
_CODE = re.compile(rf"(?:{_CODES})\s?(?=[-+\d])|(?<=\d)\s?(?:{_CODES})$")  # USD 12.50, 12.50 USD
_WHOLE = re.compile(r"-?(?:0|[1-9]\d{0,14})\.0")  # how frames write a whole number

# Signs above and below letters belong to their word, though Python calls them no letters.
_MARKS = (
    "\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0903\u093a-\u094f\u0951-"
    "\u0957\u0962\u0963\u0981-\u0983\u09bc-\u09cd\u0a01-\u0a03\u0a3c-\u0a4d\u0a81-\u0a83\u0abc-"
    "\u0acd\u0b01-\u0b03\u0b3c-\u0b57\u0b82\u0bbe-\u0bcd\u0c00-\u0c04\u0c3e-\u0c56\u0c81-\u0c83"
    "\u0cbc-\u0cd6\u0d00-\u0d03\u0d3b-\u0d57\u0d82\u0d83\u0dca-\u0ddf\u0e31\u0e34-\u0e3a\u0e47-"
    "\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ecd\u102b-\u103e"
)
_WORD = re.compile(rf"[^\W_](?:[^\W_]|[{_MARKS}])*")


class NotAllowed(ValueError):  # noqa: N818 - callers, who know the row, raise an InputError
    """A value that no model may see; the message says why."""


def plain(value: Any) -> Any:
    """Make a value of any library a plain one.

    Parameters
    ----------
    value : Any
        A value of a record.

    Returns
    -------
    None, bool, int, float, str, date, datetime, list or dict
        None if it is unobserved; texts are stripped of white space at both ends.

    Raises
    ------
    NotAllowed
        If it is none of these, or a number that is infinite or too large.
    """
    kind = type(value)
    if kind is str:
        if not value.isascii():
            check_text(value)
        return value.strip()
    if kind is float or kind is int:
        if -LARGEST_VALUE <= value <= LARGEST_VALUE:
            return value
        if value != value:
            return None
        raise NotAllowed(f"{_shown(value)} is not allowed ({_ALLOWED})")
    if value is None or kind is bool or kind is list or kind is dict:
        return value
    return _plain_of_others(value)


def check_text(text: str) -> None:
    """Refuse a text that JSON can escape but UTF-8 can not encode: it could not be saved."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise NotAllowed(f"{text!a} is not valid text") from None


_ALLOWED = f"a finite number up to {LARGEST_VALUE:g}; None or NaN for unobserved"
_ALLOWED_TYPES = "a number, a text, true or false, a date, a list or a dict; None for unobserved"


def _plain_of_others(value: Any) -> Any:
    """The same, for values whose types are less common."""
    if isinstance(value, np.generic):
        if isinstance(value, np.datetime64):
            return _of_numpy_date(value)
        if isinstance(value, np.timedelta64):
            seconds = value / np.timedelta64(1, "s")
            return None if np.isnan(seconds) else float(seconds)
        if isinstance(value, np.floating):
            return plain(float(value))
        if isinstance(value, np.integer | np.bool_ | np.str_):
            return plain(value.item())
        raise NotAllowed(f"{_shown(value)} is not allowed ({_ALLOWED_TYPES})")
    name = type(value).__name__
    if name in ("NAType", "NaTType"):  # pandas' own None
        return None
    if isinstance(value, str):
        return plain(str(value))
    if isinstance(value, datetime):
        return _of_datetime(value)
    if isinstance(value, date):
        return value
    if isinstance(value, Enum):
        return plain(value.value)
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Set):
        return sorted(value, key=str)
    if isinstance(value, tuple):
        return list(value)
    if isinstance(value, np.ndarray) and value.ndim == 0:
        return plain(value[()])
    if isinstance(value, np.ndarray) or hasattr(value, "to_pylist") or name == "Series":
        items = value.tolist() if hasattr(value, "tolist") else list(value)
        return items if isinstance(items, list) else plain(items)
    if isinstance(value, timedelta):
        return value.total_seconds()
    if isinstance(value, time):
        return value.isoformat()
    if isinstance(value, bytes | bytearray | memoryview | complex):
        raise NotAllowed(f"{_shown(value)} is not allowed ({_ALLOWED_TYPES})")
    try:
        number = int(value) if hasattr(value, "__index__") else float(value)
    except (TypeError, ValueError, OverflowError):
        raise NotAllowed(f"{_shown(value)} is not allowed ({_ALLOWED_TYPES})") from None
    if isinstance(value, Decimal) and float(number).is_integer():
        number = int(number)
    return plain(number)


def _of_numpy_date(value: np.datetime64) -> datetime | date | None:
    if np.isnat(value):
        return None
    found = value.astype("datetime64[us]").item()
    if not isinstance(found, datetime):  # before the year 1 or after 9999
        raise NotAllowed(f"{_shown(value)} is not allowed (a date of the years 1 to 9999)")
    return found.date() if np.datetime_data(value.dtype)[0] in "YMWD" else found


def _of_datetime(value: datetime) -> datetime:
    """A plain datetime; pandas' has nanoseconds, which no other door has."""
    return datetime(*value.timetuple()[:6], value.microsecond, tzinfo=value.tzinfo, fold=value.fold)


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:60] + "..."


# ------------------------------------------------------------------------------------ texts


def as_number(text: str) -> float | None:
    """Read a text as a number.

    Parameters
    ----------
    text : str
        The text, as in ``"12"``, ``"-1.5e3"``, ``"$1,234.00"``, ``"95%"``, ``"0,5"``,
        ``"1'234.50"``, ``"12.50 USD"``.

    Returns
    -------
    float or None
        The number, of ``"95%"`` 95; None if it is none, infinite or too large.

    Examples
    --------
    >>> [as_number(text) for text in ("12", "$1,234.00", "95%", "1.234,5", "12 cm", "inf")]
    [12.0, 1234.0, 95.0, 1234.5, None, None]
    """
    try:
        number = float(text)
    except ValueError:
        return _decorated_number(text)
    if "_" in text or not math.isfinite(number) or abs(number) > LARGEST_VALUE:
        return None
    return number


def _decorated_number(text: str) -> float | None:
    """A number with a currency, a per cent sign, marks of thousands or a decimal comma."""
    if len(text) > 50:
        return None
    sign, bare = 1.0, text
    if bare.startswith("(") and bare.endswith(")"):  # how accountants write a minus
        sign, bare = -1.0, bare[1:-1]
    if bare[:1] in "+-":
        sign, bare = -sign if bare[:1] == "-" else sign, bare[1:]
    bare = _CODE.sub("", bare.strip(), count=1)
    bare = bare.lstrip(_CURRENCY).rstrip(_CURRENCY + "%").strip()
    if bare[:1] == "-" and text[0] in _CURRENCY:  # $-5
        sign, bare = -1.0, bare[1:]
    if not bare or not ("0" <= bare[0] <= "9" or bare[0] == "."):
        return None
    if _GROUPED.fullmatch(bare) and not bare.startswith("0"):
        bare = bare.replace(",", "")
    elif _GROUPED_BY_DOTS.fullmatch(bare):
        bare = bare.replace(".", "").replace(",", ".")
    elif _GROUPED_BY_MARKS.fullmatch(bare) or _GROUPED_BY_SPACES.fullmatch(bare):
        bare = re.sub(r"['\u2019\s]", "", bare).replace(",", ".")
    elif _DECIMAL_COMMA.fullmatch(bare):
        bare = bare.replace(",", ".")
    elif bare == text:
        return None
    number = as_number(bare) if bare.isascii() else None
    return None if number is None else sign * number


def looks_like_a_code(text: str) -> bool:
    """Whether a text of digits is no quantity: ``"007"``, ``"02134"``."""
    return len(text) > 1 and text[0] == "0" and text.isdigit()


def as_bool(text: str, *, letters: bool = False) -> bool | None:
    """Read a text as true or false: true, false, yes, no; with ``letters`` also t, f, y, n."""
    small = text.lower()
    found = TRUTH.get(small)
    return LETTERS.get(small) if found is None and letters else found


def as_list(text: str) -> list[Any] | None:
    """Read a text as a list in brackets, with the quotes of JSON or of Python.

    Parameters
    ----------
    text : str
        The text, as in ``'["a", "b"]'``.

    Returns
    -------
    list or None
        The list; None if it is none.

    Examples
    --------
    >>> as_list('["a", "b"]'), as_list("['a', 'b']"), as_list("[a]")
    (['a', 'b'], ['a', 'b'], None)
    """
    if not (text.startswith("[") and text.endswith("]")):
        return None
    for form in (text, text.replace("'", '"')):
        try:
            found = json.loads(form)
        except (ValueError, RecursionError):
            continue
        return found if isinstance(found, list) else None
    return None


def words(text: str) -> list[str]:
    """Cut a text into words: runs of letters and digits of any script, in small letters.

    Parameters
    ----------
    text : str
        The text.

    Returns
    -------
    list of str
        The words in their order.

    Examples
    --------
    >>> words("Win a PRIZE, now! Größe 42")
    ['win', 'a', 'prize', 'now', 'größe', '42']
    """
    return _WORD.findall(text.lower())


def text_of(value: Any) -> str:
    """Write a value as the text of a category: 12.0 is ``12``, also as a text; true is ``true``."""
    if isinstance(value, str):
        if value.lower() in ("true", "false"):
            return value.lower()
        return text_of(float(value)) if _WHOLE.fullmatch(value) else value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return str(int(value))
    if isinstance(value, date):
        return value.isoformat()
    return str(value)

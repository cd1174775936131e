"""Lengths of time, and how much is remembered, as people write them."""

from __future__ import annotations

from typing import Any

from braided.errors import InputError

__all__ = ["remembering", "seconds_of"]

_SECONDS = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_LONGEST = 1e15


def remembering(text: str | None) -> dict[str, Any]:
    """Read how many records are remembered, or how long: ``--remember``.

    Parameters
    ----------
    text : str or None
        A number of records, or a time.

    Returns
    -------
    dict
        ``remember`` or ``seconds``; empty for None.

    Examples
    --------
    >>> remembering("1000"), remembering("7d"), remembering(None)
    ({'remember': 1000}, {'seconds': 604800.0}, {})
    """
    if text is None:
        return {}
    number, unit = _parts(text)
    if not 0 < number < _LONGEST or (not unit and not number.is_integer()):
        raise InputError(
            f"--remember {text!r} is not allowed: write a number of records, as in 100000, or a "
            "time, as in 90s, 30m, 12h or 7d"
        )
    return {"seconds": number * _SECONDS[unit]} if unit else {"remember": int(number)}


def seconds_of(flag: str, text: str | None) -> float | None:
    """Read a length of time.

    Parameters
    ----------
    flag : str
        The flag, for errors.
    text : str or None
        As in 90s, 30m, 12h or 7d.

    Returns
    -------
    float or None
        The seconds; None for None.
    """
    if text is None:
        return None
    number, unit = _parts(text)
    if not 0 < number < _LONGEST or not unit:
        raise InputError(f"{flag} {text!r} is not allowed: write a time, as in 90s, 30m, 12h or 7d")
    return number * _SECONDS[unit]


def _parts(text: str) -> tuple[float, str]:
    number, unit = (text[:-1], text[-1]) if text[-1:] in _SECONDS else (text, "")
    try:
        return float(number), unit
    except ValueError:
        return 0.0, unit

"""The values of ``--set name=value``."""

from __future__ import annotations

import math
from collections.abc import Iterable

from braided.errors import InputError

__all__ = ["Value", "as_text", "grid", "settings", "value"]

Value = int | float | bool | str | None

_WORDS: dict[str, Value] = {"true": True, "false": False, "none": None}


def settings(given: Iterable[str], flag: str = "--set") -> dict[str, Value]:
    """Read names and values from texts such as ``budget=0.1``.

    Parameters
    ----------
    given : iterable of str
        The texts.
    flag : str, default "--set"
        Where they were given, for errors.

    Returns
    -------
    dict
        The values by name.

    Raises
    ------
    InputError
        If a text has no name or no value, or a name comes twice.

    Examples
    --------
    >>> settings(["budget=0.1", "variant=II"])
    {'budget': 0.1, 'variant': 'II'}
    """
    found: dict[str, Value] = {}
    for text in given:
        name, equals, right = (part.strip() for part in text.partition("="))
        if not (name and equals and right):
            raise InputError(f"{flag} {text!r} is not allowed: write name=value, as in budget=0.1")
        if name in found:
            raise InputError(f"{flag} {name} was given twice: {found[name]!r} and {right!r}")
        found[name] = value(right)
    return found


def value(text: str) -> Value:
    """Read an int, a float, true, false or none if the text is one.

    Parameters
    ----------
    text : str
        What is written.

    Returns
    -------
    int, float, bool, None or str
        The value, or the text if it is none of these.

    Examples
    --------
    >>> [value(text) for text in ("1", "1.0", "inf", "true", "none", "II")]
    [1, 1.0, inf, True, None, 'II']
    """
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def grid(given: Iterable[str]) -> dict[str, list[Value]]:
    """Read names and the values to try from texts such as ``variant=I,II`` and ``budget=0.1:1:4``.

    A bar does as well as a comma, for those who quote it from their shell.

    Parameters
    ----------
    given : iterable of str
        The texts.

    Returns
    -------
    dict
        The values to try, by name.

    Raises
    ------
    InputError
        If a text has no name or no values, or a name comes twice.

    Examples
    --------
    >>> grid(["aggressiveness=1e-1:1e1:log", "budget=0.5:1:3", "variant=I,II"])
    {'aggressiveness': [0.1, 1.0, 10.0], 'budget': [0.5, 0.75, 1.0], 'variant': ['I', 'II']}
    """
    found: dict[str, list[Value]] = {}
    for text in given:
        name, _, right = (part.strip() for part in text.partition("="))
        listed = right.replace("|", ",").split(",")
        values = _range(right) if ":" in right else [value(v.strip()) for v in listed if v.strip()]
        if not name or not values or name in found:
            raise InputError(
                f"--grid {text!r} is not allowed: write each parameter once, as name=a,b,c, "
                "name=low:high:log or name=low:high:count"
            )
        found[name] = values
    return found


def _range(text: str) -> list[Value]:
    """The values of low:high:log or low:high:count; none if it is neither."""
    try:
        low, high, steps = text.split(":")
        start, stop = float(low), float(high)
        if steps == "log":
            first, last = round(math.log10(start)), round(math.log10(stop))
            return [float(f"1e{power}") for power in range(first, last + 1)]
        count = int(steps)
        return [start + (stop - start) * i / max(1, count - 1) for i in range(count)]
    except (ValueError, OverflowError):
        return []


def as_text(values: dict[str, Value]) -> str:
    """Write values as they would be written after ``--set``, with commas between.

    Parameters
    ----------
    values : dict
        The values by name.

    Returns
    -------
    str
        The text.

    Examples
    --------
    >>> as_text({"budget": 1.0, "variant": "II", "limit": None})
    'budget=1.0, variant=II, limit=none'
    """
    words = {True: "true", False: "false", None: "none"}
    return ", ".join(
        f"{name}={words[v] if v is None or isinstance(v, bool) else v}"
        for name, v in values.items()
    )

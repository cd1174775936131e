"""The values of ``--set name=value``."""

from __future__ import annotations

from collections.abc import Iterable

from braided.errors import InputError

__all__ = ["Value", "as_text", "settings", "value"]

Value = int | float | bool | str | None

_WORDS: dict[str, Value] = {"true": True, "false": False, "none": None}


def settings(given: Iterable[str]) -> dict[str, Value]:
    """Names and values from texts such as ``budget=0.1``.

    Examples
    --------
    >>> settings(["budget=0.1", "variant=II"])
    {'budget': 0.1, 'variant': 'II'}
    """
    found: dict[str, Value] = {}
    for text in given:
        name, equals, right = (part.strip() for part in text.partition("="))
        if not (name and equals and right):
            raise InputError(f"--set {text!r} is not allowed: write name=value, as in budget=0.1")
        if name in found:
            raise InputError(f"--set {name} was given twice: {found[name]!r} and {right!r}")
        found[name] = value(right)
    return found


def value(text: str) -> Value:
    """An int, a float, true, false or none if the text is one, else the text.

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


def as_text(values: dict[str, Value]) -> str:
    """The same values as they would be written after ``--set``, with commas between.

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

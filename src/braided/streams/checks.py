"""Checks of the parameters of streams."""

from __future__ import annotations

import numbers

from braided.errors import InputError

__all__ = ["LARGEST_COUNT", "check_share", "check_whole"]

LARGEST_COUNT = 2**31 - 1
"""The largest number of parts: its product with a number of rows or columns fits in 64 bits."""


def check_whole(
    name: str, value: object, low: int, high: int = LARGEST_COUNT, because: str = ""
) -> None:
    """Refuse what is not an int from ``low`` to ``high``."""
    whole = isinstance(value, numbers.Integral) and not isinstance(value, bool)
    if not (whole and low <= int(value) <= high):  # type: ignore[call-overload]
        raise InputError(f"{name}={value!r} is not allowed: an int from {low} to {high}{because}")


def check_share(name: str, value: object) -> None:
    """Refuse what is not a number from 0 to 1."""
    number = isinstance(value, numbers.Real) and not isinstance(value, bool)
    if not (number and 0 <= float(value) <= 1):  # type: ignore[arg-type]
        raise InputError(f"{name}={value!r} is not allowed: a number from 0 to 1")

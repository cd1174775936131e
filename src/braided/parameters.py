"""Checks of parameters: each raises InputError for a value that is not allowed."""

from __future__ import annotations

import numbers
from collections.abc import Sequence

from braided.errors import InputError

__all__ = [
    "as_float",
    "check_between",
    "check_budget",
    "check_choice",
    "check_positive",
    "check_seed",
    "check_share",
    "check_whole",
]

LARGEST_COUNT = 2**31 - 1
"""The largest count: its product with a number of rows or columns fits in 64 bits."""


def as_float(value: object) -> float | None:
    """Return a number as a float; None if it is no number, a bool, or too large for a float."""
    if not isinstance(value, numbers.Real) or isinstance(value, bool):
        return None
    try:
        return float(value)
    except OverflowError:
        return None


def check_choice(name: str, value: object, allowed: Sequence[object]) -> None:
    """Refuse a value that is not one of the allowed ones."""
    if not any(value is choice or value == choice for choice in allowed):
        choices = ", ".join(map(repr, allowed))
        raise _not_allowed(name, value, f"choose one of {choices}")


def check_positive(name: str, value: object) -> None:
    """Refuse anything but a number above 0; infinity is allowed."""
    number = as_float(value)
    if number is None or not number > 0:
        raise _not_allowed(name, value, "a number above 0")


def check_between(name: str, value: object, low: float, high: float) -> None:
    """Refuse anything but a number from ``low`` to ``high``."""
    number = as_float(value)
    if number is None or not low <= number <= high:
        raise _not_allowed(name, value, f"a number from {low:g} to {high:g}")


def check_share(name: str, value: object) -> None:
    """Refuse anything but a number from 0 to 1."""
    check_between(name, value, 0, 1)


def check_seed(seed: object) -> None:
    """Refuse anything but an int of at least 0."""
    if not isinstance(seed, numbers.Integral) or isinstance(seed, bool) or seed < 0:
        raise _not_allowed("seed", seed, "an int of at least 0")


def check_whole(
    name: str, value: object, low: int, high: int = LARGEST_COUNT, because: str = ""
) -> None:
    """Refuse anything but an int from ``low`` to ``high``; ``because`` ends the message."""
    whole = isinstance(value, numbers.Integral) and not isinstance(value, bool)
    if not (whole and low <= int(value) <= high):  # type: ignore[call-overload]
        raise _not_allowed(name, value, f"an int from {low} to {high}{because}")


def _not_allowed(name: str, value: object, allowed: str) -> InputError:
    return InputError(f"{name}={value!r} is not allowed: {allowed}", argument=name)


def check_budget(budget: object) -> None:
    """Refuse what is neither an int of at least 1 nor a float above 0 and at most 1."""
    number, whole = as_float(budget), isinstance(budget, numbers.Integral)
    if number is not None and (number >= 1 if whole else 0 < number <= 1):
        return
    raise InputError(
        f"budget={budget!r} is not allowed: an int of at least 1 is a number of features, "
        "a float above 0 and at most 1.0 a share of the features seen"
    )

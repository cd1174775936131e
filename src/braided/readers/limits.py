"""How much one line may hold: whatever a file contains, reading it takes bounded memory."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Limits", "too_long", "too_many"]


class Limits(NamedTuple):
    """The most bytes of a line, and the most features of a row."""

    line: int = 2**24
    features: int = 2**20


def too_long(limits: Limits) -> str:
    """What is said of a line that is too long."""
    return f"the line is longer than {limits.line} bytes (max_line_bytes)"


def too_many(features: int, limits: Limits) -> str:
    """What is said of a row with too many features."""
    return f"{features} features; a row has at most {limits.features} (max_features)"

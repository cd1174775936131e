"""The colours of all charts: Okabe and Ito's, which colour-blind people can tell apart."""

from __future__ import annotations

__all__ = ["AGAINST", "COLOURS", "DASHES", "FOR", "GRID", "INK", "QUIET", "colour", "dash"]

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
FOR, AGAINST = COLOURS[:2]
DASHES = ("solid", "dash", "dot", "dashdot")
INK = "#222222"
QUIET = "#6b7280"
GRID = "#e5e7eb"


def colour(number: int) -> str:
    """The colour of the curve with this number; they repeat."""
    return COLOURS[number % len(COLOURS)]


def dash(number: int) -> str:
    """How its line is broken: differently each time the colours repeat."""
    return DASHES[number // len(COLOURS) % len(DASHES)]

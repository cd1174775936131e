"""The shapes of streams by name, and the options that each takes."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from braided.errors import InputError
from braided.parameters import check_choice

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from braided.rows.rows import Rows
    from braided.streams import Stream

__all__ = ["SHAPES", "maker", "shuffles"]

SHAPES = ("given", "fixed", "trapezoidal", "capricious", "evolvable")
_NO_OPTIONS = ("X", "y", "seed", "feature_names")


def maker(name: str, options: Mapping[str, Any]) -> Callable[[Rows, NDArray[Any], int], Stream]:
    """What makes a stream of this shape, with these options, from rows, labels and a seed."""
    check_choice("--stream", name, SHAPES)
    allowed = [option for option in _parameters(name) if option not in _NO_OPTIONS]
    for option in options:
        if option not in allowed:
            takes = ", ".join(f"--{option}" for option in allowed) or "no options"
            raise InputError(f"--{option} is not for --stream {name}, which takes {takes}")

    def make(X: Rows, y: NDArray[Any], seed: int) -> Stream:
        seeds = {"seed": seed} if shuffles(name) else {}
        stream: Stream = _function(name)(X, y, **options, **seeds)
        return stream

    return make


def shuffles(name: str) -> bool:
    """Whether the shape has a seed."""
    return "seed" in _parameters(name)


def _parameters(name: str) -> list[str]:
    return list(inspect.signature(_function(name)).parameters)


def _function(name: str) -> Any:
    from braided import streams

    return getattr(streams, name)

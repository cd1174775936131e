"""States: what was learned is a named tuple of arrays, or of such tuples.

Growth, memory accounting, model files and comparisons need to know no more than that.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

__all__ = ["arrays", "capacity_for", "grown", "paths", "without_buffers", "writeable"]

State = TypeVar("State", bound=tuple[Any, ...])

_SMALLEST_CAPACITY = 8


def arrays(state: tuple[Any, ...]) -> Iterator[NDArray[Any]]:
    """Iterate over the arrays of a state, including those of nested tuples."""
    for part in state:
        if isinstance(part, tuple):
            yield from arrays(part)
        else:
            yield part


def paths(state: Any, parent: str = "") -> Iterator[tuple[str, NDArray[Any]]]:
    """Iterate over the arrays of a state with their names, as in ``kept.size``."""
    for field, part in zip(state._fields, state, strict=True):
        if isinstance(part, tuple):
            yield from paths(part, f"{parent}{field}.")
        else:
            yield f"{parent}{field}", part


def without_buffers(path: str, array: NDArray[Any], buffers: Mapping[str, Any]) -> NDArray[Any]:
    """Return an array of a state with zeros where ``buffers`` says that nothing was learned."""
    for part, index in buffers.items():
        if f"{path}.".startswith(f"{part}."):
            array = array.copy()
            array[index] = 0
    return array


def grown(state: State, fresh: State) -> State:
    """Return a state with the contents of ``state`` that is at least as large as ``fresh``.

    Where ``state`` has nothing, it has the contents of ``fresh``, which has learned nothing.
    """
    parts = zip(state, fresh, strict=True)
    return type(state)(
        *(
            grown(old, new) if isinstance(old, tuple) else _grown_array(old, new)
            for old, new in parts
        )
    )


def _grown_array(old: NDArray[Any], fresh: NDArray[Any]) -> NDArray[Any]:
    if all(o >= f for o, f in zip(old.shape, fresh.shape, strict=True)):
        return old
    shape = tuple(map(max, old.shape, fresh.shape))
    array = fresh if shape == fresh.shape else np.resize(fresh, shape)
    array[tuple(map(slice, old.shape))] = old
    return array


def writeable(state: State) -> State:
    """Return the same state with copies of arrays that are read-only."""
    return type(state)(
        *(writeable(part) if isinstance(part, tuple) else _writeable_array(part) for part in state)
    )


def _writeable_array(array: NDArray[Any]) -> NDArray[Any]:
    return array if array.flags.writeable else np.array(array)


def capacity_for(features: int) -> int:
    """Return the room for so many features: the next power of two, so that arrays seldom grow.

    It depends on nothing else, so that states are equal after single rows and after blocks.
    """
    return max(_SMALLEST_CAPACITY, 1 << (features - 1).bit_length())

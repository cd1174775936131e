"""States to and from a file: that of a model, and those of the models inside it.

Models inside a model share its names. What a file tells of each is how many features it has room
for, what its class adds (``_told``), and the models inside it in turn.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from braided.errors import InputError
from braided.learner.state import capacity_for, paths
from braided.model_files.safetensors import TensorFile

__all__ = ["MOST_ROUNDS", "arrays_of", "fill", "is_count", "told_of"]

MOST_ROUNDS = 2**53
"""Up to here a count can be made a float and back."""


def told_of(model: Any) -> dict[str, Any]:
    """What a file tells of a state besides its arrays."""
    inside = [told_of(each) for each in model._inside()]
    told = {"capacity": model._capacity, **model._told()}
    return {**told, "inside": inside} if inside else told


def arrays_of(model: Any, prefix: str = "") -> dict[str, NDArray[Any]]:
    """All arrays, those of models inside as ``inside.0.state.rounds``."""
    arrays = _in_files(model, prefix)
    for number, each in enumerate(model._inside()):
        arrays |= arrays_of(each, f"{prefix}inside.{number}.")
    return arrays


def fill(model: Any, told: Mapping[str, Any], file: TensorFile, prefix: str = "") -> set[str]:
    """Fill the state of a model that has begun; the names of the arrays that it took.

    A model inside begins when those before it are filled, so that no more memory is asked for than
    the file has bytes.
    """
    model._make_room_as_in(lambda path: file.length(f"{prefix}state.{path}"))
    arrays = _in_files(model, prefix)
    for name, array in arrays.items():
        file.read_into(name, array)
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            raise InputError(f"{name} holds what is no number")
    for field, most in (("rounds", MOST_ROUNDS), ("seen", len(model._space))):
        if not 0 <= getattr(model._state, field, (0,))[0] <= most:
            raise InputError(f"{prefix}state.{field} is not between 0 and {most}")
    if not model._is_sound(model._state):
        raise InputError("its arrays contradict each other")
    filled, parts = set(arrays), told.get("inside", [])
    if not isinstance(parts, list) or not all(isinstance(part, dict) for part in parts):
        raise InputError("it does not say what is inside")
    number = 0
    for each in model._restored(told):
        if number == len(parts):
            raise InputError("it says too little of what is inside")
        _make_room(each, parts[number].get("capacity"), file)
        filled |= fill(each, parts[number], file, f"{prefix}inside.{number}.")
        number += 1
    if number < len(parts):
        raise InputError("it says too much of what is inside")
    return filled


def _in_files(model: Any, prefix: str) -> dict[str, NDArray[Any]]:
    """The arrays of a state by their names in a file."""
    return {
        f"{prefix}state.{path}": array
        for path, array in paths(model._state)
        if array.size or path not in model._later_arrays
    }


def is_count(value: Any) -> bool:
    """Whether this is a whole number that can be a count."""
    return type(value) is int and 0 <= value < MOST_ROUNDS


def _make_room(model: Any, capacity: Any, file: TensorFile) -> None:
    if not is_count(capacity) or capacity > file.size or capacity_for(capacity) != capacity:
        raise InputError(f"something inside has room for {capacity!r} features")
    model._make_room(max(0, capacity - len(model._space)))
    if model._capacity != capacity:
        raise InputError(f"something inside has room for {capacity} features only")

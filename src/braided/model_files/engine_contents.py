"""An engine to and from a file: its names, its state, and the states of the engines inside it.

Names are numbers in an array, or else JSON. Engines inside an engine share its names. For each, a
file says how many features it has room for, what its class adds (``Engine.description``), and the
same of the engines inside it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from braided.errors import InputError
from braided.features import FeatureSpace
from braided.learner.state import capacity_for
from braided.model_files.json_values import decode, decode_text, encode_all, text_of
from braided.model_files.safetensors import TensorFile

if TYPE_CHECKING:
    from braided.learner.engine import Engine

__all__ = [
    "MOST_ROUNDS",
    "NAME_ARRAYS",
    "arrays_of",
    "counts_of",
    "description_of",
    "fill",
    "fill_counts",
    "is_count",
    "names_as_array",
    "read_names",
]

MOST_ROUNDS = 2**53
"""Up to here a count can be made a float and back."""

_NAMES, _NUMBERS, _COUNTS = "names", "numbers", "counts"
NAME_ARRAYS = {_NAMES, _NUMBERS}


def description_of(engine: Engine) -> dict[str, Any]:
    """The description of a state in a file, besides its arrays."""
    inside = [description_of(each) for each in engine.inside()]
    description = {"capacity": engine.capacity, **engine.description()}
    return {**description, "inside": inside} if inside else description


def arrays_of(engine: Engine, prefix: str = "") -> dict[str, NDArray[Any]]:
    """All arrays, those of engines inside as ``inside.0.state.rounds``."""
    arrays = _in_files(engine.learned_arrays(), prefix)
    for number, each in enumerate(engine.inside()):
        arrays |= arrays_of(each, f"{prefix}inside.{number}.")
    return arrays


def fill(
    engine: Engine, description: Mapping[str, Any], file: TensorFile, prefix: str = ""
) -> set[str]:
    """Fill the state of a new engine; return the names of the arrays that were read.

    An engine inside begins when those before it are filled, so that no more memory is asked for
    than the file has bytes.
    """
    engine.take_form(description)
    engine.make_room_as_in(lambda path, axis=0: file.length(f"{prefix}state.{path}", axis))
    arrays = _in_files(engine.arrays(), prefix)
    for name, array in arrays.items():
        file.read_into(name, array)
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            raise InputError(f"{name} holds what is no number")
    for field, most in (("rounds", MOST_ROUNDS), ("seen", len(engine.space))):
        if not 0 <= getattr(engine.state, field, (0,))[0] <= most:
            raise InputError(f"{prefix}state.{field} is not between 0 and {most}")
    if not engine.is_sound:
        raise InputError("its arrays contradict each other")
    filled, parts = set(arrays), description.get("inside", [])
    if not isinstance(parts, list) or not all(isinstance(part, dict) for part in parts):
        raise InputError("it does not say what is inside")
    number = 0
    for each in engine.restored(description):
        if number == len(parts):
            raise InputError("it says too little of what is inside")
        _make_room(each, parts[number].get("capacity"), file)
        filled |= fill(each, parts[number], file, f"{prefix}inside.{number}.")
        number += 1
    if number < len(parts):
        raise InputError("it says too much of what is inside")
    return filled


def counts_of(engine: Engine) -> dict[str, NDArray[Any]]:
    """The counts of features as an array, if they are counted."""
    counts = engine.feature_counts()
    return {} if counts is None else {_COUNTS: counts}


def fill_counts(engine: Engine, file: TensorFile) -> set[str]:
    """Read the counts of features, if there are any; return the names of the arrays."""
    if _COUNTS not in file.names:
        return set()
    counts = np.zeros(len(engine.space), np.int64)
    file.read_into(_COUNTS, counts)
    if not 0 <= counts.min(initial=0) <= counts.max(initial=0) <= engine.rounds:
        raise InputError("its features have impossible counts")
    engine.counts = counts
    return {_COUNTS}


def _in_files(arrays: Mapping[str, NDArray[Any]], prefix: str) -> dict[str, NDArray[Any]]:
    """The arrays of a state by their names in a file."""
    return {f"{prefix}state.{path}": array for path, array in arrays.items()}


def is_count(value: Any) -> bool:
    """Whether this is a whole number that can be a count."""
    return type(value) is int and 0 <= value < MOST_ROUNDS


def _make_room(engine: Engine, capacity: Any, file: TensorFile) -> None:
    if not is_count(capacity) or capacity > file.size or capacity_for(capacity) != capacity:
        raise InputError(f"something inside has room for {capacity!r} features")
    engine.make_room(max(0, capacity - len(engine.space)))
    if engine.capacity != capacity:
        raise InputError(f"something inside has room for {capacity} features only")


def names_as_array(space: FeatureSpace, reserved: int = 0) -> dict[str, NDArray[Any]]:
    """The names of a space as one array, without the first ``reserved``, which it always has."""
    numbers = space.numbers()
    if numbers is not None:
        return {_NUMBERS: numbers}
    in_json = space.as_json(reserved)
    if in_json is not None:
        return {_NAMES: in_json}
    try:
        text = text_of(encode_all(space.names[reserved:])).encode()
    except RecursionError:
        raise InputError("a name is a tuple within too many others") from None
    except InputError as error:
        raise InputError(f"the name of a feature: {error}") from None
    return {_NAMES: np.frombuffer(text, np.uint8)}


def read_names(file: TensorFile, space: FeatureSpace) -> FeatureSpace:
    """The space that begins as this one and goes on with the names in a file."""
    if file.names >= NAME_ARRAYS:
        raise InputError("it names its features twice")
    reserved = space.names
    if _NUMBERS in file.names and not reserved:
        numbers = file.read(_NUMBERS, np.int32)
        if numbers.min(initial=0) < 0 or np.unique(numbers).size < numbers.size:
            raise InputError("its features have impossible numbers")
        return FeatureSpace.of_numbers(numbers)
    items = decode_text(file.read(_NAMES, np.uint8).tobytes())
    if not isinstance(items, list):
        raise InputError("its names are no list")
    names = [*reserved, *map(decode, items)]
    space = FeatureSpace.of(names)
    if len(space) < len(names) or space.numbers() is not None:
        raise InputError("its features have impossible names")
    return space

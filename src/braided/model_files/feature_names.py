"""The names of features to and from a file: numbers in an array, all else as JSON."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from braided.errors import InputError
from braided.features import FeatureSpace
from braided.model_files.json_values import decode, decode_text, encode_all, text_of
from braided.model_files.safetensors import TensorFile

__all__ = ["ARRAYS", "as_array", "read_from"]

_NAMES, _NUMBERS = "names", "numbers"
ARRAYS = {_NAMES, _NUMBERS}


def as_array(space: FeatureSpace, reserved: int = 0) -> dict[str, NDArray[Any]]:
    """The names of a space as one array, without the first ``reserved``, which it always has."""
    numbers = space.numbers()
    if numbers is not None:
        return {_NUMBERS: numbers}
    try:
        text = text_of(encode_all(space.names[reserved:])).encode()
    except RecursionError:
        raise InputError("a name is a tuple within too many others") from None
    except InputError as error:
        raise InputError(f"the name of a feature: {error}") from None
    return {_NAMES: np.frombuffer(text, np.uint8)}


def read_from(file: TensorFile, space: FeatureSpace) -> FeatureSpace:
    """The space that begins as this one and goes on with the names in a file."""
    if file.names >= ARRAYS:
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

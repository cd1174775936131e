"""A model to and from its file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib import import_module
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from braided import registry
from braided.errors import InputError, ModelFileError
from braided.features import FeatureSpace
from braided.files import tensors
from braided.files.values import decode, decode_text, encode, encode_all, text_of
from braided.labels import Labels
from braided.state import capacity_for, paths

if TYPE_CHECKING:
    from braided.learner import Learner

__all__ = ["VERSION", "load", "read", "save"]

VERSION = 1
"""Of the format. A file of a version that is not known is refused."""

MOST_ROUNDS = 2**53
"""Up to here a count can be made a float and back."""

_VERSION, _MODEL = "braided", "model"
_NAMES, _NUMBERS, _STATE = "names", "numbers", "state."
_HOMES = {entry.home.partition(":")[2]: entry.home for entry in registry.ENTRIES}
"""The learners that can be in a file. What a file says is looked up here, and imported nowhere."""


def save(
    model: Learner, path: str | os.PathLike[str], notes: Mapping[str, str] | None = None
) -> None:
    """Write a model, and short notes if there are any, to a file, at once or not at all."""
    description, arrays = _contents(model)
    texts = {_VERSION: str(VERSION), _MODEL: text_of(description), **(notes or {})}
    tensors.write(path, texts, arrays)


def load(
    path: str | os.PathLike[str], *, expect: type[Any] | tuple[type[Any], ...] | None = None
) -> Any:
    """The model in a file, as it was when it was saved.

    No code from the file is run, and everything in it is checked before there is a model.

    Parameters
    ----------
    path
        of a file written by ``model.save`` or ``braided train``.
    expect
        the class that the model must have, or several of them.

    Raises
    ------
    ModelFileError
        if the file is damaged, is no model file, or holds a model of another class.

    Examples
    --------
    >>> import braided, tempfile
    >>> model = braided.OLSF().partial_fit([{"cheap": 1}, {"lunch": 1}], ["spam", "mail"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     model.save(f"{folder}/m.braided")
    ...     loaded = braided.load(f"{folder}/m.braided", expect=braided.OLSF)
    >>> loaded.weights() == model.weights()
    True
    """
    return read(path, expect)[0]


def read(
    path: str | os.PathLike[str], expect: type[Any] | tuple[type[Any], ...] | None = None
) -> tuple[Learner, dict[str, str]]:
    """The model in a file, and its notes."""
    try:
        with tensors.opened(path) as file:
            notes = dict(file.texts)
            _check_version(notes.pop(_VERSION, None))
            file.verify()
            return _model(file, decode_text(notes.pop(_MODEL, "")), expect), notes
    except (InputError, TypeError, ValueError, OverflowError, MemoryError, RecursionError) as error:
        reason = str(error) or type(error).__name__
        raise ModelFileError(f"{os.fspath(path)} can not be loaded: {reason}") from None


def _check_version(version: str | None) -> None:
    if version is None:
        raise InputError("it is a safetensors file, but no model of Braided")
    if version != str(VERSION):
        raise InputError(
            f"its format is version {version!r}, and this Braided reads version {VERSION}: "
            "a newer one may have written it"
        )


# ------------------------------------------------------------------------------- to a file


def _contents(model: Learner) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """What a file tells of a model in words, and its arrays."""
    name = type(model).__name__
    if name not in _HOMES or _class(name) is not type(model):
        raise InputError(
            f"{name} can not be saved: only Braided's own learners can, since loading runs no code "
            "of others; pickle it instead"
        )
    parameters = model.get_params(deep=False)
    description: dict[str, Any] = {
        "learner": name,
        "parameters": {key: encode(_plain(value)) for key, value in parameters.items()},
        "learned": model._state is not None,
    }
    if model._state is None:
        return description, {}
    if model._in_force.get_params(deep=False) != parameters:
        raise InputError(
            f"{model} can not be saved: a parameter was assigned that is not in force; "
            "use set_params"
        )
    space = model._space
    description |= {
        "labels": encode_all(model._labels.values),
        "width": model._width,
        "rounds": model.rounds,
        "features": len(space),
        "capacity": model._capacity,
    }
    return description, {
        **_names_as_array(space),
        **{f"{_STATE}{path}": array for path, array in paths(model._state)},
    }


def _plain(value: Any) -> Any:
    """A parameter without the class of numbers that it came in."""
    if isinstance(value, (bool, int, float, np.generic)):
        return value
    if isinstance(value, Integral):
        return int(value)
    return float(value) if isinstance(value, Real) else value


def _names_as_array(space: FeatureSpace) -> dict[str, NDArray[Any]]:
    numbers = space.numbers()
    if numbers is not None:
        return {_NUMBERS: numbers}
    try:
        text = text_of(encode_all(space.names)).encode()
    except RecursionError:
        raise InputError("a name is a tuple within too many others") from None
    except InputError as error:
        raise InputError(f"the name of a feature: {error}") from None
    return {_NAMES: np.frombuffer(text, np.uint8)}


# ----------------------------------------------------------------------------- from a file


def _model(
    file: tensors.TensorFile, told: Any, expect: type[Any] | tuple[type[Any], ...] | None
) -> Learner:
    told = told if isinstance(told, dict) else {}
    name = told.get("learner")
    if not isinstance(name, str) or name not in _HOMES:
        raise InputError(f"it holds a learner that this Braided does not know: {name!r}")
    cls = _class(name)
    if expect is not None and not issubclass(cls, expect):
        names = expect if isinstance(expect, tuple) else (expect,)
        raise InputError(f"it holds {name}, not {' or '.join(c.__name__ for c in names)}")
    model: Learner = _unlearned(cls, told.get("parameters"))
    if told.get("learned") is True:
        _learned(model, file, told)
    elif file.names:
        raise InputError("it holds arrays of a model that has learned nothing")
    return model


def _class(name: str) -> Any:
    return getattr(import_module(_HOMES[name].partition(":")[0]), name)


def _unlearned(cls: Any, parameters: Any) -> Any:
    if not isinstance(parameters, dict) or set(parameters) != set(cls._get_param_names()):
        raise InputError(f"its parameters are not those of {cls.__name__}")
    return cls(**{key: decode(value) for key, value in parameters.items()})


def _learned(model: Any, file: tensors.TensorFile, told: Mapping[str, Any]) -> None:
    space, labels = _names_from(file), told.get("labels")
    capacity, width = told.get("capacity"), told.get("width")
    if not isinstance(labels, list):
        raise InputError("it has no labels")
    if width is not None and not _is_count(width):
        raise InputError(f"its width is {width!r}")
    if capacity is None or not _is_count(capacity):
        raise InputError(f"its capacity is {capacity!r}")
    # A state has at least a byte for each feature that it has room for.
    if not capacity_for(len(space)) <= capacity <= file.size:
        raise InputError(f"it has room for {capacity!r} features, and {len(space)} names")
    if model._most_features is not None and len(space) > model._most_features:
        raise InputError(f"{model} learns from at most {model._most_features} features")
    model._begin(space, Labels.of(map(decode, labels)), capacity)
    model._width = width
    model._make_room_as_in(lambda path: file.length(f"{_STATE}{path}"))
    expected = {f"{_STATE}{path}": array for path, array in paths(model._state)}
    if expected.keys() != file.names - {_NAMES, _NUMBERS}:
        raise InputError(f"its arrays are not those of {type(model).__name__}")
    for name, array in expected.items():
        file.read_into(name, array)
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            raise InputError(f"{name} holds what is no number")
    rounds, seen = int(model._state.rounds[0]), int(model._state.seen[0])
    if rounds != told.get("rounds") or not 0 <= rounds <= MOST_ROUNDS:
        raise InputError(f"it tells two numbers of rounds: {rounds} and {told.get('rounds')!r}")
    if len(space) != told.get("features") or not 0 <= seen <= len(space):
        raise InputError(f"it has {len(space)} features, and says {told.get('features')!r}")
    if not model._is_sound(model._state):
        raise InputError("its arrays contradict each other")


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value < MOST_ROUNDS


def _names_from(file: tensors.TensorFile) -> FeatureSpace:
    if file.names >= {_NAMES, _NUMBERS}:
        raise InputError("it names its features twice")
    if _NUMBERS in file.names:
        numbers = file.read(_NUMBERS, np.int32)
        if numbers.min(initial=0) < 0 or np.unique(numbers).size < numbers.size:
            raise InputError("its features have impossible numbers")
        return FeatureSpace.of_numbers(numbers)
    items = decode_text(file.read(_NAMES, np.uint8).tobytes())
    if not isinstance(items, list):
        raise InputError("its names are no list")
    names = [decode(item) for item in items]
    space = FeatureSpace.of(names)
    if len(space) < len(names) or space.numbers() is not None:
        raise InputError("its features have impossible names")
    return space

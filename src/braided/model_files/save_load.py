"""Save and load: a model to and from its file."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from inspect import signature
from io import BytesIO
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from braided import registry
from braided.errors import InputError, ModelFileError
from braided.learner.estimator import Estimator
from braided.learner.state import capacity_for
from braided.model_files import engine_contents, safetensors
from braided.model_files.json_values import decode, decode_text, encode, encode_all, text_of
from braided.records.schema import Schema

if TYPE_CHECKING:
    from braided.learner.engine import Engine
    from braided.learner.learner import Learner

__all__ = ["VERSION", "from_bytes", "load", "read", "read_bytes", "save", "to_bytes"]

VERSION = 1
"""The version of the format. A file of another version is refused."""

_VERSION, _MODEL = "braided", "model"

LONG_NOTE = 10_000
"""A note of more characters is kept beside the arrays, since the header of a file is short."""

_NOTE_ARRAY = "note."


def save(
    model: Learner, path: str | os.PathLike[str], notes: Mapping[str, str] | None = None
) -> None:
    """Write a model to a file, completely or not at all.

    Parameters
    ----------
    model : Learner
        A learner of Braided, trained or not.
    path : str or path
        The file, as in ``"m.braided"``.
    notes : mapping from str to str, optional
        Texts that are kept with the model.

    Raises
    ------
    InputError
        If the model has names, labels or parameters that a file can not keep.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from braided import OLSF
    >>> from braided.model_files import load, save
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "m.braided"
    ...     save(OLSF(budget=10), path)
    ...     load(path)
    OLSF(budget=10)
    """
    safetensors.replace_file(path, _pieces(model, notes or {}))


def to_bytes(model: Learner, notes: Mapping[str, str] | None = None) -> bytes:
    """Return what ``save`` writes.

    Parameters
    ----------
    model : Learner
        A learner of Braided, trained or not.
    notes : mapping from str to str, optional
        Texts that are kept with the model.

    Returns
    -------
    bytes
        The contents of a model file.
    """
    return b"".join(_pieces(model, notes or {}))


def _pieces(model: Learner, notes: Mapping[str, str]) -> list[Any]:
    description, arrays = _contents(model)
    short = {name: text for name, text in notes.items() if len(text) <= LONG_NOTE}
    texts = {_VERSION: str(VERSION), _MODEL: text_of(description), **short}
    for name in notes.keys() - short.keys():
        arrays[f"{_NOTE_ARRAY}{name}"] = np.frombuffer(notes[name].encode(), np.uint8)
    return safetensors.pieces(texts, arrays)


def load(
    path: str | os.PathLike[str], *, expect: type[Any] | tuple[type[Any], ...] | None = None
) -> Any:
    """Load the model in a file, as it was when it was saved.

    No code from the file is run, and everything in it is checked before there is a model.

    Parameters
    ----------
    path : str or path
        A file written by ``model.save`` or ``braided train``.
    expect : type or tuple of type, optional
        The class that the model must have, or several of them.

    Returns
    -------
    Learner
        The model; it goes on exactly where it was.

    Raises
    ------
    ModelFileError
        If the file is damaged, is no model file, or holds a model of another class.

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
    with _telling(os.fspath(path)), safetensors.opened(path) as file:
        return _read(file, expect)


def from_bytes(data: Any, *, expect: type[Any] | tuple[type[Any], ...] | None = None) -> Any:
    """Make the model of which these are the bytes, as ``load`` does with a file.

    Parameters
    ----------
    data : bytes, bytearray or memoryview
        What ``model.to_bytes()`` returned, or the contents of a model file.
    expect : type or tuple of type, optional
        The class that the model must have, or several of them.

    Returns
    -------
    Learner
        The model; it goes on exactly where it was.

    Raises
    ------
    ModelFileError
        If the bytes are damaged, are no model, or hold a model of another class.

    Examples
    --------
    >>> import braided
    >>> model = braided.OLSF().partial_fit([{"cheap": 1}, {"lunch": 1}], ["spam", "mail"])
    >>> braided.from_bytes(model.to_bytes()).predict_one({"lunch": 1})
    'mail'
    """
    return read_bytes(data, expect)[0]


def read_bytes(
    data: Any, expect: type[Any] | tuple[type[Any], ...] | None = None
) -> tuple[Learner, dict[str, str]]:
    """The model that these bytes are, and its notes."""
    with _telling(f"a model of {len(data)} bytes"):
        return _read(safetensors.TensorFile(BytesIO(data), len(data)), expect)


@contextmanager
def _telling(what: str) -> Iterator[None]:
    """Say what could not be loaded, and why."""
    try:
        yield
    except (InputError, TypeError, ValueError, OverflowError, MemoryError, RecursionError) as error:
        raise ModelFileError(
            f"{what} can not be loaded: {str(error) or type(error).__name__}"
        ) from None


def _read(
    file: safetensors.TensorFile, expect: type[Any] | tuple[type[Any], ...] | None
) -> tuple[Learner, dict[str, str]]:
    notes = dict(file.texts)
    _check_version(notes.pop(_VERSION, None))
    file.verify()
    for name in sorted(_long_notes(file)):
        text = file.read(name, np.uint8).tobytes().decode()
        notes.setdefault(name.removeprefix(_NOTE_ARRAY), text)
    return _model(file, decode_text(notes.pop(_MODEL, "")), expect), notes


def _long_notes(file: safetensors.TensorFile) -> set[str]:
    """The names of the arrays that are notes."""
    return {name for name in file.names if name.startswith(_NOTE_ARRAY)}


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
    """The description of a model in a file, and its arrays."""
    engine = model.engine
    description = {**_encoded(model), "learned": engine is not None, **_schema_of(model)}
    if engine is None:
        return description, {}
    if _encoded(engine.algorithm) != _encoded(model):
        raise InputError(
            f"{model} can not be saved: a parameter was assigned that is not in force; "
            "use set_params"
        )
    description |= {
        "labels": encode_all(engine.labels.values),
        "width": engine.width,
        "rounds": engine.rounds,
        "features": len(engine.space),
        **engine_contents.description_of(engine),
    }
    return description, {
        **engine_contents.names_as_array(engine.space, len(model.new_space())),
        **engine_contents.arrays_of(engine),
        **engine_contents.counts_of(engine),
    }


def _schema_of(model: Learner) -> dict[str, Any]:
    """The schema of a model in a file, if there is something in it."""
    schema = model.schema.to_json()
    if "kinds" in schema:
        schema["kinds"] = {kind: encode_all(names) for kind, names in schema["kinds"].items()}
    return {"schema": schema} if schema else {}


def _encoded(model: Any) -> dict[str, Any]:
    """The class of a learner and its parameters, of which one may be a learner itself."""
    name = type(model).__name__
    if name not in registry.classes() or _class(name) is not type(model):
        raise InputError(
            f"{name} can not be saved: only Braided's own learners and registered ones can "
            "(braided.register), since a file names no code to run"
        )
    return {
        "learner": name,
        "parameters": {
            key: _encoded(value) if isinstance(value, Estimator) else encode(_plain(value))
            for key, value in model.get_params(deep=False).items()
            if not (key in _added_later(type(model)) and value == _default(type(model), key))
        },
    }


def _added_later(cls: Any) -> tuple[str, ...]:
    """The parameters that older files lack; at their default, new ones lack them, too."""
    later: tuple[str, ...] = getattr(cls, "parameters_added_later", ())
    return later


def _default(cls: Any, parameter: str) -> Any:
    return signature(cls).parameters[parameter].default


def _plain(value: Any) -> Any:
    """A parameter as a plain Python value, whatever class of numbers it has."""
    if isinstance(value, (bool, int, float, np.generic)):
        return value
    if isinstance(value, list):
        return tuple(value)
    if isinstance(value, Integral):
        return int(value)
    return float(value) if isinstance(value, Real) else value


# ----------------------------------------------------------------------------- from a file


def _model(
    file: safetensors.TensorFile, description: Any, expect: type[Any] | tuple[type[Any], ...] | None
) -> Learner:
    description = description if isinstance(description, dict) else {}
    name = description.get("learner")
    cls = _class(name)
    if expect is not None and not issubclass(cls, expect):
        several = expect if isinstance(expect, tuple) else (expect,)
        raise InputError(f"it holds {name}, not {' or '.join(c.__name__ for c in several)}")
    model: Learner = _unlearned(cls, description.get("parameters"))
    if "schema" in description:
        model.schema = _schema(description["schema"])
    if description.get("learned") is True:
        model.engine = _learned(model, file, description)
    elif file.names - _long_notes(file):
        raise InputError("it holds arrays of a model that has learned nothing")
    return model


def _schema(item: Any) -> Schema:
    kinds = item.get("kinds") if isinstance(item, dict) else None
    if isinstance(kinds, dict) and all(isinstance(names, list) for names in kinds.values()):
        item = {**item, "kinds": {k: [decode(name) for name in v] for k, v in kinds.items()}}
    return Schema.from_json(item)


def _class(name: Any) -> Any:
    """The class of this name. What a file says is looked up in the registry, and never imported."""
    learners = registry.classes()
    if not isinstance(name, str) or name not in learners:
        raise InputError(f"it holds a learner that this Braided does not know: {name!r}")
    return registry.resolve(learners[name])


def _unlearned(cls: Any, parameters: Any) -> Any:
    allowed = set(signature(cls).parameters)
    later = set(_added_later(cls))
    if not isinstance(parameters, dict) or not allowed - later <= set(parameters) <= allowed:
        raise InputError(f"its parameters are not those of {cls.__name__}")
    return cls(**{key: _parameter(value) for key, value in parameters.items()})


def _parameter(item: Any) -> Any:
    if not isinstance(item, dict) or set(item) != {"learner", "parameters"}:
        return decode(item)
    return _unlearned(_class(item["learner"]), item["parameters"])


def _learned(model: Any, file: safetensors.TensorFile, description: Mapping[str, Any]) -> Engine:
    space, labels = engine_contents.read_names(file, model.new_space()), description.get("labels")
    capacity, width = description.get("capacity"), description.get("width")
    if not isinstance(labels, list):
        raise InputError("it has no labels")
    if width is not None and not engine_contents.is_count(width):
        raise InputError(f"its width is {width!r}")
    if capacity is None or not engine_contents.is_count(capacity):
        raise InputError(f"its capacity is {capacity!r}")
    # A state has at least a byte for each feature that it has room for.
    if not capacity_for(len(space)) <= capacity <= file.size:
        raise InputError(f"it has room for {capacity!r} features, and {len(space)} names")
    if model.most_features is not None and len(space) > model.most_features:
        raise InputError(f"{model} learns from at most {model.most_features} features")
    if len(space) != description.get("features"):
        raise InputError(f"it has {len(space)} features, and says {description.get('features')!r}")
    if len(labels) > 2 or description.get("any_labels") is True:
        model.allow_any_labels()
    known = type(model.new_labels()).of(map(decode, labels))
    engine: Engine = model.new_engine(space=space, labels=known, capacity=capacity)
    engine.width = width
    filled = engine_contents.fill(engine, description, file)
    filled |= engine_contents.fill_counts(engine, file)
    if filled != file.names - engine_contents.NAME_ARRAYS - _long_notes(file):
        raise InputError(f"its arrays are not those of {type(model).__name__}")
    if engine.rounds != description.get("rounds"):
        raise InputError(
            f"it tells two numbers of rounds: {engine.rounds} and {description.get('rounds')!r}"
        )
    return engine

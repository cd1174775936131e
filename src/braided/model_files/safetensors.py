"""The container: arrays and texts in one file of the safetensors format, with a checksum.

Eight bytes say how long the JSON header is. It holds texts (``__metadata__``) and, for each array,
its type, shape and place among the bytes that follow. Any reader of safetensors can open such
a file; this one is stricter, and accepts only files of ``pieces``.

The checksum among the texts is the SHA-256 of the whole file with zeros in its own place. It finds
damage; a forger can forge it too.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import secrets
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from io import BufferedReader, BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from braided.errors import InputError
from braided.model_files.json_values import decode_text

__all__ = ["Place", "TensorFile", "opened", "pieces", "remove_leftovers", "replace_file", "write"]

LONGEST_HEADER = 1 << 24
"""Bytes; what may be large is kept in arrays."""

MOST_DIMENSIONS = 5

_TEXTS = "__metadata__"
_CHECKSUM = "sha256"
_NO_CHECKSUM = "0" * 64
_START = 8
_PIECE = 1 << 20
_TYPES: dict[str, np.dtype[Any]] = {
    "F64": np.dtype(np.float64),
    "F32": np.dtype(np.float32),
    "U64": np.dtype(np.uint64),
    "I64": np.dtype(np.int64),
    "I32": np.dtype(np.int32),
    "U16": np.dtype(np.uint16),
    "U8": np.dtype(np.uint8),
    "BOOL": np.dtype(np.bool_),
}
_TYPE_NAMES = {dtype: name for name, dtype in _TYPES.items()}


class Place(NamedTuple):
    """What an array is, and where it lies: the first byte, and how many."""

    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    start: int
    bytes: int


def write(
    path: str | os.PathLike[str], texts: Mapping[str, str], arrays: Mapping[str, NDArray[Any]]
) -> None:
    """Write a file, all at once (``replace_file``)."""
    replace_file(path, pieces(texts, arrays))


def pieces(texts: Mapping[str, str], arrays: Mapping[str, NDArray[Any]]) -> list[Any]:
    """Return the contents of a file, piece by piece; what is equal makes equal bytes."""
    table: dict[str, Any] = {}
    parts: list[memoryview] = []
    start = 0
    # The widest first: so each number lies at a multiple of its width.
    for name, array in sorted(arrays.items(), key=lambda item: -item[1].itemsize):
        stop = start + array.nbytes
        kind = _TYPE_NAMES[array.dtype]
        table[name] = {"dtype": kind, "shape": list(array.shape), "data_offsets": [start, stop]}
        parts.append(_bytes_of(np.ascontiguousarray(array)))
        start = stop
    checksum = hashlib.sha256(_header(texts, table, _NO_CHECKSUM))
    for part in parts:
        checksum.update(part)
    header = _header(texts, table, checksum.hexdigest())
    if len(header) > _START + LONGEST_HEADER:
        raise InputError(f"the labels and parameters take more than {LONGEST_HEADER} bytes")
    return [header, *parts]


@contextmanager
def opened(path: str | os.PathLike[str]) -> Iterator[TensorFile]:
    """Open a file to read from; its header is checked."""
    if not stat.S_ISREG(os.stat(path).st_mode):
        raise InputError("it is not a file")
    with open(path, "rb") as file:
        yield TensorFile(file, os.fstat(file.fileno()).st_size)


class TensorFile:
    """The texts and arrays of a file; ``places`` tells where, after ``data_start``, each lies."""

    def __init__(self, file: BufferedReader | BytesIO, size: int) -> None:
        self._file, self.size = file, size
        length = int.from_bytes(file.read(_START), "little")
        if self.size < _START or length > min(LONGEST_HEADER, self.size - _START):
            raise InputError("it is truncated, or no model file")
        self.data_start = _START + length
        header = file.read(length)
        fields = decode_text(header)
        texts = fields.pop(_TEXTS, None) if isinstance(fields, dict) else None
        if not isinstance(texts, dict) or not all(isinstance(t, str) for t in texts.values()):
            raise InputError("it is no model file")
        self._checksum = texts.pop(_CHECKSUM, None)
        self.texts: dict[str, str] = texts
        self.places = _places(fields, self.size - self.data_start)
        # Nothing but what was understood may be there: no space, no name given twice.
        if header != _header(texts, fields, str(self._checksum))[_START:]:
            raise InputError("its header was altered")
        self._unsigned = _header(texts, fields, _NO_CHECKSUM)

    def verify(self) -> None:
        """Refuse the file if a byte is not as it was written."""
        checksum = hashlib.sha256(self._unsigned)
        self._file.seek(self.data_start)
        while piece := self._file.read(_PIECE):
            checksum.update(piece)
        if checksum.hexdigest() != self._checksum:
            raise InputError("it was altered: its checksum does not fit")

    @property
    def names(self) -> set[str]:
        """The names of the arrays."""
        return set(self.places)

    def read_into(self, name: str, array: NDArray[Any]) -> None:
        """Fill an array; the file must have one of the same type and shape."""
        place = self._place(name)
        if (place.dtype, place.shape) != (array.dtype, array.shape):
            raise InputError(
                f"{name} is {place.dtype} of shape {place.shape} "
                f"where {array.dtype} of shape {array.shape} is expected"
            )
        self._file.seek(self.data_start + place.start)
        if self._file.readinto(_bytes_of(array)) != place.bytes:
            raise InputError("it is truncated")
        if array.dtype == np.bool_ and array.view(np.uint8).max(initial=0) > 1:
            raise InputError(f"{name} holds what is neither true nor false")

    def length(self, name: str, axis: int = 0) -> int:
        """How long an array is along an axis, of which it must have as many."""
        shape = self._place(name).shape
        if axis >= len(shape):
            raise InputError(f"{name} has {len(shape)} dimensions")
        return shape[axis]

    def read(self, name: str, dtype: type) -> NDArray[Any]:
        """An array of one dimension, of any length."""
        place = self._place(name)
        if len(place.shape) != 1:
            raise InputError(f"{name} has {len(place.shape)} dimensions instead of one")
        array: NDArray[Any] = np.empty(place.shape, dtype)
        self.read_into(name, array)
        return array

    def _place(self, name: str) -> Place:
        if name not in self.places:
            raise InputError(f"it has no {name}")
        return self.places[name]


def _bytes_of(array: NDArray[Any]) -> memoryview:
    return array.reshape(-1).view(np.uint8).data


def _header(texts: Mapping[str, str], table: Mapping[str, Any], checksum: str) -> bytes:
    """Length and header, filled up so that the data starts at a multiple of 8."""
    fields = {_TEXTS: {**texts, _CHECKSUM: checksum}, **table}
    text = json.dumps(fields, separators=(",", ":")).encode()
    text += b" " * (-len(text) % _START)
    return len(text).to_bytes(_START, "little") + text


def _places(table: Mapping[str, Any], size: int) -> dict[str, Place]:
    """Where each array lies; together they must fill the data, one after another."""
    places: dict[str, Place] = {}
    start = 0
    for name, entry in table.items():
        place = _place_of(entry, start)
        if place is None:
            raise InputError(f"what it says of {name!r} is impossible")
        places[name] = place
        start += place.bytes
    if start != size:
        raise InputError(f"it is truncated or was added to: {size} bytes of data, not {start}")
    return places


def _place_of(entry: Any, start: int) -> Place | None:
    if not isinstance(entry, dict) or set(entry) != {"dtype", "shape", "data_offsets"}:
        return None
    dtype, shape = entry["dtype"], entry["shape"]
    if not isinstance(dtype, str) or dtype not in _TYPES or not isinstance(shape, list):
        return None
    if not 1 <= len(shape) <= MOST_DIMENSIONS or not all(type(n) is int and n >= 0 for n in shape):
        return None
    size = math.prod(shape) * _TYPES[dtype].itemsize
    if entry["data_offsets"] != [start, start + size]:
        return None
    return Place(_TYPES[dtype], tuple(shape), start, size)


# ---------------------------------------------------- written as a whole, or not at all

_SUFFIX = ".partial"


def replace_file(path: str | os.PathLike[str], pieces: Iterable[Any]) -> None:
    """Replace a file by these pieces (bytes, or arrays of them), all at once.

    They go to a file beside it first. That file is on the disk before it takes the name, and the
    name before this returns: a reader sees the old file or the whole new one, after a crash too.
    """
    target = Path(os.path.realpath(path))
    partial = target.with_name(f".{target.name}.{secrets.token_hex(4)}{_SUFFIX}")
    try:
        with open(partial, "xb") as file:
            for piece in pieces:
                file.write(piece)
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, target)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
    _sync_folder(target.parent)


def remove_leftovers(path: str | os.PathLike[str]) -> None:
    """Remove what writers of this file left behind when they were killed.

    Only to be called when no other process writes the file.
    """
    target = Path(os.path.realpath(path))
    start = f".{target.name}."
    for entry in os.scandir(target.parent):
        if entry.name.startswith(start) and entry.name.endswith(_SUFFIX):
            Path(entry.path).unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    if os.name == "nt":  # there a folder can not be opened
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)

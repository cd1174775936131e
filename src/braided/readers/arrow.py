"""Parquet and Arrow IPC, read in batches of columns. Needs pyarrow.

Null is unobserved, texts become ``column=text`` indicators, booleans are 0 and 1. Structs and lists
become features as the objects and lists of JSON lines do.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from braided.errors import InputError
from braided.readers.bad_lines import BadLines, Limits, convert_batch, too_many
from braided.readers.columns import Fields, label_array, rows_from_dicts
from braided.readers.formats import Reading
from braided.readers.json_lines import flattened
from braided.rows import as_rows, from_columns
from braided.rows.frames import columns_of
from braided.rows.rows import Rows

__all__ = ["ipc_example", "parquet_example", "read_ipc", "read_parquet"]

IPC_FILE = b"ARROW1"


def read_parquet(file: Any, reading: Reading) -> Iterator[Rows]:
    """The rows of a Parquet file, up to ``reading.size`` at a time."""
    return _read("Parquet", _open_parquet, file, reading)


def read_ipc(file: Any, reading: Reading) -> Iterator[Rows]:
    """The rows of an Arrow IPC file or stream, up to ``reading.size`` at a time."""
    return _read("Arrow IPC", _open_ipc, file, reading)


def _read(kind: str, open_file: Any, file: Any, reading: Reading) -> Iterator[Rows]:
    size, fields, bad_lines, limits, _ = reading
    bad_lines.unit = "row"
    try:
        from pyarrow import ArrowException
    except ImportError:
        raise InputError(
            f"to read {bad_lines.file}, pip install 'braided[io]' (for pyarrow)"
        ) from None

    def report(row: Any, number: int, reason: str) -> None:
        bad_lines.report(number, reason, json.dumps(row.to_pylist()[0], default=str))

    number = 1
    try:
        schema, batches = open_file(_seekable(file), size)
        _check(schema, fields, bad_lines, limits)
        convert = partial(_converter(schema, fields), fields=fields, limits=limits)
        for batch in batches:
            batch.validate(full=True)  # Arrow does not check the offsets in a file
            for start in range(0, batch.num_rows, size):
                piece = batch.slice(start, size)
                yield from convert_batch(piece, convert, report, number)
                number += piece.num_rows
    except (ArrowException, OSError, UnicodeDecodeError, OverflowError, MemoryError) as error:
        raise InputError(f"{bad_lines.file} is not a whole {kind} file: {error}") from None


def _open_parquet(file: Any, size: int) -> tuple[Any, Iterator[Any]]:
    from pyarrow import parquet

    opened = parquet.ParquetFile(file)
    return opened.schema_arrow, opened.iter_batches(batch_size=size)


def _open_ipc(file: Any, size: int) -> tuple[Any, Iterator[Any]]:
    from pyarrow import ipc

    beginning = file.read(len(IPC_FILE))
    file.seek(0)
    if beginning == IPC_FILE:
        opened = ipc.open_file(file)
        return opened.schema, map(opened.get_batch, range(opened.num_record_batches))
    stream = ipc.open_stream(file)
    return stream.schema, iter(stream)


def _seekable(file: Any) -> Any:
    """The same file, or a copy on disk if it can only be read in order."""
    if file.seekable():
        return file
    copy = tempfile.TemporaryFile()  # noqa: SIM115 - closed when it is collected
    while piece := file.read(2**20):
        copy.write(piece)
    copy.seek(0)
    return copy


def _check(schema: Any, fields: Fields, bad_lines: BadLines, limits: Limits) -> None:
    """Refuse columns whose values can be no features."""
    from pyarrow import types

    if len(set(schema.names)) < len(schema.names):
        raise InputError(f"{bad_lines.file}: columns must have different names")
    if len(schema.names) > limits.features + 1:
        raise InputError(f"{bad_lines.file}: {too_many(len(schema.names) - 1, limits)}")
    fields.find_columns(schema.names, bad_lines.file)
    for column in schema:
        kind = column.type
        no_value = types.is_temporal(kind) or types.is_binary(kind) or types.is_large_binary(kind)
        if no_value and column.name not in fields.ignore:
            raise InputError(
                f"{bad_lines.file}: column {column.name!r} holds {kind}: expected numbers or text "
                "(or ignore it)"
            )


def _converter(schema: Any, fields: Fields) -> Any:
    from pyarrow import types

    nested = (types.is_nested(c.type) for c in schema if c.name not in fields.ignore)
    return _from_nested if any(nested) else _from_flat


def _from_nested(batch: Any, fields: Fields, limits: Limits) -> Rows:
    return rows_from_dicts([flattened(row, fields, limits) for row in batch.to_pylist()])


def _from_flat(batch: Any, fields: Fields, limits: Limits) -> Rows:
    labels = [None] * len(batch)
    kept = []
    for name in batch.schema.names:
        if name == fields.label_name:
            labels = batch.column(name).to_pylist()
        elif name not in fields.ignore:
            kept.append(name)
    y = label_array([fields.as_label(label) for label in labels])
    if not kept:
        return as_rows([{}] * len(batch), y)
    columns, _ = columns_of(batch.select(kept))
    for name in fields.categorical.intersection(kept):
        columns[name] = _texts(batch.column(name).to_pylist())
    return from_columns(columns, y)


def _texts(cells: list[Any]) -> NDArray[Any]:
    texts = np.empty(len(cells), object)
    texts[:] = [cell if cell is None or type(cell) is str else json.dumps(cell) for cell in cells]
    return texts


def parquet_example() -> bytes:
    """A small Parquet file."""
    import io

    from pyarrow import parquet

    file = io.BytesIO()
    parquet.write_table(_example_table(), file)
    return file.getvalue()


def ipc_example() -> bytes:
    """A small Arrow IPC file."""
    import io

    from pyarrow import ipc

    file = io.BytesIO()
    with ipc.new_file(file, _example_table().schema) as writer:
        writer.write_table(_example_table())
    return file.getvalue()


def _example_table() -> Any:
    import pyarrow

    return pyarrow.table({"age": [31.0, None], "pet": ["cat", "dog"], "label": ["yes", "no"]})

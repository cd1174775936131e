"""Parquet and Arrow IPC, read in batches of columns. Needs pyarrow.

Null is unobserved. What a value becomes is said in ``records.kinds``; structs are read as the
objects of JSON lines are.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from typing import Any

from braided.errors import InputError, argument
from braided.readers.bad_lines import convert_batch, too_many
from braided.readers.formats import Reading
from braided.records.columns import rows_of_columns
from braided.records.frames import columns_of
from braided.records.kinds import IGNORE
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
    size, bad_lines = reading.size, reading.bad_lines
    bad_lines.unit = "row"
    try:
        from pyarrow import ArrowException
    except ImportError:
        raise InputError(
            f"to read {bad_lines.file}, pip install 'braided[io]' (for pyarrow)"
        ) from None

    def report(row: Any, number: int, reason: str) -> None:
        bad_lines.report(number, reason, json.dumps(row.to_pylist()[0], default=str))

    def convert(batch: Any) -> Rows:
        return reading.convert(lambda converter: rows_of_columns(*columns_of(batch), converter))

    number = 1
    try:
        schema, batches = open_file(_seekable(file), size)
        _check(schema, reading)
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


def _check(schema: Any, reading: Reading) -> None:
    """Refuse columns whose values can be no features."""
    from pyarrow import types

    file, limits = reading.bad_lines.file, reading.limits
    if len(set(schema.names)) < len(schema.names):
        raise InputError(f"{file}: columns must have different names")
    if len(schema.names) > limits.features + 1:
        raise InputError(f"{file}: {too_many(len(schema.names) - 1, limits)}")
    reading.check_label(schema.names)
    for column in schema:
        kind = column.type
        ignored = reading.schema.kind(column.name) == IGNORE
        if not ignored and (types.is_binary(kind) or types.is_large_binary(kind)):
            raise InputError(
                f"{file}: column {column.name!r} holds {kind}: expected numbers, texts, dates or "
                f"lists (or leave it out: {argument('ignore')})"
            )


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

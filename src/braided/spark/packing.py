"""Packing: rows of a record batch, and rows as bytes that go from one executor to another.

A block of rows is packed as it is in memory: offsets, columns, values and labels as arrays, and
each name once. That takes far less time than to send records.
"""

from __future__ import annotations

import json
import zlib
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from braided.errors import InputError
from braided.model_files.json_values import decode, encode
from braided.model_files.save_load import from_bytes
from braided.records import as_rows
from braided.records.roles import labels_of_numbers
from braided.records.schema import Decisions, Schema
from braided.rows.rows import Rows
from braided.rows.sparse import from_rows
from braided.rows.validation import with_labels

if TYPE_CHECKING:
    from braided.learner.learner import Learner

__all__ = ["pack_model", "pack_rows", "rows_of", "unpack_model", "unpack_rows"]

QUICK = 1
"""The level of zlib: a model becomes about ten times smaller, in a tenth of a second for 10 MB."""


def pack_model(model: Learner) -> bytes:
    """Return a model as few bytes."""
    return zlib.compress(model.to_bytes(), QUICK)


def unpack_model(data: Any) -> Any:
    """Return the model of which ``pack_model`` made these bytes."""
    return from_bytes(zlib.decompress(data))


def rows_of(batch: Any, schema: Schema, label: str | None = None) -> Rows:
    """Make rows of a record batch; the label is one of its columns, and the others are fields.

    Parameters
    ----------
    batch : pyarrow.RecordBatch
        The batch.
    schema : Schema
        The kinds of fields.
    label : str, optional
        The column of labels.

    Returns
    -------
    Rows
        The rows, checked.
    """
    others = [name for name in batch.schema.names if name != label]
    if label is None:
        return as_rows(batch.select(others), schema=schema.with_roles(label=None))
    cells = batch.column(label)
    if cells.null_count:
        raise InputError(f"column {label!r} has rows without a label")
    numbers = pa.types.is_integer(cells.type) or pa.types.is_floating(cells.type)
    if not numbers or not others:
        return as_rows(batch, schema=schema.with_roles(label=label))
    rows = as_rows(batch.select(others), schema=schema.with_roles(label=None))
    labels = cells.to_numpy(zero_copy_only=False)
    if labels.dtype.kind == "f":
        return with_labels(rows, labels_of_numbers(labels.astype(np.float64)))
    return with_labels(rows, labels.astype(np.int64))


def pack_rows(rows: Rows) -> bytes:
    """Return rows as bytes: an Arrow stream of one batch, in which each array is one cell."""
    used, columns = np.unique(rows.indices, return_inverse=True)
    labels = [] if rows.labels is None else rows.labels.tolist()
    kinds = {} if rows.schema is None else rows.schema.kinds
    notes = {
        "names": None
        if rows.names is None
        else [encode(rows.name(column)) for column in used.tolist()],
        "width": rows.width,
        "kinds": [[encode(field), kind] for field, kind in kinds.items()],
        "labels": None if _are_whole(rows.labels) else [encode(label) for label in labels],
    }
    indices = rows.indices if rows.names is None else columns.astype(np.int32)
    arrays: dict[str, NDArray[Any]] = {
        "indptr": rows.indptr,
        "indices": indices,
        "values": rows.values,
        "labels": np.array(labels if _are_whole(rows.labels) else [], np.int64),
    }
    cells = {
        name: pa.ListArray.from_arrays(pa.array([0, each.size], pa.int32()), pa.array(each))
        for name, each in arrays.items()
    }
    batch = pa.record_batch({**cells, "notes": pa.array([json.dumps(notes)])})
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batch.schema) as writer:
        writer.write_batch(batch)
    packed: bytes = sink.getvalue().to_pybytes()
    return packed


def unpack_rows(data: Any) -> Rows:
    """Return the rows of which ``pack_rows`` made these bytes."""
    batch = pa.ipc.open_stream(data).read_next_batch()
    notes = json.loads(batch.column("notes")[0].as_py())
    indptr, indices, values, whole = (
        np.array(batch.column(name).values) for name in ("indptr", "indices", "values", "labels")
    )
    names = None if notes["names"] is None else [*map(decode, notes["names"])]
    labels: NDArray[Any] = whole
    if notes["labels"] is not None:
        labels = np.empty(len(notes["labels"]), object)
        labels[:] = [*map(decode, notes["labels"])]
    width = notes["width"] if names is None else len(names)
    kinds = {decode(field): kind for field, kind in notes["kinds"]}
    rows = Rows(indptr, indices, values, width, names, labels, schema=Decisions(kinds, None))
    return from_rows(rows)


def _are_whole(labels: NDArray[Any] | None) -> bool:
    return labels is not None and labels.dtype.kind == "i"

"""What executors do: functions of plain record batches, which can be tested without Spark.

Each is a small frozen dataclass that is sent to the workers and called there with the batches of a
partition. ``Held`` values are broadcasts on Spark; anything with a ``value`` will do.
"""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from braided.learners.braid import Braid
from braided.rows.rows import joined
from braided.spark.packing import pack_model, pack_rows, rows_of, unpack_model, unpack_rows

__all__ = [
    "LEARNED",
    "PACKED",
    "Held",
    "LearnInOrder",
    "LearnShard",
    "MergeShards",
    "Pack",
    "Predict",
]

Batches = Iterator[Any]

PACKED = "part int, number int, rows int, data binary"
"""A block of rows: its partition, its place there, how many rows, and the rows."""

LEARNED = "part int, read bigint, learned bigint, models int, tries int, data binary, tail binary"
"""A model, the rows it is made of, and rows that it has not learned yet."""

_MODELS: dict[bytes, Any] = {}  # a worker serves many tasks


@dataclass(frozen=True)
class Held:
    """A value that workers get, where there is no broadcast."""

    value: Any


def here() -> tuple[int, int]:
    """Return the number of this partition, and how often it was tried before."""
    from pyspark import TaskContext

    context = TaskContext.get()
    return (context.partitionId(), context.attemptNumber()) if context is not None else (0, 0)


def model_in(held: Any) -> Any:
    """Return the model of a broadcast, made once in each worker; it is not to be changed."""
    key = hashlib.sha256(held.value).digest()
    if key not in _MODELS:
        _MODELS.clear()
        _MODELS[key] = unpack_model(held.value)
    return _MODELS[key]


@dataclass(frozen=True)
class Pack:
    """Read records and pack them as rows, a block for each batch.

    Parameters
    ----------
    model : Held
        The model that will learn them, which knows the kinds of fields.
    label : str
        The column of labels.
    where : callable, optional
        Returns the partition and how often it was tried before.
    """

    model: Any
    label: str
    where: Callable[[], tuple[int, int]] = here

    def __call__(self, batches: Batches) -> Batches:
        """Yield a block for each batch."""
        schema, part = model_in(self.model).schema.copy(), self.where()[0]
        for number, batch in enumerate(batches):
            if batch.num_rows:
                rows = rows_of(batch, schema, self.label)
                if rows.schema is not None:
                    schema.adopt(rows.schema)  # what was decided is told once
                yield _table(PACKED, part, number, batch.num_rows, pack_rows(rows))


@dataclass(frozen=True)
class LearnInOrder:
    """Learn packed blocks as they come, in one task: the model of one machine.

    Parameters
    ----------
    model : Held
        The model before.
    where : callable, optional
        Returns the partition and how often it was tried before.
    """

    model: Any
    where: Callable[[], tuple[int, int]] = here

    def __call__(self, batches: Batches) -> Batches:
        """Yield the model, if there was a block."""
        model, rows = copy.deepcopy(model_in(self.model)), 0
        for batch in batches:
            for data in batch.column("data"):
                block = unpack_rows(data.as_buffer())
                model.partial_fit(block)
                rows += len(block)
        if rows:
            part, tries = self.where()
            yield _table(LEARNED, part, rows, rows, 1, tries, pack_model(model), b"")


@dataclass(frozen=True)
class LearnShard:
    """Learn the rows of a partition, but for the last ones, which are passed on.

    Parameters
    ----------
    model : Held
        The model from which all partitions go on.
    label : str
        The column of labels.
    tail : int
        How many rows are passed on.
    where : callable, optional
        Returns the partition and how often it was tried before.
    """

    model: Any
    label: str
    tail: int = 0
    where: Callable[[], tuple[int, int]] = here

    def __call__(self, batches: Batches) -> Batches:
        """Yield the model of the partition, if it has rows."""
        model, kept = copy.deepcopy(model_in(self.model)), None
        if not isinstance(model, Braid):  # which counts them anyway
            model.count_features()
        schema, read, learned = model.schema.copy(), 0, 0
        for batch in batches:
            if not batch.num_rows:
                continue
            rows = rows_of(batch, schema, self.label)
            if rows.schema is not None:
                schema.adopt(rows.schema)
            read += len(rows)
            rows = rows if kept is None else joined([kept, rows])
            cut = max(0, len(rows) - self.tail)
            kept, rows = rows[cut:], rows[:cut]
            if len(rows):
                model.partial_fit(rows)
                learned += len(rows)
        if read:
            part, tries = self.where()
            tail = pack_rows(kept) if kept is not None and len(kept) else b""
            yield _table(LEARNED, part, read, learned, 1, tries, pack_model(model), tail)


@dataclass(frozen=True)
class MergeShards:
    """Merge models that come in the order of their partitions: so many neighbours at a time.

    Parameters
    ----------
    base : Held
        The model from which all of them went on.
    fan_in : int
        How many partitions beside each other become one model.
    last : bool
        Whether it is the last merge, after which the rows that were passed on are learned.
    """

    base: Any
    fan_in: int
    last: bool = False

    def __call__(self, batches: Batches) -> Batches:
        """Yield a model for each group."""
        group: list[dict[str, Any]] = []
        for batch in batches:
            for row in batch.to_pylist():
                if group and group[0]["part"] // self.fan_in != row["part"] // self.fan_in:
                    yield self._merged(group)
                    group = []
                group.append(row)
        if group:
            yield self._merged(group)

    def _merged(self, group: list[dict[str, Any]]) -> Any:
        base = model_in(self.base)
        models = [unpack_model(row["data"]) for row in group]
        since = base if base.rounds else None
        model = models[0].merge(*models[1:], since=since)
        tails = [unpack_rows(row["tail"]) for row in group if row["tail"]]
        tail, learned = b"", sum(row["learned"] for row in group)
        if tails and self.last:
            for rows in tails:
                model.partial_fit(rows)
                learned += len(rows)
        elif tails:
            tail = pack_rows(joined(tails))
        counts = (sum(row[name] for row in group) for name in ("models", "tries"))
        part, read = group[0]["part"] // self.fan_in, sum(row["read"] for row in group)
        return _table(LEARNED, part, read, learned, *counts, pack_model(model), tail)


@dataclass(frozen=True)
class Predict:
    """Add predictions to batches.

    Parameters
    ----------
    model : Held
        The model.
    features : tuple of str
        The columns that are fields.
    schema : pyarrow.Schema
        The batches with the columns that are added, whose names are the last ones.
    """

    model: Any
    features: tuple[str, ...]
    schema: Any

    def __call__(self, batches: Batches) -> Batches:
        """Yield each batch with predictions."""
        model, names = model_in(self.model), self.schema.names
        for batch in batches:
            columns = [batch.column(name) for name in names if name in batch.schema.names]
            fields = [self.schema.field(i) for i in range(len(columns), len(names))]
            found = self._predicted(model, batch) if batch.num_rows else [[] for _ in fields]
            columns += [
                pa.array(each, field.type) for each, field in zip(found, fields, strict=True)
            ]
            yield pa.RecordBatch.from_arrays(columns, names=names)

    def _predicted(self, model: Any, batch: Any) -> list[Any]:
        rows = rows_of(batch.select(list(self.features)), model.schema)
        scores = model.decision_function(rows)
        labels = model.predict(rows).tolist()
        if not model.has_probabilities:
            return [labels, _cells(scores)]
        chances = model.predict_proba(rows)
        return [labels, _cells(scores), _cells(chances if scores.ndim == 2 else chances[:, -1])]


def _cells(numbers: Any) -> Any:
    return numbers.tolist() if numbers.ndim == 2 else np.ascontiguousarray(numbers)


def _table(form: str, *cells: Any) -> Any:
    """A batch of one row, of the form that Spark is told."""
    kinds = {"int": pa.int32(), "bigint": pa.int64(), "binary": pa.binary()}
    fields = [field.split() for field in form.split(", ")]
    columns = {
        name: pa.array([cell], kinds[kind])
        for (name, kind), cell in zip(fields, cells, strict=True)
    }
    return pa.record_batch(columns)

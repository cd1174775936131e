"""Training on a DataFrame: as on one machine, or merged from models of its partitions."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from braided.errors import InputError
from braided.evaluate.prequential import prequential
from braided.evaluate.result import Result
from braided.learners.braid import Braid
from braided.parameters import check_choice, check_whole
from braided.records.schema import Schema
from braided.rows.rows import Rows
from braided.spark.frames import as_names, functions, head, needs_spark, partitions_of
from braided.spark.packing import pack_model, rows_of, unpack_model, unpack_rows
from braided.spark.workers import LEARNED, PACKED, LearnInOrder, LearnShard, MergeShards, Pack

if TYPE_CHECKING:
    from braided.learner.learner import Learner

__all__ = ["WAYS", "Report", "continue_training", "evaluate", "train", "trained"]

WAYS = ("exact", "merged")
FAN_IN = 32
"""How many models an executor merges at once."""

_ALL = 2**31 - 1
_ROW, _SHARD = "_braided_row", "_braided_shard"  # columns that are added, and dropped again
_ROW_OF_PARTITION = (1 << 33) - 1  # the lower bits of monotonically_increasing_id


@dataclass
class Report:
    """What a training did.

    Attributes
    ----------
    read, learned : int
        How many rows were read and learned.
    models, merges : int
        How many models of partitions were merged, and in how many merges.
    tries : int
        How many tasks that gave a model had to be tried again.
    said : callable, optional
        Called with a line of text for each step.
    """

    read: int = 0
    learned: int = 0
    models: int = 0
    merges: int = 0
    tries: int = 0
    said: Callable[[str], object] = field(default=lambda line: None)

    def add(self, row: Any) -> None:
        """Add what a task tells."""
        self.read += row["read"]
        self.learned += row["learned"]
        self.tries += row["tries"]


def train(
    df: Any,
    learner: Learner | None = None,
    label: str = "label",
    *,
    how: str = "exact",
    features: str | Sequence[str] | None = None,
    schema: Schema | None = None,
    order_by: str | Sequence[str] | None = None,
    partitions: int | None = None,
    base: float = 0.1,
    merges: int = 1,
    tail: int = 1024,
    seed: int = 0,
) -> Any:
    """Train a learner on the rows of a DataFrame.

    Parameters
    ----------
    df : pyspark.sql.DataFrame
        The rows. Columns of numbers, texts, dates, arrays, maps and structs are fields of records.
        Rows without a label are left out.
    learner : Learner, optional
        The learner; ``Braid()`` by default. It stays as it is; if it has learned before, the
        training goes on from it.
    label : str, default "label"
        The column of labels.
    how : {"exact", "merged"}, default "exact"
        ``"exact"``: executors read records and make rows of them, and one task learns all rows in
        their order: the model is that of one machine. ``"merged"``: each partition learns its own
        rows, and the models are merged; for learners that can be merged and rows that are alike.
    features : str or sequence of str, optional
        The columns that are fields; all but the label by default.
    schema : Schema, optional
        The kinds of fields. Texts of which one may look like a number in some partitions should be
        declared; by default the first rows decide.
    order_by : str or sequence of str, optional
        The columns that put rows in order; by default they are learned as the DataFrame has them.
        It should leave no ties. If merged, they put the rows of each partition of the
        DataFrame in order; ``partitions`` deals rows out by chance.
    partitions : int, optional
        Into how many partitions rows are put when merged; by default as the DataFrame has them.
    base : float, 0 to below 1, default 0.1
        If merged, about which share of the rows one task learns first, from which all go on.
    merges : int, at least 1, default 1
        If merged, how often: more often is closer to the model of one machine, and takes longer.
    tail : int, at least 0, default 1024
        If merged, how many of the last rows one task learns at the end, so that a mixture of
        experts settles.
    seed : int, at least 0, default 0
        The seed by which rows are put into ``partitions``.

    Returns
    -------
    Learner
        The model. It is an ordinary one, which can be saved and used anywhere.

    Raises
    ------
    InputError
        If an argument is not allowed, or the learner can not be merged.

    Examples
    --------
    >>> from braided import Braid
    >>> model = train(df, Braid(), label="churned", order_by="time")  # doctest: +SKIP
    >>> model.save("m.braided")  # doctest: +SKIP
    """
    options = Options(how, partitions, base, merges, tail, seed)
    return trained(df, learner, label, features, schema, order_by, options, Report())


def continue_training(df: Any, model: Learner, label: str | None = None, **options: Any) -> Any:
    """Learn the rows of a DataFrame with a model that has learned before.

    Parameters
    ----------
    df : pyspark.sql.DataFrame
        The rows.
    model : Learner
        The model; it stays as it is.
    label : str, optional
        The column of labels; by default that of the model's schema.
    **options : Any
        As in ``train``. There is no base by default: the model is one.

    Returns
    -------
    Learner
        A new model, which has learned these rows, too.

    Examples
    --------
    >>> model = continue_training(tomorrow, model)  # doctest: +SKIP
    """
    found = label or model.schema.label
    if found is None:
        raise InputError("the model does not know the column of labels: give label")
    return train(df, model, found, **{"base": 0.0, **options})


def evaluate(
    df: Any,
    learner: Learner | None = None,
    label: str = "label",
    *,
    features: str | Sequence[str] | None = None,
    schema: Schema | None = None,
    order_by: str | Sequence[str] | None = None,
    **options: Any,
) -> Result:
    """Predict each row of a DataFrame, then learn it: the evaluation of one machine.

    Executors read records and make rows of them; the driver learns them in their order.

    Parameters
    ----------
    df : pyspark.sql.DataFrame
        The rows.
    learner : Learner, optional
        The learner; ``Braid()`` by default. It stays as it is.
    label : str, default "label"
        The column of labels.
    features : str or sequence of str, optional
        The columns that are fields; all but the label by default.
    schema : Schema, optional
        The kinds of fields.
    order_by : str or sequence of str, optional
        The columns that put rows in order.
    **options : Any
        As in ``braided.evaluate.prequential``.

    Returns
    -------
    Result
        Labels, scores and metrics. It holds sixteen bytes for each row.

    Examples
    --------
    >>> from braided import Braid
    >>> evaluate(df, Braid(), order_by="time").error_rate  # doctest: +SKIP
    0.12
    """
    df, model = _prepared(df, learner, label, features, schema, order_by)
    held = df.sparkSession.sparkContext.broadcast(pack_model(model))
    packed = df.mapInArrow(Pack(held, label), PACKED)
    blocks = packed.repartition(1).sortWithinPartitions("part", "number")
    rows = (unpack_rows(bytes(row["data"])) for row in blocks.toLocalIterator())
    return prequential(model, _Blocks(rows), **options)


@dataclass(frozen=True)
class _Blocks:
    """Blocks as an evaluation takes them, whatever size it asks for."""

    rows: Iterator[Rows]

    def blocks(self, size: int) -> Iterator[Rows]:
        for block in self.rows:
            for start in range(0, len(block), size):
                yield block[start : start + size]


# -------------------------------------------------------------------------------- the steps


@dataclass(frozen=True)
class Options:
    """How a training is done; see ``train``."""

    how: str = "exact"
    partitions: int | None = None
    base: float = 0.1
    merges: int = 1
    tail: int = 1024
    seed: int = 0

    def check(self, learner: Learner) -> None:
        """Refuse what is not allowed, before anything is read."""
        check_choice("how", self.how, WAYS)
        check_whole("merges", self.merges, 1)
        check_whole("tail", self.tail, 0)
        check_whole("seed", self.seed, 0)
        if self.partitions is not None:
            check_whole("partitions", self.partitions, 1)
        if not 0 <= self.base < 1:
            raise InputError(f"base={self.base!r} is not allowed: expected 0 to below 1")
        if self.how == "merged" and not learner.is_mergeable:
            raise InputError(
                f"{learner} can not be merged: {learner.not_mergeable_because}; use how='exact'"
            )


def trained(
    df: Any,
    learner: Learner | None,
    label: str,
    features: str | Sequence[str] | None,
    schema: Schema | None,
    order_by: str | Sequence[str] | None,
    options: Options,
    report: Report,
) -> Any:
    """Do what ``train`` does, and fill a report."""
    options.check(learner or Braid())
    exact = options.how == "exact"
    df, model = _prepared(df, learner, label, features, schema, order_by, everywhere=exact)
    if exact:
        return _in_order(df, model, label, report)
    return _merged(df, model, label, options, report)


def _prepared(
    df: Any,
    learner: Learner | None,
    label: str,
    features: str | Sequence[str] | None,
    schema: Schema | None,
    order_by: str | Sequence[str] | None,
    *,
    everywhere: bool = True,
) -> tuple[Any, Learner]:
    """The columns that are needed, in order, and a model that knows the kinds of fields.

    Spark puts rows into ranges by a sample, which differs from run to run. That does not matter
    where all are learned in order; partitions that learn apart keep their rows.
    """
    needs_spark()
    if label not in df.columns:
        raise InputError(f"there is no column {label!r}: {', '.join(df.columns)}")
    chosen = as_names(features) or [name for name in df.columns if name != label]
    order = as_names(order_by)
    for name in (*chosen, *order):
        if name not in df.columns:
            raise InputError(f"there is no column {name!r}: {', '.join(df.columns)}")
    df = df.where(functions().col(f"`{label}`").isNotNull())
    if order:
        df = df.orderBy(*order) if everywhere else df.sortWithinPartitions(*order)
    df = df.select(*(f"`{name}`" for name in dict.fromkeys([*chosen, label])))
    model = copy.deepcopy(learner) if learner is not None else Braid()
    if schema is not None:
        model.schema = schema
    if model.schema.label != label:
        model.schema.label = label
    _settle_kinds(df, model, label)
    return df, model


def _settle_kinds(df: Any, model: Learner, label: str) -> None:
    """Let the first rows decide the kinds of fields, so that all executors read them alike."""
    for batch in head(df):
        if not batch.num_rows:
            continue
        rows = rows_of(batch, model.schema, label)
        if rows.schema is not None:
            model.schema.check_adoption(rows.schema)
            model.schema.adopt(rows.schema)


def _in_order(df: Any, model: Learner, label: str, report: Report) -> Any:
    """Learn all rows in one task; the model itself if there are none."""
    report.said("reading and learning in order")
    held = df.sparkSession.sparkContext.broadcast(pack_model(model))
    packed = df.mapInArrow(Pack(held, label), PACKED)
    one = packed.repartition(1).sortWithinPartitions("part", "number")
    found = one.mapInArrow(LearnInOrder(held), LEARNED).collect()
    for row in found:
        report.add(row)
    return unpack_model(bytes(found[0]["data"])) if found else model


def _merged(df: Any, model: Learner, label: str, options: Options, report: Report) -> Any:
    if options.partitions is not None:
        number = functions().monotonically_increasing_id()  # the same each time, unlike a chance
        key = functions().xxhash64(functions().lit(options.seed), number)
        df = df.withColumn(_SHARD, key).repartition(options.partitions, _SHARD)
        df = df.sortWithinPartitions(_SHARD).drop(_SHARD)
    parts = options.partitions or partitions_of(df)
    row = functions().monotonically_increasing_id().bitwiseAND(functions().lit(_ROW_OF_PARTITION))
    df, rest = df.withColumn(_ROW, row), "true"
    if options.base > 0:
        step = max(2, round(1 / options.base))
        report.said("learning the base")
        model = _in_order(df.where(f"{_ROW} % {step} = 0").drop(_ROW), model, label, report)
        rest = f"{_ROW} % {step} != 0"
    for turn in range(options.merges):
        last = turn == options.merges - 1
        mine = df.where(rest).where(f"{_ROW} div 16 % {options.merges} = {turn}").drop(_ROW)
        report.said(f"learning in {parts} partitions")
        tail = -(-options.tail // parts) if last else 0
        model = _one_merge(mine, model, label, tail, parts, report)
    return model


def _one_merge(df: Any, model: Learner, label: str, tail: int, parts: int, report: Report) -> Any:
    """Let each partition go on from the model, then merge in a tree, on executors."""
    held = df.sparkSession.sparkContext.broadcast(pack_model(model))
    models = df.mapInArrow(LearnShard(held, label, tail), LEARNED)
    groups = parts
    while True:
        last = groups <= FAN_IN
        groups = -(-groups // FAN_IN)
        merge = MergeShards(held, FAN_IN if not last else _ALL, last)
        placed = models.repartition(groups, functions().expr(f"part div {FAN_IN}"))
        models = placed.sortWithinPartitions("part").mapInArrow(merge, LEARNED)
        report.merges += groups
        if last:
            break
    found = models.collect()
    for row in found:
        report.add(row)
        report.models += row["models"]
    return unpack_model(bytes(found[0]["data"])) if found else model

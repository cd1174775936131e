"""``braided train --engine spark``: the same on a cluster, by Spark's readers."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from braided.cli.options.panels import CLUSTER
from braided.errors import InputError

if TYPE_CHECKING:
    from braided.cli.options import LearnerOptions, ReadingOptions

__all__ = ["EngineOptions", "train_on_spark"]

_FORMATS = {".parquet": "parquet", ".csv": "csv", ".json": "json", ".jsonl": "json", ".orc": "orc"}


@dataclass(frozen=True)
class EngineOptions:
    """Where rows are read and learned."""

    engine: Annotated[
        str,
        typer.Option(
            metavar="local|spark",
            help="Where to learn: in this process, or on Spark (pip install 'braided[spark]').",
            rich_help_panel=CLUSTER,
        ),
    ] = "local"
    master: Annotated[
        str,
        typer.Option(
            metavar="MASTER",
            help="With --engine spark, where Spark runs, as in local[4] or spark://host:7077.",
            rich_help_panel=CLUSTER,
        ),
    ] = "local[*]"
    how: Annotated[
        str,
        typer.Option(
            metavar="exact|merged",
            help="With --engine spark, exact gives the model of one machine; merged learns "
            "partitions side by side, and merges the models.",
            rich_help_panel=CLUSTER,
        ),
    ] = "exact"
    order_by: Annotated[
        str | None,
        typer.Option(
            metavar="FIELD",
            show_default="as Spark reads them",
            help="With --engine spark, the field that puts rows in order.",
            rich_help_panel=CLUSTER,
        ),
    ] = None
    partitions: Annotated[
        int | None,
        typer.Option(
            metavar="HOW MANY",
            min=1,
            show_default="as Spark reads them",
            help="With --how merged, in how many partitions rows are learned.",
            rich_help_panel=CLUSTER,
        ),
    ] = None


def train_on_spark(
    data: list[str],
    learner: LearnerOptions,
    reading: ReadingOptions,
    model: str,
    engine: EngineOptions,
) -> None:
    """Learn files with Spark, save the model, and tell what was done.

    Parameters
    ----------
    data : list of str
        Paths of Parquet, CSV, JSON or ORC files or folders.
    learner : LearnerOptions
        The learner.
    reading : ReadingOptions
        The schema, and the separator of CSV files.
    model : str
        Where the model goes.
    engine : EngineOptions
        How Spark is used.
    """
    if engine.engine != "spark":
        raise InputError(f"--engine {engine.engine} is not allowed: local or spark")
    from braided.compose.calibrated import with_probabilities
    from braided.spark.frames import session
    from braided.spark.training import Options, Report, trained

    created = learner.create()
    if engine.how == "exact":  # probabilities that were learned beside a learner have no mean
        created = with_probabilities(created)
    schema = reading.schema()
    label = schema.label or "label"
    report = Report(said=lambda line: print(line, file=sys.stderr))
    options = Options(how=engine.how, partitions=engine.partitions)
    options.check(created)
    df = _read(session(engine.master), data, reading)
    found = trained(df, created, label, None, schema, engine.order_by, options, report)
    found.save(model)
    print(
        f"{model}: {found!r}, {report.read} rows read, {found.rounds} learned, "
        f"{found.features_seen} features seen, {found.features_kept} kept"
    )
    merged = f", {report.models} models merged in {report.merges}" if report.models else ""
    print(f"on {engine.master}, {engine.how}{merged}, {report.tries} tasks tried again")


def _read(session: Any, data: list[str], reading: ReadingOptions) -> Any:
    """A DataFrame of files of one format."""
    formats = {reading.format or _FORMATS.get(os.path.splitext(path)[1].lower()) for path in data}
    if len(formats) > 1 or None in formats:
        raise InputError(
            f"{', '.join(data)}: Spark reads files of one format, whose names end in "
            f"{', '.join(_FORMATS)}, or say which: --format parquet, csv, json or orc"
        )
    reader = session.read.format(formats.pop())
    reader = reader.option("header", "true").option("inferSchema", "true")
    if reading.separator:
        reader = reader.option("sep", reading.separator)
    return reader.load(data)

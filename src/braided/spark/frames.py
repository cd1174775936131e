"""What is asked of a DataFrame and of Spark itself; pyspark is imported here, when it is needed."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from braided.errors import InputError

__all__ = ["as_names", "functions", "head", "needs_spark", "partitions_of", "session"]

FIRST_ROWS = 1024
"""The rows that decide the kinds of fields."""

PARTITIONS = 32
"""How many partitions there are taken to be, where Spark does not tell."""


def needs_spark() -> None:
    """Refuse to go on without pyspark."""
    try:
        import pyspark  # noqa: F401
    except ImportError:
        raise InputError("braided.spark needs pyspark: pip install 'braided[spark]'") from None


def functions() -> Any:
    """Return pyspark's functions of columns."""
    from pyspark.sql import functions as all_functions

    return all_functions


def session(master: str) -> Any:
    """Return a session of Spark on this master, or the one that there is."""
    needs_spark()
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # workers of this machine

    builder = SparkSession.builder.master(master).appName("braided")
    if master.startswith("local"):
        builder = builder.config("spark.driver.bindAddress", "127.0.0.1")
        builder = builder.config("spark.driver.host", "127.0.0.1")
        builder = builder.config("spark.ui.enabled", "false")
    return builder.getOrCreate()


def as_names(names: str | Sequence[str] | None) -> list[str]:
    """Return one name or several as a list."""
    return [names] if isinstance(names, str) else list(names or ())


def head(df: Any) -> Iterator[Any]:
    """Yield the first rows of a DataFrame as record batches."""
    yield from df.limit(FIRST_ROWS).toArrow().combine_chunks().to_batches()


def partitions_of(df: Any) -> int:
    """Return how many partitions a DataFrame has."""
    try:
        return max(1, int(df.rdd.getNumPartitions()))
    except Exception:  # Spark Connect has no RDDs
        return PARTITIONS

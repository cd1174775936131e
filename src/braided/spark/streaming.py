"""Structured Streaming: each batch is learned exactly once, whatever crashes.

The model and the number of the last batch are one file, which is replaced at once. A batch that
Spark repeats after a crash has a number that the file has, and is left out.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from braided.errors import InputError
from braided.learners.braid import Braid
from braided.spark.frames import needs_spark
from braided.spark.model_store import ModelStore
from braided.spark.training import continue_training, train

if TYPE_CHECKING:
    from braided.learner.learner import Learner

__all__ = ["learn_batch", "stream"]

NOTE = "spark_stream"


def stream(
    df: Any,
    path: str,
    learner: Learner | None = None,
    label: str = "label",
    *,
    checkpoint: str | None = None,
    trigger: dict[str, Any] | None = None,
    **options: Any,
) -> Any:
    """Learn a streaming DataFrame, and keep the model in a file.

    Parameters
    ----------
    df : pyspark.sql.DataFrame
        The stream.
    path : str
        The model file: a local path, or one of a file system of Hadoop, as in
        ``"hdfs:///models/m.braided"``. If it is there, the model goes on.
    learner : Learner, optional
        The learner, if there is no file; ``Braid()`` by default.
    label : str, default "label"
        The column of labels.
    checkpoint : str, optional
        The folder in which Spark keeps its place in the stream; ``path + ".checkpoint"`` by
        default. It belongs to the file: with another checkpoint batches count from 0 again, and are
        taken as new ones.
    trigger : dict, optional
        As in ``writeStream.trigger``: ``{"availableNow": True}``, or
        ``{"processingTime": "1 minute"}``.
    **options : Any
        As in ``train``: each batch is learned in this way. ``order_by`` puts the rows of a batch in
        order.

    Returns
    -------
    pyspark.sql.streaming.StreamingQuery
        The query, which was started.

    Examples
    --------
    >>> from braided import Braid
    >>> query = stream(events, "m.braided", Braid(), label="clicked")  # doctest: +SKIP
    """
    needs_spark()
    if not df.isStreaming:
        raise InputError("this DataFrame is no stream: use train or continue_training")
    place = checkpoint or f"{path}.checkpoint"
    each = learn_batch(path, learner, label, place, **options)
    writer = df.writeStream.foreachBatch(each).option("checkpointLocation", place)
    return writer.trigger(**(trigger or {"processingTime": "0 seconds"})).start()


def learn_batch(
    path: str, learner: Learner | None = None, label: str = "label", place: str = "", **options: Any
) -> Callable[[Any, int], None]:
    """Return a function for ``foreachBatch``.

    Parameters
    ----------
    path : str
        The model file.
    learner : Learner, optional
        The learner, if there is no file; ``Braid()`` by default.
    label : str, default "label"
        The column of labels.
    place : str, optional
        What the numbers of batches belong to.
    **options : Any
        As in ``train``.

    Returns
    -------
    callable
        Learns a batch, if the file does not have it.
    """

    def each(df: Any, number: int) -> None:
        store = ModelStore(path, df.sparkSession)
        found = store.read()
        model, done = learner or Braid(), -1
        if found is not None:
            model, notes = found
            where, last = json.loads(notes.get(NOTE, '["", -1]'))
            done = last if where == place else -1
        if number <= done:
            return
        go_on = continue_training if model.rounds else train
        model = go_on(df, model, label, **options)
        store.write(model, {NOTE: json.dumps([place, number])})

    return each

"""Predictions for the rows of a DataFrame."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from braided.errors import InputError
from braided.spark.frames import as_names, needs_spark
from braided.spark.packing import pack_model
from braided.spark.workers import Predict
from braided.targets import plain_values

if TYPE_CHECKING:
    from braided.learner.learner import Learner

__all__ = ["predict"]

COLUMNS = ("prediction", "score", "probability")


def predict(
    df: Any,
    model: Learner,
    *,
    features: str | Sequence[str] | None = None,
    columns: Sequence[str] = COLUMNS,
) -> Any:
    """Add predictions to a DataFrame: the same, to the last bit, as on one machine.

    Parameters
    ----------
    df : pyspark.sql.DataFrame
        The rows.
    model : Learner
        A model that has learned.
    features : str or sequence of str, optional
        The columns that are fields; all but the label of the model's schema by default.
    columns : sequence of str, default ("prediction", "score", "probability")
        The names of the columns that are added: the predicted label; the score; the probability of
        ``classes_[1]``, if the model has probabilities. With more than two labels scores and
        probabilities are arrays, in the order of ``classes_``.

    Returns
    -------
    pyspark.sql.DataFrame
        The same rows with more columns.

    Raises
    ------
    InputError
        If the model has learned nothing, or a column is there twice.

    Examples
    --------
    >>> from braided import load
    >>> scored = predict(df, load("m.braided"))  # doctest: +SKIP
    """
    needs_spark()
    from pyspark.sql.pandas.types import to_arrow_schema
    from pyspark.sql.types import ArrayType, DoubleType, StructType

    if not model.__sklearn_is_fitted__():
        raise InputError("the model has learned nothing yet, and can not predict")
    labels = plain_values(model.classes_)
    fields = as_names(features) or [name for name in df.columns if name != model.schema.label]
    number = ArrayType(DoubleType()) if len(labels) > 2 else DoubleType()
    kinds = [_kind_of(labels), number, number][: 3 if model.has_probabilities else 2]
    schema = StructType(list(df.schema.fields))
    for name, kind in zip(columns, kinds, strict=False):
        if name in df.columns:
            raise InputError(f"there is a column {name!r} already: name others (columns)")
        schema = schema.add(name, kind)
    held = df.sparkSession.sparkContext.broadcast(pack_model(model))
    return df.mapInArrow(Predict(held, tuple(fields), to_arrow_schema(schema)), schema)


def _kind_of(labels: Sequence[Any]) -> Any:
    """The type of Spark that holds all labels."""
    from pyspark.sql import types

    for kind, spark_type in ((bool, types.BooleanType), (int, types.LongType)):
        if all(type(label) is kind for label in labels):
            return spark_type()
    if all(type(label) in (int, float) for label in labels):
        return types.DoubleType()
    if all(isinstance(label, str) for label in labels):
        return types.StringType()
    raise InputError(f"labels of several types have no column: {labels}")

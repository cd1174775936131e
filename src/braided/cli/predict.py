"""``braided predict``: what a model says of rows."""

from __future__ import annotations

from braided.cli.options import Data, ModelFile, ReadingOptions
from braided.cli.predictions import PredictionOutput, PredictionWriter, predictions_of
from braided.errors import InputError

__all__ = ["predict"]


def predict(
    model: ModelFile, data: Data, *, reading: ReadingOptions, output: PredictionOutput
) -> None:
    """Print the label that a model predicts for each row; labels in DATA are ignored.

    The file is read as the model's own data was. With - as DATA, each line of standard input is
    answered as it comes.
    """
    from braided.cli.model_reading import reading_of, with_declarations
    from braided.cli.strangers import Strangers
    from braided.model_files.save_load import read
    from braided.rows.rows import BLOCK

    output.check()
    loaded, notes = read(model)
    if not loaded.__sklearn_is_fitted__():
        raise InputError(f"{model} has learned nothing yet, and can not predict")
    schema = loaded.schema.copy()
    with_declarations(schema, reading)
    if output.id is not None:
        schema = schema.with_roles(key=output.id)
    with PredictionWriter.to(output, "-") as writer:
        source = reading_of(notes, reading).open(
            data, labelled=False, schema=schema, on_silence=writer.flush
        )
        strangers = Strangers(loaded)
        for block in source.blocks(BLOCK):
            strangers.add(block)
            scores = loaded.decision_function(block)
            rows = block if output.in_full else None
            writer.write(predictions_of(loaded, scores, rows), block.keys)
        strangers.warn(model)

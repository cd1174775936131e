"""``braided predict``: what a model says of rows."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from braided.cli.options import Data, ModelFile, ReadingOptions
from braided.cli.options.panels import OUTPUT
from braided.errors import InputError

if TYPE_CHECKING:
    from braided.cli.data import DataSource
    from braided.learner.learner import Learner

__all__ = ["predict"]


@dataclass(frozen=True)
class PredictionOutput:
    """How predictions are printed."""

    as_json: Annotated[
        bool,
        typer.Option(
            "--json",
            help="Print a JSON object for each row: label, probability (of the label) and score.",
            rich_help_panel=OUTPUT,
        ),
    ] = False
    as_csv: Annotated[
        bool,
        typer.Option(
            "--csv",
            help="Print a line 'label,probability,score' for each row, after a header.",
            rich_help_panel=OUTPUT,
        ),
    ] = False


def predict(
    model: ModelFile, data: Data, *, reading: ReadingOptions, output: PredictionOutput
) -> None:
    """Print the label that a model predicts for each row; labels in DATA are ignored."""
    from braided.model_files import load

    if output.as_json and output.as_csv:
        raise InputError("--json and --csv: choose one of them")
    source = reading.open(data, labelled=False)
    loaded = load(model)
    if not loaded.__sklearn_is_fitted__():
        raise InputError(f"{model} has learned nothing yet, and can not predict")
    table = csv.writer(sys.stdout, lineterminator="\n")
    if output.as_csv:
        table.writerow(Prediction._fields)
    for prediction in _predictions(loaded, source, output.as_json or output.as_csv):
        if output.as_json:
            print(json.dumps(prediction._asdict(), default=str))
        elif output.as_csv:
            table.writerow(prediction)
        else:
            print(prediction.label)


class Prediction(NamedTuple):
    """What a model says of one row; with many classes, the score is the largest."""

    label: Any
    probability: float | None
    score: float


def _predictions(model: Learner, source: DataSource, in_full: bool) -> Iterator[Prediction]:
    """What a model says of each row; probabilities only in full, and only if it has them."""
    import numpy as np

    from braided.rows.rows import BLOCK

    engine = model.engine
    assert engine is not None  # a model that has learned nothing was refused
    for block in source.blocks(BLOCK):
        scores = model.decision_function(block)
        labels = engine.labels.names(scores).tolist()
        chances: list[float | None] = [None] * len(labels)
        if in_full and model.has_probabilities:
            if model.many_classes:
                chosen = scores.argmax(axis=1)
            else:
                chosen = (scores > 0.0).astype(np.intp) * (len(engine.labels) - 1)
            of_labels = model.predict_proba(block)
            chances = of_labels[np.arange(len(chosen)), chosen].tolist()
        scores = scores.max(axis=1) if model.many_classes else scores
        yield from map(Prediction, labels, chances, scores.tolist())

"""``braided predict``: what a model says of rows."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

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
            help="Print a JSON object for each row: label and score.",
            rich_help_panel=OUTPUT,
        ),
    ] = False
    as_csv: Annotated[
        bool,
        typer.Option(
            "--csv",
            help="Print a line 'label,score' for each row, after a header.",
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
        table.writerow(("label", "score"))
    for label, score in _predictions(loaded, source):
        if output.as_json:
            print(json.dumps({"label": label, "score": score}, default=str))
        elif output.as_csv:
            table.writerow((label, score))
        else:
            print(label)


def _predictions(model: Learner, source: DataSource) -> Iterator[tuple[Any, float]]:
    """The label of each row and its score; with many classes, the largest."""
    from braided.rows.rows import BLOCK

    engine = model.engine
    assert engine is not None  # a model that has learned nothing was refused
    for block in source.blocks(BLOCK):
        scores = model.decision_function(block)
        labels = engine.labels.names(scores).tolist()
        scores = scores if scores.ndim == 1 else scores.max(axis=1)
        yield from zip(labels, scores.tolist(), strict=True)

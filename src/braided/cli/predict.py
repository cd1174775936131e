"""``braided predict``: what a model says of rows."""

from __future__ import annotations

import csv
import json
import sys
from typing import Annotated

import typer

from braided.cli.options import (
    Categorical,
    Format,
    Ignore,
    LabelColumn,
    Null,
    OnError,
    reading_options,
)
from braided.errors import InputError

__all__ = ["predict"]


def predict(
    context: typer.Context,
    model: Annotated[str, typer.Argument(metavar="MODEL", help="A file of 'braided train'.")],
    data: Annotated[
        str, typer.Argument(metavar="DATA", help="A dataset's name or a file; labels are ignored.")
    ],
    as_json: Annotated[
        bool, typer.Option("--json", help="A JSON object for each row: label and score.")
    ] = False,
    as_csv: Annotated[
        bool, typer.Option("--csv", help="A line 'label,score' for each row, after a header.")
    ] = False,
    label: LabelColumn = None,
    ignore: Ignore = None,
    categorical: Categorical = None,
    null: Null = None,
    format: Format = None,
    on_error: OnError = None,
) -> None:
    """Print the label that a model predicts for each row, one per line."""
    from braided.cli import data as given_data
    from braided.model_files import load
    from braided.rows.rows import BLOCK

    if as_json and as_csv:
        raise InputError("--json and --csv: choose one of them")
    reading = reading_options(context.params)
    if given_data.reader(data, reading) is not None:
        reading["labelled"] = False
    loaded = load(model)
    if not loaded.__sklearn_is_fitted__():
        raise InputError(f"{model} has learned nothing yet, and can not predict")
    table = csv.writer(sys.stdout, lineterminator="\n")
    if as_csv:
        table.writerow(("label", "score"))
    for block in given_data.blocks(data, BLOCK, reading):
        scores = loaded.decision_function(block)
        labels = loaded.engine.labels.names(scores).tolist()
        scores = scores.max(axis=1) if loaded.many_classes else scores
        for label, score in zip(labels, scores.tolist(), strict=True):
            if as_json:
                print(json.dumps({"label": label, "score": score}, default=str))
            elif as_csv:
                table.writerow((label, score))
            else:
                print(label)

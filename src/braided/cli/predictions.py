"""Predictions as they are printed: a label, a probability and a score for each row."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from braided.cli.options.panels import OUTPUT
from braided.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from braided.learner.learner import Learner
    from braided.rows.rows import Rows

__all__ = ["Prediction", "PredictionOutput", "PredictionWriter", "predictions_of"]


@dataclass(frozen=True)
class PredictionOutput:
    """How predictions are printed."""

    id: Annotated[
        str | None,
        typer.Option(
            metavar="FIELD",
            help="Field that names a row; it is no feature, and is printed with the prediction.",
            rich_help_panel=OUTPUT,
        ),
    ] = None
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

    def check(self) -> None:
        """Refuse what does not go together."""
        if self.as_json and self.as_csv:
            raise InputError("--json and --csv: choose one of them")

    @property
    def in_full(self) -> bool:
        """Whether probabilities and scores are printed."""
        return self.as_json or self.as_csv


class Prediction(NamedTuple):
    """What a model says of one row; with many classes, the score is the largest."""

    label: Any
    probability: float | None
    score: float


class PredictionWriter:
    """Writes predictions to a file or to standard output.

    Parameters
    ----------
    output : PredictionOutput
        How they are written.
    file : text file
        Where they go.
    """

    def __init__(self, output: PredictionOutput, file: IO[str]) -> None:
        self._output, self._file = output, file
        self._table = csv.writer(file, lineterminator="\n")
        if output.as_csv:
            self._table.writerow((*(("id",) if output.id else ()), *Prediction._fields))

    @classmethod
    @contextmanager
    def to(cls, output: PredictionOutput, path: str) -> Iterator[PredictionWriter]:
        """Open a file to write to; ``-`` is standard output."""
        if path == "-":
            yield cls(output, sys.stdout)
        else:
            with open(path, "w", encoding="utf-8") as file:
                yield cls(output, file)

    def write(self, predictions: list[Prediction], keys: NDArray[Any] | None) -> None:
        """Write the predictions of rows, with the keys of the rows if they are asked for.

        Parameters
        ----------
        predictions : list of Prediction
            A prediction for each row.
        keys : ndarray or None
            A key for each row.
        """
        has_id = self._output.id is not None
        ids = [None] * len(predictions) if keys is None else keys.tolist()
        for key, prediction in zip(ids, predictions, strict=True):
            if self._output.as_json:
                named = {"id": key, **prediction._asdict()} if has_id else prediction._asdict()
                self._file.write(json.dumps(named, default=str) + "\n")
            elif self._output.as_csv:
                self._table.writerow((key, *prediction) if has_id else prediction)
            else:
                label = "" if prediction.label is None else prediction.label
                self._file.write(f"{key}\t{label}\n" if has_id else f"{label}\n")

    def flush(self) -> None:
        """Hand on what was written."""
        self._file.flush()


def predictions_of(
    model: Learner, scores: NDArray[Any], rows: Rows | None = None
) -> list[Prediction]:
    """Say what scores mean.

    Parameters
    ----------
    model : Learner
        The model.
    scores : ndarray of float
        The score of each row, as ``decision_function`` returns it.
    rows : Rows, optional
        The rows, if probabilities are wanted.

    Returns
    -------
    list of Prediction
        The prediction of each row.
    """
    import numpy as np

    engine = model.engine
    assert engine is not None  # it has scored these rows
    labels = engine.labels.names(scores).tolist()
    chances: list[float | None] = [None] * len(labels)
    if rows is not None and model.has_probabilities:
        of_labels = model.predict_proba(rows)
        if scores.ndim > 1:
            chosen = scores.argmax(axis=1)
        else:
            chosen = (scores > 0.0).astype(np.intp) * (len(engine.labels) - 1)
        chances = of_labels[np.arange(len(chosen)), chosen].tolist()
    shown = scores if scores.ndim == 1 else scores.max(axis=1)
    return list(map(Prediction, labels, chances, shown.tolist()))

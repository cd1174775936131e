"""Learning: what ``braided train`` does with each block of rows."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from braided.errors import InputError

if TYPE_CHECKING:
    from braided.cli.ctrl_c import CtrlC
    from braided.cli.data import DataSource
    from braided.cli.predictions import Prediction, PredictionWriter
    from braided.cli.recorded import RecordedRounds
    from braided.cli.train import LiveOptions
    from braided.live import Pending
    from braided.model_files import Training
    from braided.records.schema import Schema
    from braided.rows.rows import Rows

__all__ = ["Learning"]


class Learning:
    """Predicts, prints and learns rows, and keeps those that wait for their label.

    Parameters
    ----------
    training : Training
        The training.
    live : LiveOptions
        The options of the command.
    writer : PredictionWriter, optional
        Where predictions go.
    ctrl_c : CtrlC
        Whether the user wants to stop.
    """

    def __init__(
        self,
        training: Training,
        live: LiveOptions,
        writer: PredictionWriter | None,
        ctrl_c: CtrlC,
    ) -> None:
        from braided.cli.schema_output import observed_note
        from braided.records.observed import Observed

        self._training, self._live, self._writer = training, live, writer
        self._ctrl_c = ctrl_c
        self._row = 0
        # Of earlier streams, until this one ends; a stream that is resumed is counted anew.
        self.observed = observed_note(training.notes) if training.begin.rows else Observed()
        self._seen = Observed()
        self._pending = self._restored_pending()
        self.recorded = self._recorded()

    def _recorded(self) -> RecordedRounds | None:
        if self._live.html is None:
            return None
        if self._writer is not None or self._pending is not None:
            raise InputError("--html goes with neither --predictions nor --key")
        from braided.cli.recorded import RecordedRounds

        return RecordedRounds(self._training)

    def _restored_pending(self) -> Pending | None:
        if self._live.key is None:
            if self._live.remember is not None:
                raise InputError("--remember is for records that have a --key")
            return None
        from braided.cli.options.lengths import remembering
        from braided.live.pending import NOTE, Pending

        pending = Pending(self._training.model, **remembering(self._live.remember))
        pending.restore(self._training.notes.get(NOTE))
        self._training.late_notes = lambda: {NOTE: pending.to_text()}
        return pending

    @property
    def schema(self) -> Schema:
        """The schema of the model; what is a key to find labels or to print is no feature."""
        schema, name = self._training.model.schema, self._live.key or self._live.id
        return schema if name is None else schema.with_roles(key=name)

    @property
    def keeps_unlabelled(self) -> bool:
        """Whether rows without a label are of use: to predict them, or to remember them."""
        return self._pending is not None or self._writer is not None

    @property
    def on_silence(self) -> Callable[[], None]:
        """What is done while standard input is silent."""

        def on_silence() -> None:
            self._ctrl_c.check()
            if self._writer is not None:
                self._writer.flush()
            self._training.save_if_due()

        return on_silence

    def learn(self, source: DataSource) -> None:
        """Learn the rows of a file or a dataset.

        Parameters
        ----------
        source : DataSource
            The rows.
        """
        from braided.rows.rows import BLOCK

        for block in source.blocks(BLOCK):
            self._ctrl_c.check()
            if self._pending is not None:
                self._learn_by_key(block, self._pending)
            elif self._writer is not None:
                self._predict_and_learn(block, self._writer)
            elif self.recorded is not None:
                self.recorded.learn(block, self._row)
                self._row += len(block)
            else:
                self._training.learn(block, start=self._row)
                self._row += len(block)
        if source.reader is not None:
            self._seen.merge(source.reader.observed)

    def finish(self) -> None:
        """Save the model at the end of the stream."""
        from braided.cli.schema_output import OBSERVED

        if self._seen.rows:
            self.observed.merge(self._seen)
            self._training.notes[OBSERVED] = json.dumps(self.observed.to_json())
        if self._writer is not None:
            self._writer.flush()
        self._training.finish()

    # ------------------------------------------------------------------------ with predictions

    def _predict_and_learn(self, block: Rows, writer: PredictionWriter) -> None:
        from braided.cli.predictions import predictions_of

        # A probability is that of the model just before the row was learned, so then rows are
        # taken one by one; for labels the scores before each row are enough.
        most = 1 if self._live.in_full else len(block)
        for piece, labelled in _pieces(block, self._training, most):
            if not labelled:
                writer.write(self._predicted(piece), piece.keys)
                continue
            before = self._predicted(piece) if len(piece) == 1 else None
            scores = self._training.learn(piece, start=self._row)
            self._row += len(piece)
            new = piece[len(piece) - len(scores) :]  # the others were learned before a crash
            if len(new):
                said = predictions_of(self._training.model, scores) if before is None else before
                writer.write(said, new.keys)

    def _predicted(self, rows: Rows) -> list[Prediction]:
        from braided.cli.predictions import Prediction, predictions_of

        model = self._training.model
        if model.engine is None:
            return [Prediction(None, None, 0.0)] * len(rows)
        in_full = rows if self._live.in_full else None
        return predictions_of(model, model.decision_function(rows), in_full)

    # ------------------------------------------------------------------------------- by key

    def _learn_by_key(self, block: Rows, pending: Pending) -> None:
        from braided.targets import is_missing

        assert block.keys is not None
        assert block.labels is not None
        for t in range(len(block)):
            row, key, label = block[t : t + 1], block.keys[t], block.labels[t]
            if is_missing(label):
                if self._writer is not None:
                    self._writer.write(self._predicted(row), row.keys)
                if key is not None:
                    pending.wait(key, row)
            else:
                waiting = pending.take(key, label) if key is not None else None
                if waiting is None and row.values.size:  # it came with its label
                    pending.unknown -= key is not None
                    waiting = row
                    if self._writer is not None:
                        self._writer.write(self._predicted(row), row.keys)
                if waiting is not None:
                    self._training.learn(waiting)

    def tell_pending(self) -> str | None:
        """Say how many records wait and were forgotten, if any.

        Returns
        -------
        str or None
            A line for people to read.
        """
        pending = self._pending
        if pending is None or not (len(pending) or pending.forgotten or pending.unknown):
            return None
        return (
            f"{len(pending)} records wait for their label, {pending.forgotten} were forgotten "
            f"without one, {pending.unknown} labels had no record"
        )


def _pieces(block: Rows, training: Training, most: int) -> Iterator[tuple[Rows, bool]]:
    """A block in pieces that have labels, or have none; single rows until two labels are known."""
    import numpy as np

    from braided.targets import labelled

    there = np.ones(len(block), np.bool_) if block.labels is None else labelled(block.labels)
    start = 0
    while start < len(block):
        stop = start + 1
        engine = training.model.engine
        settled = engine is not None and len(engine.labels) >= 2
        end = min(len(block), start + most) if settled else stop
        while stop < end and there[stop] == there[start]:
            stop += 1
        yield block[start:stop], bool(there[start])
        start = stop

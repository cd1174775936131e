"""RecordedRounds: what a page says of a training, collected while the rows are learned."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from braided.evaluate import Result
    from braided.model_files import Training
    from braided.rows.rows import Rows

__all__ = ["RecordedRounds"]


class RecordedRounds:
    """Learns rows, and keeps the scores that they had before, their labels and their features.

    Parameters
    ----------
    training : Training
        The training.
    """

    def __init__(self, training: Training) -> None:
        from braided.evaluate.label_signs import CodedRounds
        from braided.report.appearances import Appearances

        self._training = training
        self._coded = CodedRounds(training.model)
        self._observed: list[Any] = [np.empty(0, np.int64)]
        self._rounds = 0
        self.features = Appearances()

    def learn(self, block: Rows, start: int) -> None:
        """Learn a block of rows.

        Parameters
        ----------
        block : Rows
            The rows, with labels.
        start : int
            The number of the first row in the stream.
        """
        for rows in self._coded.pieces([block]):
            coding = self._coded.coding
            assert rows.labels is not None  # rows without a label were left out
            scores = self._training.learn(rows, start=start, **coding.asked)
            start += len(rows)
            rows = rows[len(rows) - len(scores) :]  # those before were learned before a crash
            if len(rows):
                assert rows.labels is not None
                self._coded.signs.append(coding.signs(rows.labels, self._rounds)[0])
                matching = coding.matching_scores(self._training.model, scores)
                self._coded.scores.append(matching)
                self._observed.append(np.diff(rows.indptr))
                self._rounds += len(rows)
                self.features.add(rows)

    def result(self) -> Result | None:
        """Return the evaluation of all rows that were learned.

        Returns
        -------
        Result or None
            Labels and scores; None if nothing was learned.
        """
        from braided.evaluate.snapshots import take_snapshot

        if not self._rounds:
            return None
        coding, model = self._coded.coding, self._training.model
        return coding.result(
            np.concatenate(self._coded.signs) * coding.orientation,
            np.concatenate(self._coded.scores) * coding.orientation,
            (take_snapshot(model, self._rounds, 0.0),),
            np.concatenate(self._observed),
            log_odds=coding.log_odds(model),
            classes=coding.classes,
        )

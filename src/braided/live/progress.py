"""Progress: how well a model predicted each record just before it learned it.

All numbers are sums over single records in their order, so they do not depend on how records came
in blocks; a snapshot keeps them. They are read while others are added, by threads that do not wait:
from copies, which Python makes at one go.
"""

from __future__ import annotations

import math
from collections import deque
from itertools import repeat
from typing import TYPE_CHECKING, Any

import numpy as np

from braided.evaluate.metrics.log_loss import LARGEST_LOSS
from braided.learner import platt
from braided.model_files.json_values import decode, encode

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from braided.learner.learner import Learner

__all__ = ["RECENT", "Progress"]

RECENT = 1000
"""Recent numbers are of the last so many records."""

_GROUPS = 10
_DRIFT = 4.0
_ENOUGH = 200


class Progress:
    """Errors, log loss, baselines, label balance and calibration, record by record.

    Attributes
    ----------
    rounds, errors : int
        How many records were learned, and how many of them predicted wrongly.
    majority_errors, last_errors : int
        The errors of the trivial baselines: the most frequent label so far, the last label.
    loss, loss_of_shares : float
        The sum of the log loss; and of one whose probabilities are the shares of the labels so far.
    """

    def __init__(self) -> None:
        self.rounds = self.errors = self.majority_errors = self.last_errors = 0
        self.loss, self.loss_of_shares, self.loss_rounds = 0.0, 0.0, 0
        self.counts: dict[Any, int] = {}
        self.last: Any = None
        self.majority: Any = None
        self._platt = platt.new_table()
        # records, the sum of their probabilities, positive labels
        self._groups = [[0.0, 0.0, 0.0] for _ in range(_GROUPS)]
        self.recent: deque[tuple[bool, bool, float | None]] = deque(maxlen=RECENT)

    def add(
        self, model: Learner, labels: list[Any], scores: NDArray[Any], *, new_label: bool
    ) -> None:
        """Add records.

        Parameters
        ----------
        model : Learner
            The model, which has learned them.
        labels : list
            Their labels.
        scores : ndarray of float
            The score of each before it was learned.
        new_label : bool
            Whether the label of these records was not known before.
        """
        engine = model.engine
        assert engine is not None
        predicted: list[Any] = [_NOTHING] * len(labels)
        odds: Any = repeat(None)
        if not new_label:
            predicted = engine.labels.names(scores).tolist()
            if len(engine.labels) == 2 and scores.ndim == 1:
                odds = self._odds(model, labels, scores)
        for label, guess, margin in zip(labels, predicted, odds, strict=False):
            loss = None if margin is None else _loss(margin)
            self._count(label, bool(guess == label), loss)

    def _odds(self, model: Learner, labels: list[Any], scores: NDArray[Any]) -> list[float]:
        """The log odds of the label that each record had."""
        positive = model.classes_.tolist()[1]
        signs = [1.0 if label == positive else -1.0 for label in labels]
        odds = scores
        if not getattr(model, "scores_are_log_odds", False):
            scores = np.ascontiguousarray(scores)
            odds = platt.prequential_odds(self._platt, np.array(signs), scores, 0)
        margins = []
        for sign, each in zip(signs, odds.tolist(), strict=True):
            chance = _chance(each)
            group = self._groups[min(int(chance * _GROUPS), _GROUPS - 1)]
            group[0] += 1
            group[1] += chance
            group[2] += sign > 0
            margins.append(sign * each)
        return margins

    def _count(self, label: Any, is_right: bool, loss: float | None) -> None:
        self.rounds += 1
        self.errors += not is_right
        self.majority_errors += self.majority != label
        self.last_errors += self.last != label
        self.last = label
        before = self.counts.get(label, 0)
        if loss is not None:  # of two labels, none of which is impossible before it came
            self.loss += loss
            self.loss_of_shares += math.log((self.rounds + 1) / (before + 1))
            self.loss_rounds += 1
        count = self.counts[label] = before + 1
        if count > self.counts.get(self.majority, 0):
            self.majority = label
        self.recent.append((is_right, label == self.majority, loss))

    # ------------------------------------------------------------------------- what it says

    def summary(self) -> dict[str, Any]:
        """Return the numbers for people.

        Returns
        -------
        dict
            Shares and means; None where there is nothing yet.
        """
        recent = list(self.recent)
        wrong = sum(not right for right, _, _ in recent)
        losses = [loss for _, _, loss in recent if loss is not None]
        return {
            "records": self.rounds,
            "error": _share(self.errors, self.rounds),
            "error_recent": _share(wrong, len(recent)),
            "log_loss": _share(self.loss, self.loss_rounds),
            "log_loss_recent": _share(math.fsum(losses), len(losses)),
            "log_loss_label_shares": _share(self.loss_of_shares, self.loss_rounds),
            "error_majority": _share(self.majority_errors, self.rounds),
            "error_last_label": _share(self.last_errors, self.rounds),
            "labels": [{"label": label, "records": n} for label, n in list(self.counts.items())],
            "calibration": [
                {"predicted": total / n, "occurred": positive / n, "records": int(n)}
                for n, total, positive in self._groups
                if n
            ],
            "recent": len(recent),
        }

    def drift(self) -> str | None:
        """Say whether recent records are predicted much worse than those before.

        Returns
        -------
        str or None
            A warning; None if they are not.
        """
        latest = list(self.recent)
        recent, before = len(latest), self.rounds - len(latest)
        if recent < _ENOUGH or before < _ENOUGH:
            return None
        wrong = sum(not right for right, _, _ in latest)
        now, then = wrong / recent, (self.errors - wrong) / before
        both = self.errors / self.rounds
        spread = math.sqrt(both * (1 - both) * (1 / recent + 1 / before))
        if now - then <= _DRIFT * spread:
            return None
        return (
            f"drift: {now:.1%} of the last {recent} records were predicted wrongly, "
            f"{then:.1%} of those before"
        )

    # ------------------------------------------------------------------------------ files

    def to_json(self) -> dict[str, Any]:
        """Return what a snapshot keeps.

        Returns
        -------
        dict
            Values that JSON can represent.
        """
        return {
            "counts": [self.rounds, self.errors, self.majority_errors, self.last_errors],
            "loss": [self.loss, self.loss_of_shares, self.loss_rounds],
            "labels": [[encode(label), n] for label, n in self.counts.items()],
            "last": [encode(self.last), encode(self.majority)],
            "platt": self._platt.tolist(),
            "groups": self._groups,
        }

    @classmethod
    def from_json(cls, item: Any) -> Progress:
        """Go on from what a snapshot kept.

        Parameters
        ----------
        item : dict
            What ``to_json`` returned.

        Returns
        -------
        Progress
            The numbers; recent ones begin anew.
        """
        made = cls()
        made.rounds, made.errors, made.majority_errors, made.last_errors = item["counts"]
        made.loss, made.loss_of_shares, made.loss_rounds = item["loss"]
        made.counts = {decode(label): n for label, n in item["labels"]}
        made.last, made.majority = map(decode, item["last"])
        table, groups = np.array(item["platt"]), item["groups"]
        if table.shape == made._platt.shape and platt.are_sound(table):
            made._platt = table
        if [len(group) for group in groups] == [3] * _GROUPS:
            made._groups = groups
        return made


_NOTHING = object()


# One by one, not as arrays: NumPy's last digit may depend on where in an array a number stands.


def _chance(odds: float) -> float:
    if math.isnan(odds):
        return 0.5
    return 0.5 + 0.5 * math.tanh(0.5 * odds)


def _loss(margin: float) -> float:
    if not margin >= -LARGEST_LOSS:
        return LARGEST_LOSS
    return max(0.0, -margin) + math.log1p(math.exp(-abs(margin)))


def _share(part: float, whole: int) -> float | None:
    return part / whole if whole else None

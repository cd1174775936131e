"""Braid: raw values, one pass, no knobs, features that come and go, probabilities out.

Six cheap experts look at three views of each value; a stack combines them, and exponential weights
choose between the experts and the stack. ``docs/braid.md`` tells the whole way, with the reason of
each constant. A row goes through::

    views.py     z-score, ratio and quantile bin of each value, from statistics.py
    experts/     six logits, each from an expert of its own file
    stack.py     one more, from theirs
    shares.py    the probability: a mean of the seven, weighted by how well each has predicted

and back with its label through the same parts. ``rewind.py`` learns the first rows again when more
is known of their features; ``kernels.py`` holds the parts together.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from braided.inputs import as_rows
from braided.learner import Learner
from braided.learners.braid.experts import LINEAR, NAMES
from braided.learners.braid.kernels import (
    BraidParameters,
    BraidState,
    are_sound,
    new_state,
    with_room,
)
from braided.learners.braid.layout import Ints
from braided.learners.braid.shares import mean_losses
from braided.one_row import OneRow
from braided.parameters import check_choice
from braided.rows import Rows

__all__ = ["Braid"]

STACK = "stack"

_ONE_AT_A_TIME = threading.RLock()
"""Scoring uses scratch in the state, so threads that predict with one model take turns."""


class Braid(Learner):
    """Learns from raw values with nothing to choose: scaling, steps and mixing adapt themselves.

    Scores are log odds: ``predict_proba`` gives the probabilities that they mean.

    Parameters
    ----------
    label_memory
        whether the labels of the rows just before count as a hint. Where labels come in runs they
        are a good one, elsewhere they cost nothing; but they must be known in time. Say False if
        labels arrive later than the next row; the commands do so by themselves under ``--delay``.

    Examples
    --------
    >>> model = Braid()
    >>> for x, y in [({"cheap": 1, "now": 1}, "spam"), ({"lunch": 1, "now": 1}, "mail")] * 20:
    ...     model.learn_one(x, y)
    >>> model.predict_one({"cheap": 1, "unheard of": 1})
    'spam'
    >>> sorted(model.predict_proba_one({"lunch": 1}))
    ['mail', 'spam']
    """

    scores_are_log_odds = True

    def __init__(self, *, label_memory: bool = True) -> None:
        self.label_memory = label_memory
        self._check()

    def _check(self) -> None:
        check_choice("label_memory", self.label_memory, (True, False))

    # -------------------------------------------------------------------- what was learned

    def experts(self) -> dict[str, dict[str, float]]:
        """Of each expert and of the stack: its ``share`` in the mixture, its mean log ``loss``.

        Of each expert also its ``weight`` in the stack.
        """
        if self._state is None:
            return {}
        shares, losses = self._state.shares.share, mean_losses(self._state.shares)
        report = {
            name: {"share": float(share), "loss": float(loss)}
            for name, share, loss in zip((*NAMES, STACK), shares, losses, strict=True)
        }
        for name, weight in zip(NAMES, self._state.stack.weight, strict=False):
            report[name]["weight"] = float(weight)
        return report

    def explain(self, x: Mapping[Hashable, Any]) -> dict[Hashable, float]:
        """How much each feature of a row pushed it towards ``classes_[1]``, the strongest first.

        A push is the difference that the feature makes to the experts' log odds, as they are mixed
        now. Features that were never seen push nothing and are left out.
        """
        if self._state is None:
            return {}
        rows = as_rows([x])
        known = {name: value for name, value in next(rows.dicts()).items() if name in self._space}
        with _ONE_AT_A_TIME:
            odds = self._log_odds(known)
            pushes = {
                name: odds - self._log_odds({n: v for n, v in known.items() if n != name})
                for name in known
            }
        return dict(sorted(pushes.items(), key=lambda push: -abs(push[1])))

    def _log_odds(self, x: Mapping[Hashable, Any]) -> float:
        """The experts' logits, mixed without limits, so that no push is hidden by another."""
        self._score_one_inward(x)  # which leaves the logits in the state
        return float(self._expert_weights() @ self._state.logits) * self._labels.outward

    def _expert_weights(self) -> NDArray[np.float64]:
        """How much each expert counts, by itself and through the stack."""
        shares, stack = self._state.shares.share, self._state.stack.weight
        total: NDArray[np.float64] = shares[:-1] + shares[-1] * stack[: len(NAMES)]
        return total

    def _linear_weights(self) -> NDArray[np.float64]:
        """What a usual value of each feature pushes, by the experts that are linear in it."""
        weights = self._state.experts.weights[:, list(LINEAR.values())].astype(np.float64)
        mixed: NDArray[np.float64] = weights @ self._expert_weights()[list(LINEAR)]
        return mixed

    # ------------------------------------------------------------------------------ inside

    def _score_placed(self, rows: Rows) -> NDArray[np.float64]:
        with _ONE_AT_A_TIME:
            return super()._score_placed(rows)

    def _score_row(self, row: OneRow) -> float | None:
        with _ONE_AT_A_TIME:
            return super()._score_row(row)

    def _parameters(self) -> BraidParameters:
        return BraidParameters(label_memory=bool(self.label_memory))

    def _fresh_state(self, capacity: int) -> BraidState:
        return new_state(capacity)

    def _with_room_for(self, columns: Ints) -> bool:
        before, self._state = self._state, with_room(self._state, columns.size)
        return self._state is not before

    def _make_room_as_in(self, length: Callable[[str], int]) -> None:
        blocks, values = length("bins.edges"), length("first.values")
        self._state = new_state(self._capacity, blocks, values)

    def _is_sound(self, state: BraidState) -> bool:
        return are_sound(state)

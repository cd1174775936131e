"""Baselines that use labels and no features: a learner that is not better has learned nothing."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

__all__ = ["BASELINES", "last_label", "majority"]

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]


def majority(signs: Floats, known: Whole | None = None) -> Floats:
    """Predict the label that was more frequent so far; 0 on a tie.

    Parameters
    ----------
    signs : ndarray
        The sign of each label, NaN without a label.
    known : ndarray of int, optional
        How many rounds, from the first, have labels that each prediction may use; all rounds before
        its own if left out.

    Returns
    -------
    ndarray
        The predicted sign of each round.

    Examples
    --------
    >>> majority(np.array([1.0, 1.0, -1.0, -1.0, -1.0]))
    array([0., 1., 1., 1., 0.])
    """
    balance = np.concatenate(([0.0], np.cumsum(np.nan_to_num(signs))))
    return np.sign(balance[_known(signs, known)])


def last_label(signs: Floats, known: Whole | None = None) -> Floats:
    """Predict the last label that is known; 0 before there is one.

    Parameters
    ----------
    signs : ndarray
        The sign of each label, NaN without a label.
    known : ndarray of int, optional
        How many rounds, from the first, have labels that each prediction may use; all rounds before
        its own if left out.

    Returns
    -------
    ndarray
        The predicted sign of each round.

    Examples
    --------
    >>> last_label(np.array([1.0, np.nan, -1.0, 1.0]))
    array([ 0.,  1.,  1., -1.])
    """
    rounds = np.where(np.isnan(signs), 0, np.arange(1, signs.size + 1))
    latest = np.concatenate(([0], np.maximum.accumulate(rounds)))
    return np.concatenate(([0.0], signs))[latest[_known(signs, known)]]


BASELINES: dict[str, Callable[[Floats, Whole | None], Floats]] = {
    "majority class": majority,
    "last label": last_label,
}
"""The baselines by name: functions from signs, and how many are known, to scores."""


def _known(signs: Floats, known: Whole | None) -> Whole:
    return np.arange(signs.size) if known is None else known

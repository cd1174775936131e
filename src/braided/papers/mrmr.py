"""mRMR: features that tell most of the label and least of one another.

Peng, Long and Ding, "Feature selection based on mutual information", PAMI 2005, in its difference
form: each next feature has the largest I(x_j; y) - mean over the chosen i of I(x_j; x_i). Values
become three levels, cut half a standard deviation from the mean on either side, as its authors do.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from sklearn.feature_selection import mutual_info_classif

__all__ = ["levels", "mrmr", "mutual_information"]

LEVELS = 3


def mrmr(X: NDArray[np.float64], y: NDArray[np.float64], count: int) -> list[int]:
    """The columns chosen, the first first."""
    codes = levels(X)
    relevance = mutual_info_classif(codes, y, discrete_features=True)
    indicators = (codes[:, :, None] == np.arange(LEVELS)).astype(np.float64)
    redundancy = np.zeros(codes.shape[1])
    chosen: list[int] = []
    free = np.ones(codes.shape[1], np.bool_)
    while len(chosen) < min(count, free.size):
        worth = relevance - redundancy / max(1, len(chosen))
        best = int(np.argmax(np.where(free, worth, -np.inf)))
        chosen.append(best)
        free[best] = False
        redundancy += mutual_information(indicators, best)
    return chosen


def levels(X: NDArray[np.float64]) -> NDArray[np.int64]:
    """0, 1 or 2: below, near or above the mean of the column."""
    centred = X - X.mean(axis=0)
    reach = X.std(axis=0) / 2
    return np.sign(np.where(np.abs(centred) <= reach, 0.0, centred)).astype(np.int64) + 1


def mutual_information(indicators: NDArray[np.float64], column: int) -> NDArray[np.float64]:
    """Of one column with every column, in nats, from indicators by row, column and level."""
    rows, columns, _ = indicators.shape
    joint = indicators[:, column].T @ indicators.reshape(rows, -1) / rows
    joint = joint.reshape(LEVELS, columns, LEVELS)
    independent = joint.sum(axis=2, keepdims=True) * joint.sum(axis=0, keepdims=True)
    present = joint > 0
    ratio = np.divide(joint, independent, out=np.ones_like(joint), where=present)
    information: NDArray[np.float64] = (joint * np.log(ratio)).sum(axis=(0, 2))
    return information

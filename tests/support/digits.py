"""scikit-learn's digits, for learners of many classes."""

from __future__ import annotations

import numpy as np
from sklearn.datasets import load_digits


def digits():
    """scikit-learn's digits in a random order, rows scaled to at most 1."""
    X, y = load_digits(return_X_y=True)
    order = np.random.default_rng(0).permutation(y.size)
    return X[order] / 16.0, y[order]


def prequential_accuracy(model, X, y):
    scores = model.prequential(X, y)
    return float(np.mean(model.classes_[scores.argmax(axis=1)] == y))

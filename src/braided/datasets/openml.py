"""Datasets from OpenML, fetched and cached by scikit-learn."""

from __future__ import annotations

import warnings

import numpy as np

from braided.datasets.dataset import Dataset
from braided.errors import InputError
from braided.records import as_rows

__all__ = ["NotFetchedError", "fetch"]


class NotFetchedError(Exception):
    """A dataset could not be fetched from OpenML; the message says why."""


def fetch(name: str) -> Dataset:
    """The OpenML dataset of this name."""
    from http.client import HTTPException

    from sklearn.datasets import fetch_openml

    try:
        with warnings.catch_warnings():
            # It warns before each new attempt; the error that follows the last one is enough.
            warnings.filterwarnings("ignore", message="A network error occurred")
            # "auto" is a frame, or a sparse matrix where the set is stored as one.
            bunch = fetch_openml(name, as_frame="auto")
    except ImportError:
        raise NotFetchedError(
            "OpenML was not asked because pandas is not installed (pip install 'braided[frames]')"
        ) from None
    except (OSError, HTTPException, ValueError) as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        raise NotFetchedError(
            f"OpenML could not be reached or has no such set ({reason})"
        ) from None
    if bunch.target is None or np.ndim(bunch.target) != 1:
        raise InputError(f"OpenML's dataset {name!r} does not have exactly one column of labels")
    is_frame = hasattr(bunch.data, "columns")
    X = as_rows(bunch.data, feature_names=None if is_frame else list(bunch.feature_names))
    version = bunch.details.get("version", "unknown")
    licence = str(bunch.details.get("licence") or "not stated")
    return Dataset(
        name, X, np.asarray(bunch.target), f"OpenML, {name}, version {version}", licence, ""
    )

"""Datasets by name: your own folder first, then the shipped ones, then OpenML."""

from __future__ import annotations

from braided.datasets import folder, openml, shipped
from braided.datasets.dataset import Dataset
from braided.errors import InputError

__all__ = ["load", "names"]


def names() -> list[str]:
    """The names of the shipped datasets and of those in the folder ``BRAIDED_DATA``, sorted.

    Examples
    --------
    >>> "german" in names()
    True
    """
    return sorted({*shipped.names(), *folder.names()})


def load(name: str) -> Dataset:
    """The dataset of this name.

    The folder in the environment variable ``BRAIDED_DATA`` is searched first: a file
    ``name.svm.gz`` there (or ``.svm``, ``.svmlight``, ``.libsvm``, with or without ``.gz``) is read
    as svmlight; line k of an optional ``name.vocab.gz`` or ``name.vocab`` names feature k, counted
    from 1. Then come the shipped datasets. Any other name is asked of OpenML, which needs pandas
    and, the first time, the network.

    Examples
    --------
    >>> load("wisconsin")
    <Dataset wisconsin: 683 rows, 9 features, labels 'benign' (444), 'malignant' (239)>
    """
    if not name or "/" in name or "\\" in name:
        raise InputError(f"{name!r} is not the name of a dataset; known: {', '.join(names())}")
    path = folder.find(name)
    if path is not None:
        return folder.read(name, path)
    if name in shipped.names():
        return shipped.read(name)
    try:
        return openml.fetch(name)
    except openml.NotFetchedError as error:
        raise InputError(
            f"no dataset {name!r}: the known names are {', '.join(names())}; {error}"
        ) from None

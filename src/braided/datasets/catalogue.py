"""Datasets by name: your own folder first, then the shipped ones; OpenML if asked for."""

from __future__ import annotations

from difflib import get_close_matches

from braided.datasets import folder, openml, shipped
from braided.datasets.dataset import Dataset
from braided.errors import InputError, warn

__all__ = ["load", "names"]

OPENML = "openml:"
"""The prefix of names that are fetched from OpenML."""


def names() -> list[str]:
    """List the names of the shipped datasets and of those in the folder ``BRAIDED_DATA``.

    Returns
    -------
    list of str
        The names, sorted.

    Examples
    --------
    >>> "german" in names()
    True
    """
    return sorted({*shipped.names(), *folder.names()})


def load(name: str) -> Dataset:
    """Load a dataset.

    The folder in the environment variable ``BRAIDED_DATA`` is searched first: a file
    ``name.svm.gz`` there (or ``.svm``, ``.svmlight``, ``.libsvm``, with or without ``.gz``) is read
    as svmlight; line k of an optional ``name.vocab.gz`` or ``name.vocab`` names feature k, counted
    from 1. Then come the shipped datasets.

    Parameters
    ----------
    name : str
        One of ``names()``, or ``openml:name`` to fetch it from OpenML, which needs pandas and, the
        first time, the network.

    Returns
    -------
    Dataset
        Its rows and labels, and where they come from.

    Raises
    ------
    InputError
        If there is no such dataset, or its file can not be read.

    Examples
    --------
    >>> load("wisconsin")
    <Dataset wisconsin: 683 rows, 9 features, labels 'benign' (444), 'malignant' (239)>
    """
    if not name or "/" in name or "\\" in name:
        raise InputError(f"{name!r} is not the name of a dataset; known: {', '.join(names())}")
    path = folder.find(name)
    if path is not None:
        if name in shipped.names():
            warn(f"{path} (BRAIDED_DATA) is used in place of the dataset {name} that ships")
        return folder.read(name, path)
    if name in shipped.names():
        return shipped.read(name)
    if name.startswith(OPENML):
        try:
            return openml.fetch(name.removeprefix(OPENML))
        except openml.NotFetchedError as error:
            raise InputError(f"no dataset {name!r}: {error}") from None
    close = get_close_matches(name, names(), n=3)
    hint = f" (did you mean {' or '.join(map(repr, close))}?)" if close else ""
    raise InputError(
        f"no dataset {name!r}{hint}: the known names are {', '.join(names())}; "
        f"{OPENML}{name} asks OpenML for it"
    )

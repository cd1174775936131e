"""Table: the entries of one kind by name, in order, to which other packages can add theirs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from difflib import get_close_matches
from importlib import import_module
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from braided.errors import InputError

__all__ = ["Entry", "Home", "Table", "resolve", "unknown"]

Home: TypeAlias = str | Callable[..., Any]
"""Where something is: ``"module:name"``, imported when it is first used, or the thing itself."""


class Entry(Protocol):
    """What every entry has."""

    @property
    def name(self) -> str:
        """The name that users write."""
        ...

    @property
    def about(self) -> str:
        """What it is, in a few words."""
        ...


Kind = TypeVar("Kind", bound=Entry)


class Table(Generic[Kind]):
    """The entries of one kind.

    Parameters
    ----------
    kind : str
        What an entry is called in errors, as in ``"metric"``.
    entries : iterable
        The entries of this package.

    Examples
    --------
    >>> from braided.registry import METRICS
    >>> "auc" in METRICS
    True
    >>> METRICS.find("acu")
    Traceback (most recent call last):
    ...
    braided.errors.InputError: no metric 'acu' (did you mean 'auc'?): choose one of mistakes, ...
    """

    def __init__(self, kind: str, entries: Iterable[Kind]) -> None:
        self.kind = kind
        self._entries: dict[str, Kind] = {}
        self._closed_because: str | None = None
        for entry in entries:
            self.register(entry)

    def __iter__(self) -> Iterator[Kind]:
        return iter(list(self._entries.values()))

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def names(self) -> list[str]:
        """Return all names.

        Returns
        -------
        list of str
            The names, in the order of the table.
        """
        return list(self._entries)

    def find(self, name: object) -> Kind:
        """Return the entry of this name.

        Parameters
        ----------
        name : str
            The name.

        Returns
        -------
        entry
            The entry.

        Raises
        ------
        InputError
            If there is none; the error lists the names that there are.
        """
        if isinstance(name, str) and name in self._entries:
            return self._entries[name]
        raise InputError(unknown(self.kind, name, self.names()))

    def register(self, entry: Kind) -> None:
        """Add an entry.

        Parameters
        ----------
        entry : entry
            The entry; its name must be new.

        Raises
        ------
        InputError
            If the name is taken, or it is too late for entries of this kind.
        """
        if self._closed_because is not None:
            raise InputError(f"{self.kind} {entry.name!r} comes too late: {self._closed_because}")
        if entry.name in self._entries:
            raise InputError(f"there is a {self.kind} {entry.name!r} already")
        self._entries[entry.name] = entry

    def remove(self, name: str) -> None:
        """Take an entry out again, for tests and notebooks.

        Parameters
        ----------
        name : str
            The name of the entry.
        """
        self.find(name)
        del self._entries[name]

    def close(self, because: str) -> None:
        """Refuse entries from now on.

        Parameters
        ----------
        because : str
            The end of the sentence "... comes too late: ".
        """
        self._closed_because = because


def resolve(home: Home) -> Any:
    """Return what is at a home.

    Parameters
    ----------
    home : str or callable
        ``"module:name"``, or the thing itself.

    Returns
    -------
    Any
        The thing, imported if need be.

    Examples
    --------
    >>> resolve("braided.learners.olsf:OLSF")
    <class 'braided.learners.olsf.OLSF'>
    """
    if not isinstance(home, str):
        return home
    module, _, name = home.partition(":")
    return getattr(import_module(module), name)


def unknown(kind: str, name: object, allowed: list[str]) -> str:
    """Say that there is no such name, and what is allowed.

    Parameters
    ----------
    kind : str
        What the name was to be, as in ``"metric"``.
    name : object
        What was given.
    allowed : list of str
        The names that there are.

    Returns
    -------
    str
        The message of an error.
    """
    close = get_close_matches(str(name).lower(), allowed, n=1)
    hint = f" (did you mean {close[0]!r}?)" if close else ""
    return f"no {kind} {name!r}{hint}: choose one of {', '.join(allowed)}"

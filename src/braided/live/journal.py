"""Journal: everything that a model was told, in order, on disk before it is answered.

A journal is one SQLite file. It begins with a *base* (a model file), after which come *entries*
with ascending sequence numbers. The base and the entries after it make the model again, byte for
byte. Positions in the streams of brokers are written together with the entries that came from
there.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from braided.errors import InputError

__all__ = ["DiskFullError", "Done", "Entry", "Journal", "digest"]

_TABLES = """
CREATE TABLE IF NOT EXISTS entries (
    sequence INTEGER PRIMARY KEY, moment REAL NOT NULL, kind TEXT NOT NULL,
    request TEXT UNIQUE, records INTEGER NOT NULL, payload BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS bases (
    sequence INTEGER PRIMARY KEY, moment REAL NOT NULL, payload BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS trimmed (
    sequence INTEGER PRIMARY KEY, kind TEXT NOT NULL, request TEXT UNIQUE NOT NULL,
    records INTEGER NOT NULL, digest BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS positions (source TEXT PRIMARY KEY, position TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL);
"""

_ADD = "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?)"
_VERSION = "1"
_IDS_AT_ONCE = 500
_FIND = """
SELECT sequence, kind, request, records, digest(payload) FROM entries WHERE request IN ({0})
UNION ALL SELECT * FROM trimmed WHERE request IN ({0})"""

IDS_KEPT = 100_000
"""So many requests with an id are recognised after their entries were trimmed: the latest."""


class DiskFullError(Exception):
    """The journal could not be written; nothing of the transaction is in it."""


class Entry(NamedTuple):
    """One request that the journal keeps.

    Parameters
    ----------
    sequence : int
        Its number; each is one larger than the one before.
    moment : float
        When it was written, in seconds since 1970.
    kind : str
        What was asked: one of ``braided.live.live_model.KINDS``.
    request : str or None
        The id that the client gave it.
    records : int
        How many records are in the payload.
    payload : bytes
        The body of the request: JSON.
    """

    sequence: int
    moment: float
    kind: str
    request: str | None
    records: int
    payload: bytes


class Done(NamedTuple):
    """A request that was done; its entry may be trimmed.

    Parameters
    ----------
    sequence : int
        The number of its entry.
    kind : str
        What was asked.
    request : str
        The id that the client gave it.
    records : int
        How many records it had.
    digest : bytes
        The ``digest`` of its payload.
    """

    sequence: int
    kind: str
    request: str
    records: int
    digest: bytes


def digest(payload: bytes) -> bytes:
    """Return what tells payloads apart.

    Parameters
    ----------
    payload : bytes
        The body of a request.

    Returns
    -------
    bytes
        16 bytes.
    """
    return hashlib.blake2b(payload, digest_size=16).digest()


class Journal:
    """The journal of one model.

    Parameters
    ----------
    path : str or path
        The file; it is made if there is none.
    most_pages : int, optional
        The most pages of 4096 bytes that the file may have.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     journal = Journal(f"{folder}/spam.journal")
    ...     journal.set_base(b"a model file")
    ...     journal.append([Entry(1, 0.0, "learn", "id 7", 1, b'{"cheap": 1, "label": "spam"}')])
    ...     journal.last, journal.find(["id 7", "id 8"])["id 7"].records
    ...     journal.close()
    (1, 1)
    """

    def __init__(self, path: str | os.PathLike[str], *, most_pages: int | None = None) -> None:
        self.path = os.fspath(path)
        try:
            self._database = sqlite3.connect(
                self.path, isolation_level=None, check_same_thread=False
            )
            self._database.create_function("digest", 1, digest, deterministic=True)
            run = self._database.execute
            run("PRAGMA auto_vacuum=INCREMENTAL")
            run("PRAGMA journal_mode=WAL")
            run("PRAGMA synchronous=FULL")  # a commit is on disk when it returns
            if most_pages is not None:
                run(f"PRAGMA max_page_count={int(most_pages)}")
            self._database.executescript(_TABLES)
            facts = {"version": _VERSION, "id": secrets.token_hex(8)}
            self._database.executemany("INSERT OR IGNORE INTO facts VALUES (?, ?)", facts.items())
            found = dict(run("SELECT name, value FROM facts"))
        except sqlite3.Error as error:
            raise InputError(f"{self.path} can not be opened as a journal: {error}") from None
        if found.get("version") != _VERSION:
            raise InputError(
                f"{self.path} is a journal of version {found.get('version')!r}, and this Braided "
                f"reads version {_VERSION}"
            )
        self.id: str = found["id"]
        self.last = self._last()

    def _last(self) -> int:
        (last,) = self._database.execute(
            "SELECT max(coalesce((SELECT max(sequence) FROM entries), 0), "
            "coalesce((SELECT max(sequence) FROM bases), 0))"
        ).fetchone()
        return int(last)

    # ------------------------------------------------------------------------------ writing

    def append(self, entries: Sequence[Entry], positions: Mapping[str, str] | None = None) -> None:
        """Write entries in one transaction; when this returns they are on disk.

        Parameters
        ----------
        entries : sequence of Entry
            The entries; the first has the number after ``last``.
        positions : mapping, optional
            New positions in the streams of brokers, by source.

        Raises
        ------
        DiskFullError
            If they can not be written. Then nothing was.
        """
        with _Transaction(self._database):
            self._database.executemany(_ADD, entries)
            self._set_positions(positions or {})
        if entries:
            self.last = entries[-1].sequence

    def set_base(self, payload: bytes) -> None:
        """Begin with another model: entries so far are no part of it.

        Parameters
        ----------
        payload : bytes
            A model file.
        """
        with _Transaction(self._database):
            self._database.execute(
                "INSERT OR REPLACE INTO bases VALUES (?, ?, ?)", (self.last, time.time(), payload)
            )

    def replace_base(self, mark: Entry, payload: bytes) -> None:
        """Begin with another model after an entry that marks the place, in one transaction.

        Parameters
        ----------
        mark : Entry
            The entry.
        payload : bytes
            A model file.
        """
        with _Transaction(self._database):
            self._database.execute(_ADD, mark)
            self._database.execute(
                "INSERT INTO bases VALUES (?, ?, ?)", (mark.sequence, mark.moment, payload)
            )
        self.last = mark.sequence

    def trim(self, payload: bytes, sequence: int) -> None:
        """Drop the entries up to a number; a model file takes their place.

        The ids of the latest stay, so that a request that is repeated later is still done once.

        Parameters
        ----------
        payload : bytes
            The model after these entries.
        sequence : int
            The number of the last entry to drop.
        """
        with _Transaction(self._database):
            run = self._database.execute
            run(
                "INSERT INTO trimmed SELECT sequence, kind, request, records, digest(payload) "
                "FROM entries WHERE sequence <= ? AND request IS NOT NULL",
                (sequence,),
            )
            run(
                "DELETE FROM trimmed WHERE sequence <= "
                "(SELECT sequence FROM trimmed ORDER BY sequence DESC LIMIT 1 OFFSET ?)",
                (IDS_KEPT,),
            )
            run("DELETE FROM bases WHERE sequence <= ?", (sequence,))
            run("INSERT INTO bases VALUES (?, ?, ?)", (sequence, time.time(), payload))
            run("DELETE FROM entries WHERE sequence <= ?", (sequence,))
        self._database.executescript("PRAGMA incremental_vacuum")
        self._database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def _set_positions(self, positions: Mapping[str, str]) -> None:
        self._database.executemany(
            "INSERT OR REPLACE INTO positions VALUES (?, ?)", positions.items()
        )

    # ------------------------------------------------------------------------------ reading

    def base(self) -> tuple[int, bytes] | None:
        """Return the model with which the journal begins.

        Returns
        -------
        tuple of int and bytes, or None
            After which entry it stands, and the model file; None if there is none yet.
        """
        found = self._database.execute(
            "SELECT sequence, payload FROM bases ORDER BY sequence DESC LIMIT 1"
        ).fetchone()
        return None if found is None else (found[0], found[1])

    def entries(self, after: int = 0) -> Iterator[Entry]:
        """Read the entries in their order.

        Parameters
        ----------
        after : int, default 0
            The number of the entry after which to begin.

        Yields
        ------
        Entry
            The entries.
        """
        rows = self._database.execute(
            "SELECT * FROM entries WHERE sequence > ? ORDER BY sequence", (after,)
        )
        for row in rows:
            yield Entry(*row)

    def find(self, requests: Iterable[str]) -> dict[str, Done]:
        """Find requests that were done.

        Parameters
        ----------
        requests : iterable of str
            The ids that clients gave.

        Returns
        -------
        dict
            What was done, of each id that the journal knows.
        """
        ids, found = list(requests), dict[str, Done]()
        for start in range(0, len(ids), _IDS_AT_ONCE):
            some = ids[start : start + _IDS_AT_ONCE]
            marks = ",".join(f"?{i}" for i in range(1, len(some) + 1))  # used twice
            rows = self._database.execute(_FIND.format(marks), some)
            found |= {done.request: done for done in map(Done._make, rows)}
        return found

    def positions(self) -> dict[str, str]:
        """Return how far each source was read.

        Returns
        -------
        dict
            The position by source.
        """
        return dict(self._database.execute("SELECT source, position FROM positions"))

    def setting(self, name: str) -> Any:
        """Return a setting of SQLite.

        Parameters
        ----------
        name : str
            The name of a pragma.

        Returns
        -------
        Any
            Its value.
        """
        return self._database.execute(f"PRAGMA {name}").fetchone()[0]

    @property
    def bytes(self) -> int:
        """The size of the journal on disk, its write-ahead log included."""
        files = (self.path, f"{self.path}-wal")
        return sum(os.path.getsize(each) for each in files if os.path.exists(each))

    @property
    def oldest(self) -> float | None:
        """The moment of the first entry."""
        found = self._database.execute(
            "SELECT moment FROM entries ORDER BY sequence LIMIT 1"
        ).fetchone()
        return None if found is None else float(found[0])

    def close(self) -> None:
        """Close the file."""
        self._database.close()


class _Transaction:
    """All or nothing; errors of SQLite become ``DiskFullError``."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database

    def __enter__(self) -> None:
        try:
            self._database.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            raise DiskFullError(str(error)) from None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if error is None:
            try:
                self._database.execute("COMMIT")
                return
            except sqlite3.OperationalError as failed:
                error = failed
        if self._database.in_transaction:
            self._database.execute("ROLLBACK")
        if isinstance(error, sqlite3.OperationalError):
            raise DiskFullError(str(error)) from None

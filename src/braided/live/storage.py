"""Storage: the files of one model: its journal, and the newest snapshot.

``spam.journal`` is what counts. ``spam.braided`` is a snapshot, a model file like any other, from
which a start is quicker: only the entries after it have to be learned again.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from braided.errors import InputError, ModelFileError, warn
from braided.live.journal import Entry, Journal
from braided.live.live_model import SETTINGS, LiveModel

__all__ = ["JOURNAL", "MODEL", "Storage"]

MODEL, JOURNAL = ".braided", ".journal"
"""The suffixes of the two files."""

_AT_ONCE = 256
REPLACED = "replaced"


class Storage:
    """The files of one model.

    Parameters
    ----------
    folder : str or path
        Where they are.
    name : str
        The name of the model.
    most_pages : int, optional
        The most pages that the journal may have.
    settings : dict, optional
        Settings that differ from those of the model (``LiveModel.settings``).
    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        name: str,
        *,
        most_pages: int | None = None,
        settings: Mapping[str, Any] | None = None,
    ) -> None:
        self.name = name
        self.file = Path(folder) / f"{name}{MODEL}"
        path = Path(folder) / f"{name}{JOURNAL}"
        if not self.file.exists() and not path.exists():
            raise InputError(f"there is no model {name!r}")
        self.journal = Journal(path, most_pages=most_pages)
        self._settings = dict(settings or {})

    def recover(self) -> LiveModel:
        """Make the model as it was: from the snapshot, and the entries after it.

        Returns
        -------
        LiveModel
            The model; its journal has nothing that it does not have.
        """
        model = self._newest()
        batch: list[Entry] = []
        for entry in self.journal.entries(after=model.sequence):
            batch.append(entry)
            if len(batch) == _AT_ONCE:
                model.apply(batch)
                batch = []
        model.apply(batch)
        model.sequence = self.journal.last
        self.settle(model)
        return model

    def settle(self, model: LiveModel) -> None:
        """Change the settings of a model to those that were asked for, by an entry.

        Parameters
        ----------
        model : LiveModel
            The model.
        """
        wanted = {**model.settings, **self._settings}
        if wanted != model.settings:
            payload = json.dumps(wanted).encode()
            entry = Entry(self.journal.last + 1, time.time(), SETTINGS, None, 0, payload)
            self.journal.append([entry])
            model.apply([entry])

    def _newest(self) -> LiveModel:
        """The newest model there is, without the entries after it."""
        base = self.journal.base()
        snapshot = None
        if self.file.exists():
            try:
                snapshot = LiveModel.load(self.file)
            except ModelFileError as error:
                if base is None:
                    raise
                warn(f"{error}; the model is made again from its journal")
        if base is None:
            if snapshot is None:
                raise InputError(f"{self.journal.path} is empty, and there is no {self.file}")
            snapshot.journal, snapshot.sequence = self.journal.id, self.journal.last
            self.journal.set_base(snapshot.to_bytes())
            self.snapshot(snapshot)  # which says to which journal it belongs
            return snapshot
        if snapshot is not None and snapshot.journal != self.journal.id:
            self.begin_anew(snapshot)  # somebody has put another file there
            return snapshot
        if snapshot is not None and base[0] <= snapshot.sequence <= self.journal.last:
            return snapshot
        return LiveModel.from_bytes(base[1])

    def begin_anew(self, model: LiveModel) -> None:
        """Go on with another model: entries so far are no part of it.

        Parameters
        ----------
        model : LiveModel
            The model.
        """
        # With a number of its own, so that no snapshot of the model before is taken for this one.
        mark = Entry(self.journal.last + 1, time.time(), REPLACED, None, 0, b"")
        model.journal, model.sequence = self.journal.id, mark.sequence
        payload = model.to_bytes()
        self.journal.replace_base(mark, payload)
        self.settle(model)
        self.snapshot(model)

    def snapshot(self, model: LiveModel) -> None:
        """Write a snapshot.

        Parameters
        ----------
        model : LiveModel
            The model.
        """
        model.save(self.file)

    def trim(self, model: LiveModel, most_bytes: int, seconds: float | None) -> bool:
        """Drop all entries so far if the journal is too large or too old.

        Parameters
        ----------
        model : LiveModel
            The model, of which there is a snapshot.
        most_bytes : int
            How large it may be.
        seconds : float or None
            How old its first entry may be.

        Returns
        -------
        bool
            Whether it was trimmed.
        """
        oldest = self.journal.oldest
        if oldest is None:
            return False
        old = seconds is not None and time.time() - oldest > seconds
        if not old and self.journal.bytes <= most_bytes:
            return False
        self.journal.trim(self.file.read_bytes(), model.sequence)
        return True

    def close(self) -> None:
        """Close the journal."""
        self.journal.close()

    def remove(self) -> None:
        """Delete the files; the journal first, so that no journal is without its model."""
        self.close()
        for suffix in ("-wal", "-shm", ""):
            Path(f"{self.journal.path}{suffix}").unlink(missing_ok=True)
        self.file.unlink(missing_ok=True)

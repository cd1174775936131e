"""Models: the models of a service, by name, in one folder."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from braided import registry
from braided.errors import InputError
from braided.live.bodies import Limits
from braided.live.host import Host, Upkeep
from braided.live.live_model import LiveModel
from braided.live.storage import JOURNAL, MODEL, Storage
from braided.parameters import check_whole
from braided.records.schema import Schema

__all__ = ["NAME", "Models", "new_model"]

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}(\.[A-Za-z0-9_-]{1,32}){0,3}")
"""What a model may be called. No such name leads out of the folder, or to another kind of file."""

_LOCK = ".braided-serve.lock"


class Models:
    """The models of a service.

    Parameters
    ----------
    place : str or path
        A folder with models, or one model file.
    limits : Limits, optional
        How large requests may be, and how much may wait.
    upkeep : Upkeep, optional
        Snapshots and trimming.
    label, key : str, optional
        The fields with label and key, instead of those that a model's schema names.

    Raises
    ------
    InputError
        If there is no such place, or another service uses it.
    """

    def __init__(
        self,
        place: str | os.PathLike[str],
        limits: Limits | None = None,
        upkeep: Upkeep | None = None,
        *,
        label: str | None = None,
        key: str | None = None,
    ) -> None:
        self.limits, self.upkeep = limits or Limits(), upkeep or Upkeep()
        check_whole("records", self.upkeep.records, 1)
        asked_for = {
            "label": label,
            "key": key,
            "remember": self.upkeep.remember,
            "seconds": self.upkeep.remember_seconds,
        }
        self._settings = {name: each for name, each in asked_for.items() if each is not None}
        path = Path(place)
        self.single: str | None = None
        if path.suffix == MODEL and not path.is_dir():
            self.single, self.folder = checked_name(path.name.removesuffix(MODEL)), path.parent
        else:
            self.folder = path
        if not self.folder.is_dir():
            raise InputError(f"there is no folder {self.folder}")
        self._lock_file = _locked(self.folder)
        self._changing = threading.Lock()
        self._hosts: dict[str, Host] = {}
        try:
            for name in [self.single] if self.single else self._names_in_folder():
                self._hosts[name] = self._opened(name)
        except BaseException:
            self.close()
            raise

    def _names_in_folder(self) -> list[str]:
        suffixes = (MODEL, JOURNAL)
        files = [each for each in self.folder.iterdir() if each.name.endswith(suffixes)]
        stems = {each.name[: -len(each.suffix)] for each in files if each.is_file()}
        return sorted(stem for stem in stems if NAME.fullmatch(stem))

    def _opened(self, name: str) -> Host:
        upkeep = self.upkeep
        storage = Storage(
            self.folder,
            name,
            most_pages=upkeep.most_pages,
            settings=self._settings,
        )
        return Host(storage, self.limits, upkeep)

    def __iter__(self) -> Iterator[Host]:
        return iter(list(self._hosts.values()))

    def __len__(self) -> int:
        return len(self._hosts)

    def get(self, name: str) -> Host | None:
        """Return a model at work.

        Parameters
        ----------
        name : str
            Its name.

        Returns
        -------
        Host or None
            None if there is none of this name.
        """
        return self._hosts.get(name)

    def put(self, name: str, model: LiveModel) -> bool:
        """Create a model, or replace the one of this name.

        Parameters
        ----------
        name : str
            The name.
        model : LiveModel
            The model.

        Returns
        -------
        bool
            Whether it is new.
        """
        checked_name(name)
        with self._changing:
            host = self._hosts.get(name)
            if host is not None:
                host.replace(model)
                return False
            if self.single is not None:
                raise InputError(f"this service serves {self.single} alone: start it on a folder")
            model.journal, model.sequence = "", 0
            model.save(self.folder / f"{name}{MODEL}")
            self._hosts = {**self._hosts, name: self._opened(name)}
            return True

    def remove(self, name: str) -> None:
        """Remove a model and its files.

        Parameters
        ----------
        name : str
            The name of a model that there is.
        """
        with self._changing:
            hosts = dict(self._hosts)
            host = hosts.pop(name)
            self._hosts = hosts
            host.close()
            host.storage.remove()

    def close(self) -> None:
        """Finish what was accepted, and write snapshots."""
        with self._changing:
            for host in self._hosts.values():
                host.close()
            self._hosts = {}
            self._lock_file.close()


def checked_name(name: str) -> str:
    """Refuse a name that a model can not have.

    Parameters
    ----------
    name : str
        The name.

    Returns
    -------
    str
        The same name.
    """
    if not NAME.fullmatch(name):
        raise InputError(
            f"the name {name[:80]!r} is not allowed: letters, digits, - and _ (at most 64), and "
            "single dots between them"
        )
    return name


def new_model(learner: str, parameters: dict[str, Any], schema: dict[str, Any]) -> LiveModel:
    """Make a model that has learned nothing.

    Parameters
    ----------
    learner : str
        The name of a learner.
    parameters : dict
        Its parameters.
    schema : dict
        The arguments of ``braided.Schema``.

    Returns
    -------
    LiveModel
        The model.

    Raises
    ------
    InputError
        If there is no such learner, parameter or kind of field.
    """
    try:
        made = registry.create(learner, None, **parameters)
        made.schema = Schema(**schema)
        model = LiveModel(made)
        model.learner.new_engine()  # which checks the parameters
    except (TypeError, OverflowError, MemoryError, AttributeError) as error:
        raise InputError(f"a learner or schema that is not allowed: {error}") from None
    return model


def _locked(folder: Path) -> IO[str]:
    file = open(folder / _LOCK, "w")  # noqa: SIM115 - held as long as the service runs
    try:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except ImportError:  # no such locks on this system
        pass
    except OSError:
        file.close()
        raise InputError(f"another service uses the folder {folder}") from None
    return file

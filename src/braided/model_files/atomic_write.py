"""Write a file as a whole or not at all, whenever the machine stops."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable
from pathlib import Path
from typing import Any

__all__ = ["remove_leftovers", "replace_file"]

_SUFFIX = ".partial"


def replace_file(path: str | os.PathLike[str], pieces: Iterable[Any]) -> None:
    """Replace a file by these pieces (bytes, or arrays of them), all at once.

    They go to a file beside it first. That file is on the disk before it takes the name, and the
    name before this returns: a reader sees the old file or the whole new one, after a crash too.
    """
    target = Path(os.path.realpath(path))
    partial = target.with_name(f".{target.name}.{secrets.token_hex(4)}{_SUFFIX}")
    try:
        with open(partial, "xb") as file:
            for piece in pieces:
                file.write(piece)
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, target)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
    _sync_folder(target.parent)


def remove_leftovers(path: str | os.PathLike[str]) -> None:
    """Remove what writers of this file left behind when they were killed.

    Only to be called when no other process writes the file.
    """
    target = Path(os.path.realpath(path))
    start = f".{target.name}."
    for entry in os.scandir(target.parent):
        if entry.name.startswith(start) and entry.name.endswith(_SUFFIX):
            Path(entry.path).unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    if os.name == "nt":  # there a folder can not be opened
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)

"""Files that are there as a whole or not at all, whenever the machine stops."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable
from pathlib import Path
from typing import Any

__all__ = ["remove_leftovers", "replace_file"]

_SUFFIX = ".partial"


def replace_file(path: str | os.PathLike[str], parts: Iterable[Any]) -> None:
    """Write parts (bytes, or arrays of them) to a file, in place of what it was, at once.

    They go to a file beside it first. That file is on the disk before it takes the name, and
    the name before this returns: whoever reads sees what was there before or all that is new,
    after a crash too.
    """
    target = Path(os.path.realpath(path))
    partial = target.with_name(f".{target.name}.{secrets.token_hex(4)}{_SUFFIX}")
    try:
        with open(partial, "xb") as file:
            for part in parts:
                file.write(part)
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, target)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
    _settle_name(target.parent)


def remove_leftovers(path: str | os.PathLike[str]) -> None:
    """Remove what writers of this file left behind when they were killed.

    Only for one who knows that nobody is writing it now.
    """
    target = Path(os.path.realpath(path))
    start = f".{target.name}."
    for entry in os.scandir(target.parent):
        if entry.name.startswith(start) and entry.name.endswith(_SUFFIX):
            Path(entry.path).unlink(missing_ok=True)


def _settle_name(folder: Path) -> None:
    if os.name == "nt":  # where a folder can not be opened
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)

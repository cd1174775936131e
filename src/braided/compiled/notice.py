"""What is said while compiling: people should know why the first start takes seconds."""

from __future__ import annotations

import gc
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread

__all__ = ["COMPILED", "QUIET", "compiling", "no_folder"]

QUIET = "BRAIDED_QUIET"
"""The environment variable that, set to 1, keeps standard error free of these lines."""

PATIENCE = 1.0
"""Seconds of compiling without a word."""

NO_FOLDER = (
    "no folder for compiled code can be written: each start compiles again; set NUMBA_CACHE_DIR"
)

COMPILED: list[tuple[str, float]] = []
"""What this process has compiled, and in how many seconds."""

_state = {"depth": 0, "no folder": False, "said": False}


def no_folder() -> None:
    """Note that compiled code can not be kept; it is said once, if something is compiled."""
    _state["no folder"] = True


@contextmanager
def compiling(what: str) -> Iterator[None]:
    """Within this, something is compiled: it is said if it takes long, and noted when done."""
    if _state["depth"]:  # a loop within a loop
        yield
        return
    done, start = Event(), time.process_time()
    Thread(target=_say, args=(what, done), daemon=True).start()
    collecting = gc.isenabled()
    gc.disable()  # Numba makes a million small objects that live on: looking for garbage is a tenth
    _state["depth"] = 1
    try:
        yield
    finally:
        _state["depth"] = 0
        done.set()
        if collecting:
            if not gc.get_freeze_count():  # else they would be thawed
                gc.freeze()  # what is new counts as old: nobody looks through all of it now
                gc.unfreeze()
            gc.enable()
    COMPILED.append((what, time.process_time() - start))
    if _state["no folder"] and not _state["said"]:
        _state["said"] = True
        _print(f"braided: {NO_FOLDER}")


def _say(what: str, done: Event) -> None:
    start = time.process_time()
    while not done.wait(PATIENCE):
        if time.process_time() - start >= PATIENCE:  # and not just a busy machine
            once = "" if _state["no folder"] else ", once"
            _print(f"braided: compiling {what} for this machine{once} ...")
            return


def _print(line: str) -> None:
    if os.environ.get(QUIET) != "1" and sys.stderr is not None:
        print(line, file=sys.stderr, flush=True)

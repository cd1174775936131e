"""CtrlC: a training that is stopped by its user stops between two blocks."""

from __future__ import annotations

import os
import signal
import threading
from types import FrameType, TracebackType
from typing import Any

__all__ = ["CtrlC"]

_TOLD = b"\nstopping, and saving what was learned; Ctrl-C again stops at once\n"


class CtrlC:
    """Remembers the first Ctrl-C until ``check`` is called; a second one ends the program.

    Python raises KeyboardInterrupt anywhere in the main thread: in a step of learning that is half
    done, in compiled code that calls Python, or while it holds a lock for which the thread that
    reads ahead waits.
    """

    def __init__(self) -> None:
        self._is_asked = False
        self._before: Any = None

    def __enter__(self) -> CtrlC:
        if threading.current_thread() is threading.main_thread():  # no other may set a handler
            self._before = signal.signal(signal.SIGINT, self._ask)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)

    def check(self) -> None:
        """Stop here if the user asked for it.

        Raises
        ------
        KeyboardInterrupt
            If Ctrl-C was pressed.
        """
        if self._is_asked:
            raise KeyboardInterrupt

    def _ask(self, number: int, frame: FrameType | None) -> None:
        self._is_asked = True
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        # Not print: the signal may have come in the middle of one.
        os.write(2, _TOLD)

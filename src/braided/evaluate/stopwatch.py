"""The time that learning takes, without the time in which Numba compiles the kernels.

Which kernels a run needs is known to the run alone: some are asked for in its middle, as when the
third class turns up. So Numba itself says how long it was at work.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

from numba.core.entrypoints import init_all
from numba.core.event import install_timer

__all__ = ["Clock"]

COMPILING = "numba:compiler_lock"
"""What Numba calls the time in which it compiles a kernel or loads it from the disk."""


class Clock:
    """Adds up the seconds in which it runs."""

    def __init__(self) -> None:
        self.seconds = 0.0

    @contextmanager
    def running(self) -> Iterator[None]:
        """Count the time of what is done in this context.

        >>> clock = Clock()
        >>> with clock.running():
        ...     total = sum(range(1000))
        >>> 0 < clock.seconds < 1
        True
        """
        init_all()  # or Numba would look for extensions of itself when it first compiles
        start = perf_counter()
        with install_timer(COMPILING, self._leave_out):
            yield
        self.seconds += perf_counter() - start

    def _leave_out(self, seconds: float) -> None:
        self.seconds -= seconds

"""Stopwatch: the time that learning takes, without the time in which Numba compiles kernels.

Some kernels are first needed in the middle of a run, as when the third class is first seen. So they
can not be compiled beforehand; instead Numba's own events say how long it compiled.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

from numba.core.entrypoints import init_all
from numba.core.event import install_timer

__all__ = ["Clock"]

COMPILING = "numba:compiler_lock"
"""Numba's name for the time in which it compiles a kernel or loads it from disk."""


class Clock:
    """Adds up the seconds of the code that runs inside ``running``.

    Attributes
    ----------
    seconds : float
        The sum so far, without the time in which kernels were compiled.
    """

    def __init__(self) -> None:
        self.seconds = 0.0

    @contextmanager
    def running(self) -> Iterator[None]:
        """Count the time of the code in this context.

        Yields
        ------
        None
            Nothing.

        Examples
        --------
        >>> clock = Clock()
        >>> with clock.running():
        ...     total = sum(range(1000))
        >>> 0 < clock.seconds < 1
        True
        """
        init_all()  # else Numba would look for extensions of itself when it first compiles
        start = perf_counter()
        with install_timer(COMPILING, self._leave_out):
            yield
        self.seconds += perf_counter() - start

    def _leave_out(self, seconds: float) -> None:
        self.seconds -= seconds

"""Numba without SciPy's linear algebra, which no kernel uses.

When Numba makes itself ready it imports ``scipy.linalg.cython_blas`` to see whether it is there.
That takes a sixth of a warm start. SciPy is installed wherever Braided is, so the answer is known.
When linear algebra is compiled Numba imports the module again, and gets the real one.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType
from typing import Any

__all__ = ["blas_later"]

_BLAS = "scipy.linalg.cython_blas"


class _StandIn(ModuleType):
    """Stands for a module; whoever uses something of it gets that of the real one."""

    def __getattr__(self, name: str) -> Any:
        sys.modules.pop(self.__name__, None)
        return getattr(import_module(self.__name__), name)


@contextmanager
def blas_later() -> Iterator[None]:
    """Within this, Numba is told that BLAS is there without importing it."""
    if _BLAS in sys.modules:
        yield
        return
    stand_in = sys.modules[_BLAS] = _StandIn(_BLAS)
    try:
        yield
    finally:
        if sys.modules.get(_BLAS) is stand_in:
            del sys.modules[_BLAS]

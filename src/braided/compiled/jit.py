"""How Braided compiles, in one place, so that every kernel is compiled alike."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numba import njit
from numba.core.registry import CPUDispatcher
from numba.core.types.containers import BaseNamedTuple
from numpy.typing import NDArray

__all__ = [
    "INLINED",
    "OPTIONS",
    "Floats",
    "Index",
    "Ints",
    "Whole",
    "as_written",
    "cached",
    "compiled",
    "compiled_once",
    "include_source",
    "inlined",
    "kept_on_disk",
]

PACKAGE = Path(__file__).parents[1]

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]

Whole = Any
"""A whole number, be it Python's or one of NumPy's: compiled, they mix freely."""

Index = np.uint64
"""An index known not to be negative: Numba need not ask whether it counts from the end."""

Function = TypeVar("Function", bound=Callable[..., Any])

OPTIONS = {
    "nogil": True,  # threads may run beside a kernel
    "error_model": "numpy",  # division follows IEEE
    # Kernels allocate nothing, so they need not count references. Counting them for each array of
    # a state at each call would take longer than the arithmetic of a short row.
    "_nrt": False,
    # Nobody calls kernels from C. Entries that nobody uses take half of the time to compile, and
    # more memory than learning does.
    "no_cfunc_wrapper": True,
}

INLINED = {**OPTIONS, "forceinline": True, "no_cpython_wrapper": True}
"""For what is to be a part of its callers. A call hands over each array as seven numbers, which for
a few steps of work is dear, and for a state of many arrays dearer than to learn a short row."""


def compiled(function: Function) -> Function:
    """Compile a kernel when it is first called, into those who call it."""
    decorated: Function = njit(**OPTIONS)(function)
    return decorated


class _OnlyInlined(CPUDispatcher):  # type: ignore[misc]
    """A kernel without an entry for Python, which would crash if it tried."""

    def __call__(self, *args: Any) -> Any:
        raise TypeError(f"{self.__name__} is a part of other kernels: Python can not call it")


def inlined(function: Function) -> Function:
    """Compile a kernel as a part of those who call it, be it ever so long; Python can not."""
    decorated: Any = njit(**INLINED)(function)
    decorated.__class__ = _OnlyInlined
    kernel: Function = decorated
    return kernel


def as_written(kernel: Function) -> Function:
    """The function that a kernel is compiled from, for Python to call when little is to be done."""
    written: Function = kernel.py_func  # type: ignore[attr-defined]
    return written


LOOPS: list[Any] = []
"""All compiled loops, which are filed anew when kernels of another package come in."""

_OUTSIDE: dict[str, str] = {}  # files of other packages with kernels, and digests of them


def compiled_once(loop: Function) -> Function:
    """Compile a loop for each class of state, and find it again on disk in other processes.

    Numba's cache looks at the file of the loop alone: it would run a stale kernel when another
    file has changed, and stumble over a state whose class was moved. So the name that it files
    the loop under tells all sources that a kernel can use.
    """
    name = loop.__name__
    loop.__qualname__ = f"{name}_{_sources_digest()}"
    kept = kept_on_disk(loop, **OPTIONS)
    LOOPS.append(kept)
    return kept


def include_source(path: str) -> None:
    """File the loops under the source of a kernel as well that is not part of this package.

    Without a file (a notebook, a prompt) nobody can tell whether the kernel has changed, and loops
    are not kept on disk.
    """
    if Path(path).is_relative_to(PACKAGE) or path in _OUTSIDE:
        return
    if not Path(path).is_file():
        for loop in LOOPS:
            loop._cache.disable()
        return
    _OUTSIDE[path] = hashlib.sha256(Path(path).read_bytes()).hexdigest()
    for loop in LOOPS:
        loop.py_func.__qualname__ = f"{loop.__name__}_{_sources_digest()}"
        if loop._cache.cache_path is not None:  # else nothing can be kept on disk
            loop.enable_caching()
            loop._cache = _OfThisPackage(loop._cache)


def _sources_digest() -> str:
    """Of all sources that a learner's kernels can use."""
    digest = hashlib.sha256(_package_digest() + "".join(sorted(_OUTSIDE.values())).encode())
    return digest.hexdigest()[:16]


@lru_cache(maxsize=1)
def _package_digest() -> bytes:
    folders = (PACKAGE / "compiled", PACKAGE / "kernels", PACKAGE / "learners")
    digest = hashlib.sha256()
    for path in sorted(path for folder in folders for path in folder.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.digest()


def cached(function: Function) -> Function:
    """Compile a function that Python calls, once for all processes; it may allocate."""
    return kept_on_disk(function, nogil=True)


def kept_on_disk(function: Function, **options: Any) -> Function:
    """Compile a function, and keep it for other processes, if there is a place that may be written.

    Without one (a package that is read-only, of a user who has no home) Numba refuses to keep it;
    then each process compiles for itself.
    """
    try:
        kept: Any = njit(cache=True, **options)(function)
    except RuntimeError:
        kept = njit(**options)(function)
    else:
        kept._cache = _OfThisPackage(kept._cache)
    compiled_function: Function = kept
    return compiled_function


class _OfThisPackage:
    """Numba's cache on disk, which neither finds nor keeps what is compiled for outside classes.

    The index of a function's versions names their classes, and can not be read at all where one of
    them can not be imported: a state of a notebook, or of a package that was removed, would take
    the learners of this package with it. And nobody knows which files the kernels of another
    package use, so that one would still be run after it was changed.

    Parameters
    ----------
    cache : numba.core.caching.FunctionCache
        The cache of all versions.
    """

    def __init__(self, cache: Any) -> None:
        self._all = cache

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Find a version on disk; None if it is not there."""
        return self._all.load_overload(sig, target_context) if _is_ours(sig) else None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a version on disk."""
        if _is_ours(sig):
            self._all.save_overload(sig, data)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._all, name)


def _is_ours(types: Any) -> bool:
    """Whether all named tuples among these types of arguments are of this package."""
    package = __name__.partition(".")[0]
    for each in types:
        if isinstance(each, BaseNamedTuple):
            if each.instance_class.__module__.partition(".")[0] != package:
                return False
            if not _is_ours(each.types):
                return False
    return True

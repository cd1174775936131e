"""How Braided compiles with Numba: the same options for every kernel, and the cache on disk."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numba import njit
from numba.core.caching import NullCache
from numba.core.registry import CPUDispatcher
from numba.core.runtime import rtsys
from numba.core.types.containers import BaseNamedTuple
from numpy.typing import NDArray

from braided.compiled import notice, shipped
from braided.compiled.blas_later import blas_later
from braided.compiled.parts import PART, WHOLE

__all__ = [
    "INLINED",
    "OPTIONS",
    "Floats",
    "Index",
    "Ints",
    "Whole",
    "as_written",
    "cached",
    "cached_loop",
    "cached_parser",
    "compiled",
    "compiled_once",
    "include_source",
    "inlined",
    "kept_on_disk",
    "named_by_sources",
]

PACKAGE = Path(__file__).parents[1]

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]

Whole = Any
"""A whole number of Python or NumPy: in compiled code they can be mixed."""

Index = np.uint64
"""The type of an index that is not negative: Numba need not check whether it is."""

Function = TypeVar("Function", bound=Callable[..., Any])

OPTIONS = {
    "nogil": True,  # other threads can run during a kernel
    "error_model": "numpy",  # division follows IEEE
    # Kernels allocate nothing, so they need not count references. Counting those of all arrays of a
    # state at each call would take longer than the arithmetic of a short row.
    "_nrt": False,
    # Kernels are not called from C. Entry points that are not used would take half of the compile
    # time, and more memory than learning.
    "no_cfunc_wrapper": True,
}

_KERNEL = {**OPTIONS, **PART, "no_cpython_wrapper": True}

INLINED = {**_KERNEL, "forceinline": True}
"""Options of kernels that are inlined in their callers. A call passes each array as seven numbers,
which for a state of many arrays takes longer than to learn a short row."""


class _Kernel(CPUDispatcher):  # type: ignore[misc]
    """A kernel: what others compile in has no entry point for Python, so Python gets its own."""

    _for_python: Any = None

    def __call__(self, *args: Any) -> Any:
        if self._for_python is None:
            self._for_python = njit(**OPTIONS, **WHOLE)(self.py_func)
        return self._for_python(*args)


def compiled(function: Function) -> Function:
    """Compile a kernel when it is first called, by Python or by another kernel."""
    decorated: Any = njit(**_KERNEL)(function)
    decorated.__class__ = _Kernel
    kernel: Function = decorated
    return kernel


class _OnlyInlined(CPUDispatcher):  # type: ignore[misc]
    """A kernel that Python can not call: without an entry point for it, Python would crash."""

    def __call__(self, *args: Any) -> Any:
        raise TypeError(f"{self.__name__} is a part of other kernels: Python can not call it")


def inlined(function: Function) -> Function:
    """Compile a kernel that is always inlined in the kernels that call it; Python can not."""
    decorated: Any = njit(**INLINED)(function)
    decorated.__class__ = _OnlyInlined
    kernel: Function = decorated
    return kernel


def as_written(kernel: Function) -> Function:
    """Return the Python function of a kernel, for Python to call where little is computed."""
    written: Function = kernel.py_func  # type: ignore[attr-defined]
    return written


LOOPS: list[Any] = []
"""All compiled loops; their cache names change when kernels of another package are added."""

_OUTSIDE: dict[str, str] = {}  # files of other packages with kernels, and digests of them


def compiled_once(loop: Function) -> Function:
    """Compile a loop for each class of state, and cache it on disk for other processes.

    Numba's cache depends on the file of the loop only: it would run an old kernel after another
    file has changed, and fail for a state whose class was moved. So the name of the loop in the
    cache has a digest of all sources that kernels can use.
    """
    name = loop.__name__
    loop.__qualname__ = f"{name}_{_sources_digest()}"
    kept = kept_on_disk(loop, **OPTIONS)
    LOOPS.append(kept)
    return kept


def include_source(path: str) -> None:
    """Add the source of a kernel of another package to the digest of the loops.

    Without a file (a notebook, a prompt) it is not known whether the kernel has changed, so loops
    are not cached on disk.
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
            loop._cache = _OfThisPackage(loop._cache, loop.py_func)


def _sources_digest() -> str:
    """The digest of all sources that kernels of learners can use."""
    of_package = _digest_of("compiled", "kernels", "learners")
    digest = hashlib.sha256(of_package + "".join(sorted(_OUTSIDE.values())).encode())
    return digest.hexdigest()[:16]


@lru_cache(maxsize=4)
def _digest_of(*folders: str) -> bytes:
    """The digest of all sources in some folders of this package."""
    digest = hashlib.sha256()
    paths = (path for folder in folders for path in (PACKAGE / folder).rglob("*.py"))
    for path in sorted(paths):
        digest.update(path.read_bytes())
    return digest.digest()


def cached(function: Function) -> Function:
    """Compile a function that Python calls, and cache it on disk; it may allocate memory."""
    return kept_on_disk(function, nogil=True)


def cached_parser(function: Function) -> Function:
    """As ``cached``, for functions whose parts are in several files of readers and features."""
    return cached(named_by_sources(function))


def cached_loop(function: Function) -> Function:
    """As ``cached_parser``, for functions that allocate nothing: compiled with all ``OPTIONS``."""
    return kept_on_disk(named_by_sources(function), **OPTIONS)


def named_by_sources(function: Function) -> Function:
    """Let the cache name of a function depend on all files in which its parts may be."""
    digest = _digest_of("compiled", "features", "kernels", "learner", "readers").hex()[:16]
    function.__qualname__ = f"{function.__name__}_{digest}"
    return function


def kept_on_disk(function: Function, **options: Any) -> Function:
    """Compile a function, and cache it on disk if there is a folder that can be written.

    If there is none (a read-only package of a user without a home folder) Numba refuses to cache;
    then each process compiles for itself what does not come with the package.
    """
    try:
        kept: Any = njit(cache=True, **WHOLE, **options)(function)
    except RuntimeError:
        notice.no_folder()
        kept = njit(**WHOLE, **options)(function)
        kept._cache = _OfThisPackage(NullCache(), function)
    else:
        kept._cache = _OfThisPackage(kept._cache, function)
    compiled_function: Function = kept
    return compiled_function


SHIP_TO: list[Path] = []
"""Folders to which compiled code is written as well, by the tool that makes wheels."""


class _OfThisPackage:
    """Numba's cache on disk, without versions for state classes of other packages.

    The index of a function's versions names their classes, and can not be read if one of them can
    not be imported: a state of a notebook, or of a package that was removed, would break all
    learners of this package. And it is not known which files the kernels of another package use,
    so that an old version would run after they have changed.

    Parameters
    ----------
    cache : numba.core.caching.FunctionCache
        The cache of all versions.
    function : callable
        The function; versions that are not in the cache may have come with the package.
    """

    def __init__(self, cache: Any, function: Any) -> None:
        self._all = cache
        self._function = function
        self._enabled = True

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Find a version on disk; None if there is none."""
        # Numba would make itself ready to compile, which takes longer than all else of a warm
        # start; to run what was compiled it needs its functions for memory only.
        rtsys.initialize(target_context)
        found = None
        if self._enabled and _is_ours(sig):
            load = getattr(self._all, "_load_overload", self._all.load_overload)
            found = load(sig, target_context)
            found = found or shipped.load(self._function, sig, target_context)
        if found is None:
            with blas_later():
                target_context.refresh()
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        """Write a version to disk."""
        if not self._enabled or not _is_ours(sig):
            return
        for folder in SHIP_TO:
            shipped.save(self._function, sig, data, folder)
        try:
            self._all.save_overload(sig, data)
        except OSError:  # the disk is full, or the folder was closed meanwhile
            notice.no_folder()

    def disable(self) -> None:
        """Neither look for versions on disk nor write any."""
        self._enabled = False

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

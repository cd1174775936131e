"""Compiled code that comes with the package, in wheels that were built for one platform.

``tools/kernels.py`` compiles for a CPU that most machines are at least as good as, and the wheel
has the result in a folder of this package, with a manifest: what it was compiled by, and what it
needs of the CPU. If the manifest fits, a function that is not in the user's own cache is taken from
there. Results are the same to the last bit: without "fast math" LLVM neither reorders sums nor
fuses multiplications, whatever the CPU can do.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import os
import sys
from functools import lru_cache
from pathlib import Path
from typing import Any

import llvmlite
import llvmlite.binding as llvm
import numba
from numba.core import config
from numba.core.caching import CompileResultCacheImpl, IndexDataCacheFile

__all__ = ["FOLDER", "MANIFEST", "OFF", "can_run", "compiled_by", "load", "save"]

FOLDER = Path(__file__).parent / "shipped_kernels"
MANIFEST = "manifest.json"

OFF = "BRAIDED_SHIPPED_KERNELS"
"""The environment variable that, set to 0, lets everything be compiled for this very CPU."""


class _Format(CompileResultCacheImpl):  # type: ignore[misc]
    """How Numba's cache writes compiled code, without a folder of its own."""

    def __init__(self) -> None:
        pass


def compiled_by() -> dict[str, Any]:
    """What must be the same where code is compiled and where it runs."""
    return {
        "numba": numba.__version__,
        "llvmlite": llvmlite.__version__,
        "python": sys.implementation.cache_tag,
        "platform": llvm.get_process_triple(),
        "svml": bool(config.USING_SVML),  # Intel's functions round differently
    }


def load(function: Any, types: Any, context: Any) -> Any:
    """Find a version of a function for arguments of some types; None if there is none."""
    if not can_run(FOLDER):
        return None
    payload = _file_of(function, FOLDER).load(types)
    return None if payload is None else _Format().rebuild(context, payload)


def save(function: Any, types: Any, result: Any, folder: Path) -> None:
    """Write a version of a function."""
    _file_of(function, folder).save(types, _Format().reduce(result))


@lru_cache(maxsize=1)
def can_run(folder: Path) -> bool:
    """Whether the code in the folder can run here."""
    if os.environ.get(OFF) == "0" or config.CPU_NAME is not None:
        return False
    try:
        manifest = json.loads((folder / MANIFEST).read_bytes())
    except FileNotFoundError:
        return False
    here = llvm.get_host_cpu_features()
    needs = manifest.pop("needs")
    return manifest == compiled_by() and all(here.get(feature) for feature in needs)


def _file_of(function: Any, folder: Path) -> Any:
    """The versions of a function.

    As in Numba's own cache, they are valid for the same source file; the names of functions with
    parts in other files have a digest of those (``jit.compiled_once``).
    """
    stamp = hashlib.sha256(Path(inspect.getfile(function)).read_bytes()).hexdigest()
    line = function.__code__.co_firstlineno
    name = f"{function.__module__.partition('.')[2]}.{function.__qualname__}-{line}"
    return IndexDataCacheFile(str(folder), name.replace("<", "").replace(">", ""), stamp)

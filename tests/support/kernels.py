"""Kernels by themselves."""

from __future__ import annotations

from typing import Any

from numba import njit

from braided.compiled.jit import OPTIONS

__all__ = ["from_python"]


def from_python(kernel: Any) -> Any:
    """A kernel that is otherwise only a part of others, with an entry for Python."""
    return njit(**OPTIONS)(kernel.py_func)

"""Packages that only pictures need: imported when asked for, missed in words."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from braided.errors import InputError

__all__ = ["needed"]


def needed(module: str, purpose: str) -> Any:
    """A module of the extra ``report``; if it is not installed, the error says how to get it."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        package = module.partition(".")[0]
        if error.name is None or error.name.partition(".")[0] != package:
            raise  # the package is there, and something else is wrong
        raise InputError(
            f"{purpose} needs {package}, which is not installed; "
            'install it with: pip install "braided[report]"'
        ) from None

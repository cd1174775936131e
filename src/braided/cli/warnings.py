"""Warnings as lines for people to read, each shown once; the report has them, too."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Mapping
from typing import Any

from braided.cli.errors import one_line
from braided.errors import DataWarning, InputError

__all__ = ["WARNINGS", "show_warnings"]

WARNINGS: list[str] = []
"""The warnings that were shown, in their order."""


def show_warnings(flags: Mapping[str, str]) -> None:
    """Show warnings about data as single lines on standard error, each once.

    Parameters
    ----------
    flags : mapping
        The flag of each argument of the command that runs.
    """
    WARNINGS.clear()
    usual = warnings.showwarning

    def show(message: Any, category: Any, *place: Any, **more: Any) -> None:
        if not issubclass(category, DataWarning):
            usual(message, category, *place, **more)
            return
        line = one_line(InputError(str(message)), flags)
        if line not in WARNINGS:
            WARNINGS.append(line)
            print(f"warning: {line}", file=sys.stderr)

    warnings.showwarning = show
    warnings.simplefilter("always", DataWarning)

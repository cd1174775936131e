"""Entries that are in their tables for a while."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from braided import registry


@contextmanager
def registered(*entries: Any) -> Iterator[None]:
    """Register entries, and take them out again."""
    added = []
    try:
        for entry in entries:
            registry.register(entry)
            added.append(entry)
        yield
    finally:
        for entry in added:
            registry.table_of(entry).remove(entry.name)

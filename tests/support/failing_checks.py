"""Which checks fail."""

from __future__ import annotations

from collections.abc import Iterable
from unittest import SkipTest

from braided.checks import BrokenPromiseError, Check


def failing(checks: Iterable[Check]) -> dict[str, str]:
    """The checks that find something broken, and what they say."""
    found = {}
    for check in checks:
        try:
            check()
        except BrokenPromiseError as error:
            found[check.name] = str(error)
        except SkipTest:
            pass
    return found

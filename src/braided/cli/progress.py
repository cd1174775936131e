"""A bar while something runs, for a person at a terminal only."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["progress_bar"]


@contextmanager
def progress_bar(what: str, total: int) -> Iterator[Callable[[int], object] | None]:
    """A function that moves the bar on by so many of the total; None if nobody watches.

    The bar is drawn on stderr, so that results on stdout can be piped, and leaves no trace.
    """
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(escape(what), total=total)
        yield lambda rows: bar.advance(task, rows)

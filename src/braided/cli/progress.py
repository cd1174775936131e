"""A bar while something runs, for a person at a terminal only."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from rich.progress import Task

__all__ = ["Advance", "progress_bar"]


class Advance(Protocol):
    """Moves the bar on by so many of the total; with the error rate so far, if it is known."""

    def __call__(self, done: int, error: float | None = None, /) -> object:
        """Move on."""
        ...


@contextmanager
def progress_bar(what: str, total: int | None, unit: str = "rows") -> Iterator[Advance | None]:
    """Draw a bar on stderr, if that is a terminal; it is gone when the work is done.

    It shows how many units are done in a second, and the error rate so far.

    Parameters
    ----------
    what : str
        What is done.
    total : int or None
        How many units there are, if that is known.
    unit : str, default "rows"
        What is counted.

    Yields
    ------
    Advance or None
        A function that moves the bar on; None if nobody watches.
    """
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, Progress, ProgressColumn, TextColumn, TimeRemainingColumn
    from rich.text import Text

    class Pace(ProgressColumn):
        """The rate, and the running error."""

        def render(self, task: Task) -> Text:
            return Text(_pace(task.finished_speed or task.speed, task.fields["error"], unit))

    columns = [
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f}%"),
        TimeRemainingColumn(),
        Pace(),
    ]
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(escape(what), total=total, error=None)
        yield lambda done, error=None, /: bar.update(task, advance=done, error=error)


def _pace(speed: float | None, error: float | None, unit: str) -> str:
    """The rate and the error in words.

    >>> _pace(12345.6, 0.0789, "rows")
    '12,346 rows/s, 7.9% wrong'
    >>> _pace(0.25, None, "runs")
    '0.25 runs/s'
    """
    digits = 0 if speed is None or speed >= 10 else 2
    parts = [] if speed is None else [f"{speed:,.{digits}f} {unit}/s"]
    if error is not None and error == error:
        parts.append(f"{error:.1%} wrong")
    return ", ".join(parts)

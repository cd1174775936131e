"""Work shared by several processes: the results are in order, and the same as from one process."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any, TypeVar

__all__ = ["map_in_processes"]

Part = TypeVar("Part")
Done = TypeVar("Done")


def map_in_processes(
    work: Callable[[Part], Done], parts: Sequence[Part], jobs: int, together: int = 1
) -> Iterator[Done]:
    """Call ``work(part)`` for each part, by several processes.

    Parameters
    ----------
    work : callable
        The function; it must be picklable where processes are not forked.
    parts : sequence
        Its arguments.
    jobs : int, at least 1
        How many processes share the work.
    together : int, at least 1, default 1
        How many parts that follow one another a process takes at a time.

    Yields
    ------
    Any
        The results, in the order of the parts.

    Examples
    --------
    >>> list(map_in_processes(abs, [-1, 2, -3], jobs=1))
    [1, 2, 3]
    """
    if jobs == 1:
        yield from map(work, parts)
        return
    # A forked process has the data and all imports already; where there is no fork, it is sent.
    methods = multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context("fork" if "fork" in methods else None)
    with ProcessPoolExecutor(jobs, context, _begin, (work,)) as pool:
        yield from pool.map(_do, parts, chunksize=together)


_work: Callable[[Any], Any]


def _begin(work: Callable[[Any], Any]) -> None:
    global _work
    _work = work


def _do(part: Any) -> Any:
    return _work(part)

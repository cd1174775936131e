"""Work that several processes share, with the results in order and the same as from one."""

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
    """``work(part)`` for each part, in order, by so many processes.

    A process takes so many parts ``together`` that follow one another.

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

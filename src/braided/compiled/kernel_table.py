"""The table of kernels: which kernels belong to which class of state.

A learner is a state (a named tuple of arrays) and two kernels::

    score(state, params, indices, values) -> float
    update(state, params, indices, values, square, label, score, weight) -> None

and a third one, ``room(state, indices) -> bool``, if a row may need more room than one place for
each column: if it returns False, the loop stops so that Python can make the arrays larger.

``score`` changes nothing. ``update`` gets the score and the row's squared length, so that they need
not be computed again. The loop counts: every state has ``rounds`` and ``seen`` (features seen so
far), without the present row while it is scored, and with it while it is learned.

With many classes, ``score`` returns ``(scores, since)``, two arrays of the state: the score of each
class, and the round before the first in which it is known. The result then has a column for each
class, which is not written while the class is not known.

Compiled loops call the generic functions below; Numba resolves them by the class of the state, so
that kernels are inlined and the compiled loop is found in Numba's cache on disk. With kernels as
arguments or in closures, every process would have to compile.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numba.extending import overload
from numpy.typing import NDArray

from braided.compiled.jit import INLINED, Floats, Ints

__all__ = ["OfClasses", "has_room", "register", "score_row", "update_row", "write_score"]

OfClasses = tuple[Floats, NDArray[np.int64]]


class _Kernels(NamedTuple):
    score: Callable[..., float | OfClasses]
    update: Callable[..., None]
    room: Callable[..., bool] | None


_KERNELS: dict[type, _Kernels] = {}


def register(
    state: type,
    *,
    score: Callable[..., float | OfClasses],
    update: Callable[..., None],
    room: Callable[..., bool] | None = None,
) -> None:
    """Register the kernels of a class of state.

    Parameters
    ----------
    state : type
        The class, a named tuple.
    score : kernel
        The kernel that scores a row.
    update : kernel
        The kernel that learns a row.
    room : kernel, optional
        The kernel that says whether there is room to learn a row.
    """
    _KERNELS[state] = _Kernels(score, update, room)


def score_row(state: Any, params: Any, indices: Ints, values: Floats) -> float:
    """Return the score of a row."""
    raise NotImplementedError("resolved when compiled")


def update_row(
    state: Any,
    params: Any,
    indices: Ints,
    values: Floats,
    square: float,
    label: float,
    score: float,
    weight: float,
) -> None:
    """Learn a row."""
    raise NotImplementedError("resolved when compiled")


def has_room(state: Any, indices: Ints) -> bool:
    """Return whether there is room to learn a row."""
    raise NotImplementedError("resolved when compiled")


def write_score(state: Any, scores: Floats, row: int, score: Any) -> None:
    """Write the score of a row, or the scores of its classes."""
    raise NotImplementedError("resolved when compiled")


def _resolve_score(state, params, indices, values):  # type: ignore[no-untyped-def]
    kernel = _KERNELS[state.instance_class].score
    return lambda state, params, indices, values: kernel(state, params, indices, values)


def _resolve_update(  # type: ignore[no-untyped-def]
    state, params, indices, values, square, label, score, weight
):
    kernel = _KERNELS[state.instance_class].update
    return lambda state, params, indices, values, square, label, score, weight: kernel(
        state, params, indices, values, square, label, score, weight
    )


def _resolve_room(state, indices):  # type: ignore[no-untyped-def]
    kernel = _KERNELS[state.instance_class].room
    if kernel is None:
        return lambda state, indices: True
    return lambda state, indices: kernel(state, indices)


def _resolve_write(state, scores, row, score):  # type: ignore[no-untyped-def]
    def one(state, scores, row, score):  # type: ignore[no-untyped-def]
        scores[row] = score

    def each(state, scores, row, score):  # type: ignore[no-untyped-def]
        of_class, since = score
        for number in range(min(scores.shape[1], since.size)):
            if since[number] < state.rounds[0]:
                scores[row, number] = of_class[number]

    return each if scores.ndim == 2 else one


overload(score_row, jit_options=INLINED)(_resolve_score)
overload(update_row, jit_options=INLINED)(_resolve_update)
overload(has_room, jit_options=INLINED)(_resolve_room)
overload(write_score, jit_options=INLINED)(_resolve_write)

"""The compiled driver: runs any learner over rows, from its two kernels.

A learner is a state (a named tuple of arrays) and two kernels::

    score(state, params, indices, values) -> float
    update(state, params, indices, values, square, label, score, weight) -> None

and a third one, ``room(state, indices) -> bool``, if learning a row may need more room than its
columns take: where there is none, the loop stops for Python to make some.

``score`` changes nothing. ``update`` is told the score and the row's squared length, so that
they need not be computed again. The driver counts: every state has ``rounds`` and ``seen``
(features seen so far), which are those before the row while it is scored, and include the row
while it is learned.

The loops below call the generic ``_score`` and ``_update``; Numba resolves them by the class of
the state (``register`` says which kernels belong to it), so that they are inlined and the
compiled loop is found again in Numba's disk cache. Handing kernels over as arguments or closing
over them would compile anew in every process.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numba import typeof
from numba.extending import overload
from numpy.typing import NDArray

from braided.kernels.compiled import INLINED, OPTIONS, Floats, Ints, kept_on_disk
from braided.kernels.vector import squared_norm, usable

__all__ = [
    "compiled_once",
    "interleave_rows",
    "label_rows",
    "learn_rows",
    "register",
    "score_rows",
    "specialised",
]


Loop = TypeVar("Loop", bound=Callable[..., int])


class _Kernels(NamedTuple):
    score: Callable[..., float]
    update: Callable[..., None]
    room: Callable[..., bool] | None


_KERNELS: dict[type, _Kernels] = {}


def register(
    state: type,
    *,
    score: Callable[..., float],
    update: Callable[..., None],
    room: Callable[..., bool] | None = None,
) -> None:
    """Say which kernels work on this class of state."""
    _KERNELS[state] = _Kernels(score, update, room)


def _score(state: Any, params: Any, indices: Ints, values: Floats) -> float:
    raise NotImplementedError("resolved when compiled")


def _update(
    state: Any,
    params: Any,
    indices: Ints,
    values: Floats,
    square: float,
    label: float,
    score: float,
    weight: float,
) -> None:
    raise NotImplementedError("resolved when compiled")


def _room(state: Any, indices: Ints) -> bool:
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


overload(_score, jit_options=INLINED)(_resolve_score)
overload(_update, jit_options=INLINED)(_resolve_update)
overload(_room, jit_options=INLINED)(_resolve_room)


def _sources_digest() -> str:
    """Of all that a learner's kernels can use: this folder's files, the learners, the kernels."""
    here = Path(__file__).parent
    folders = [
        here.glob("*.py"),
        (here / "learners").rglob("*.py"),
        (here / "kernels").rglob("*.py"),
    ]
    digest = hashlib.sha256()
    for path in sorted(path for folder in folders for path in folder):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


_DIGEST = _sources_digest()


def compiled_once(loop: Loop) -> Loop:
    """Compile a loop for each class of state, and find it again on disk in other processes.

    Numba's cache looks at the file of the loop alone: it would run a stale kernel when another
    file has changed, and stumble over a state whose class was moved. So the name that it files
    the loop under tells all sources that a kernel can use.
    """
    loop.__qualname__ = f"{loop.__name__}_{_DIGEST}"
    return kept_on_disk(loop, **OPTIONS)


@compiled_once
def learn_rows(
    state: Any,
    params: Any,
    indptr: NDArray[np.int64],
    indices: Ints,
    values: Floats,
    labels: Floats,
    weights: Floats,
    scores: Floats,
) -> int:
    """Score, then learn, each row; how many, should one be not allowed or find no room."""
    for row in range(labels.size):
        start, stop = indptr[row], indptr[row + 1]
        row_indices, row_values = indices[start:stop], values[start:stop]
        square = squared_norm(row_values)
        if not usable(row_values, square) or not _room(state, row_indices):
            return row
        score = _score(state, params, row_indices, row_values)
        scores[row] = score
        last = np.int32(-1)  # of the indices' own type, so that many are compared at a time
        for column in row_indices:
            last = max(last, column)
        state.seen[0] = max(state.seen[0], last + 1)
        state.rounds[0] += 1
        label, weight = labels[row], weights[row]
        _update(state, params, row_indices, row_values, square, label, score, weight)
    return labels.size


@compiled_once
def score_rows(
    state: Any,
    params: Any,
    indptr: NDArray[np.int64],
    indices: Ints,
    values: Floats,
    scores: Floats,
) -> int:
    """Score each row; how many, should one be beyond what is allowed."""
    for row in range(scores.size):
        start, stop = indptr[row], indptr[row + 1]
        row_values = values[start:stop]
        if not usable(row_values, squared_norm(row_values)):
            return row
        scores[row] = _score(state, params, indices[start:stop], row_values)
    return scores.size


@compiled_once
def interleave_rows(
    state: Any,
    params: Any,
    indptr: NDArray[np.int64],
    indices: Ints,
    values: Floats,
    scores: Floats,
    due: NDArray[np.int64],
    learned_indptr: NDArray[np.int64],
    learned_indices: Ints,
    learned_values: Floats,
    labels: Floats,
    weights: Floats,
    learned_scores: Floats,
) -> int:
    """Score each row; after row t, learn of the other rows until ``due[t]`` of them are learned.

    How many rows were scored, should one of either kind be beyond what is allowed.
    """
    learned = 0
    for row in range(scores.size):
        start, stop = indptr[row], indptr[row + 1]
        row_values = values[start:stop]
        if not usable(row_values, squared_norm(row_values)):
            return row
        scores[row] = _score(state, params, indices[start:stop], row_values)
        until = due[row]
        if until > learned:
            done = learn_rows(
                state,
                params,
                learned_indptr[learned : until + 1],
                learned_indices,
                learned_values,
                labels[learned:until],
                weights[learned:until],
                learned_scores[learned:until],
            )
            if done < until - learned:
                return row
            learned = until
    return scores.size


@compiled_once
def label_rows(
    state: Any,
    params: Any,
    indptr: NDArray[np.int64],
    indices: Ints,
    values: Floats,
    labels: Floats,
    weights: Floats,
    scores: Floats,
    confidence: float,
) -> int:
    """As ``learn_rows``, but where a label is 0, write there the one that the score speaks for.

    If the score is smaller than ``confidence`` the label stays 0 and the row is not learned: it
    is no round, and all that is known of it is that its features were seen.
    """
    for row in range(labels.size):
        if labels[row] == 0.0:
            start, stop = indptr[row], indptr[row + 1]
            row_indices, row_values = indices[start:stop], values[start:stop]
            if not usable(row_values, squared_norm(row_values)):
                return row
            score = _score(state, params, row_indices, row_values)
            if not abs(score) >= confidence:
                scores[row] = score
                for column in row_indices:
                    state.seen[0] = max(state.seen[0], column + 1)
                continue
            labels[row] = 1.0 if score > 0.0 else -1.0
        done = learn_rows(
            state,
            params,
            indptr[row : row + 2],
            indices,
            values,
            labels[row : row + 1],
            weights[row : row + 1],
            scores[row : row + 1],
        )
        if done < 1:
            return row
    return labels.size


def specialised(function: Any, *arguments: Any) -> Callable[..., int]:
    """The function compiled for arguments of these types, to be called with no others.

    It skips Numba's search for the version of these types, which for a named tuple of arrays
    takes longer than to learn a short row.
    """
    entry: Callable[..., int] = function.compile(tuple(map(typeof, arguments)))
    return entry

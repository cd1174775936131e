"""The compiled loops: they score and learn rows with the kernels of any learner."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from braided.compiled.jit import Floats, Ints, compiled_once
from braided.compiled.kernel_table import has_room, score_row, update_row, write_score
from braided.kernels.numerics import squared_norm, usable

__all__ = [
    "interleave_rows",
    "label_rows",
    "learn_rows",
    "score_rows",
]


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
    """Score each row, then learn it; return how many, fewer if one is not usable."""
    for row in range(labels.size):
        start, stop = indptr[row], indptr[row + 1]
        row_indices, row_values = indices[start:stop], values[start:stop]
        square = squared_norm(row_values)
        if not usable(row_values, square) or not has_room(state, row_indices):
            return row
        score = score_row(state, params, row_indices, row_values)
        write_score(state, scores, row, score)
        last = np.int32(-1)  # of the indices' own type, so that many are compared at a time
        for column in row_indices:
            last = max(last, column)
        state.seen[0] = max(state.seen[0], last + 1)
        state.rounds[0] += 1
        label, weight = labels[row], weights[row]
        update_row(state, params, row_indices, row_values, square, label, score, weight)
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
    """Score each row; return how many, fewer if a row is not usable."""
    for row in range(len(scores)):
        start, stop = indptr[row], indptr[row + 1]
        row_values = values[start:stop]
        if not usable(row_values, squared_norm(row_values)):
            return row
        write_score(state, scores, row, score_row(state, params, indices[start:stop], row_values))
    return len(scores)


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
    """Score each row; after row t, learn other rows until ``due[t]`` of them are learned.

    Returns how many rows were scored, fewer if a row of either kind is not usable or needs room.
    """
    learned = 0
    for row in range(scores.size):
        start, stop = indptr[row], indptr[row + 1]
        row_values = values[start:stop]
        if not usable(row_values, squared_norm(row_values)):
            return row
        scores[row] = score_row(state, params, indices[start:stop], row_values)
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
    """Learn as ``learn_rows``, but replace a label that is NaN by the predicted one.

    If the score is smaller than ``confidence`` the label stays NaN and the row is not learned: it
    is no round, but its features count as seen.
    """
    for row in range(labels.size):
        if np.isnan(labels[row]):
            start, stop = indptr[row], indptr[row + 1]
            row_indices, row_values = indices[start:stop], values[start:stop]
            if not usable(row_values, squared_norm(row_values)):
                return row
            score = score_row(state, params, row_indices, row_values)
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

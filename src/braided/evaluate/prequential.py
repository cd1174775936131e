"""Prequential evaluation: every row is first predicted, then learned."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from braided.evaluate.delayed_labels import Pass
from braided.evaluate.label_signs import CodedRounds
from braided.evaluate.metrics.by_name import Metric, chosen_entries
from braided.evaluate.result import Result
from braided.evaluate.snapshots import Observer, Snapshot, take_snapshot
from braided.learner.learner import Learner
from braided.parameters import check_whole
from braided.rows.rows import Rows
from braided.streams.stream import Stream

__all__ = ["Blocks", "Progress", "block_size", "prequential"]

ROWS_AT_A_TIME = 8192
"""Rows of a block, if it is not known how long the rows of the stream are."""

VALUES_AT_A_TIME, VALUES_WITH_PROGRESS = 1 << 24, 1 << 19
"""Values of a block: many, since one large piece of memory costs less than many small ones; fewer
with a progress bar, which moves after each block."""

Progress = Callable[[int, float], object]
"""Called after each block with the number of its rows, and the error rate of the run so far."""


class Blocks(Protocol):
    """What an evaluation needs of a stream: labelled rows, in blocks."""

    def blocks(self, size: int) -> Iterator[Rows]:
        """Return the rows in order, in blocks of this size."""
        ...


def prequential(
    model: Learner,
    stream: Blocks,
    *,
    metrics: Sequence[Metric] | None = None,
    every: int | None = None,
    delay: int = 0,
    block: int | None = None,
    progress: Progress | None = None,
    observe: Observer | None = None,
) -> Result:
    """Predict each row of a stream, then learn it.

    A row whose label is None or NaN is predicted only; it is a round, but counts in no metric.

    Parameters
    ----------
    model : Learner
        The model; it goes on from what it has learned before, if anything.
    stream : Stream, Reader or any object with ``blocks(size)``
        The stream.
    metrics : sequence of str or callable, optional
        The metrics in ``Result.metric_values``: names, or functions of signs and scores. All that
        apply if left out. ``Result.metric`` computes others later.
    every : int, at least 1, optional
        After how many rounds a snapshot is taken; only at the end if left out.
    delay : int, at least 0, default 0
        How many rounds late labels come: the label of round t is known, and its row learned, after
        round ``t + delay`` was predicted. Rows whose labels are not known when the stream ends are
        not learned.
    block : int, at least 1, optional
        How many rows are learned at a time; it changes nothing but the speed. If left out, as many
        as hold 16 million values.
    progress : callable, optional
        Called after each block with the number of its rows, and the error rate so far.
    observe : callable, optional
        Called with the model and the snapshot, whenever one is taken.

    Returns
    -------
    Result
        Scores and labels of all rounds, from which every metric follows.

    Raises
    ------
    InputError
        If an argument is not allowed, or a row can not be learned.

    Examples
    --------
    >>> from braided import OLSF, datasets, streams
    >>> german = datasets.load("german")
    >>> stream = streams.given(german.X, german.y)
    >>> result = prequential(OLSF(), stream)
    >>> result.rounds, result.error_rate < 0.5
    (1000, True)
    >>> model = OLSF()
    >>> late = prequential(model, stream, delay=100, metrics=["auc", "kappa"])
    >>> late.rounds, model.rounds, list(late.metric_values)
    (1000, 900, ['auc', 'kappa'])
    """
    size = block_size(stream, block, progress)
    check_whole("delay", delay, 0)
    chosen_entries(metrics)  # refuses what is no metric
    if every is not None:
        check_whole("every", every, 1)
    coded = CodedRounds(model)
    run = Pass(model, coded, int(delay))
    observed: list[NDArray[np.int64]] = []
    snapshots: list[Snapshot] = []
    for rows in coded.pieces(_cut(stream.blocks(size), every)):
        assert rows.labels is not None
        block_signs, labelled = coded.coding.signs(rows.labels, run.rounds)
        block_scores = run.scores(rows, labelled)
        coded.signs.append(block_signs)
        coded.scores.append(block_scores)
        observed.append(np.diff(rows.indptr))
        if every is not None and run.rounds % every == 0:
            snapshots.append(take_snapshot(model, run.rounds, run.seconds, observe))
        if progress is not None:
            coded.errors_so_far.add(block_signs, block_scores)
            progress(len(rows), coded.errors_so_far.error_rate)
    if not snapshots or snapshots[-1].round < run.rounds:
        snapshots.append(take_snapshot(model, run.rounds, run.seconds, observe))
    all_signs, all_scores = _joined(coded.signs, np.float64), _joined(coded.scores, np.float64)
    if (orientation := coded.coding.orientation) != 1.0:
        all_signs, all_scores = all_signs * orientation, all_scores * orientation
    return coded.coding.result(
        all_signs,
        all_scores,
        tuple(snapshots),
        _joined(observed, np.int64),
        run.delay,
        None if metrics is None else tuple(metrics),
        log_odds=coded.coding.log_odds(model),
        classes=coded.coding.classes,
    )


def _joined(parts: list[NDArray[Any]], dtype: type) -> NDArray[Any]:
    """The parts in one array; a single one is not copied."""
    return parts[0] if len(parts) == 1 else np.concatenate([np.empty(0, dtype), *parts])


def block_size(stream: Blocks, block: int | None, progress: Progress | None) -> int:
    """Return the chosen number of rows of a block, or one that suits the stream."""
    if block is not None:
        check_whole("block", block, 1)
        return block
    if not isinstance(stream, Stream) or not len(stream):
        return ROWS_AT_A_TIME
    values = VALUES_AT_A_TIME if progress is None else VALUES_WITH_PROGRESS
    return max(1, values * len(stream) // max(1, stream.rows.values.size))


def _cut(blocks: Iterator[Rows], every: int | None) -> Iterator[Rows]:
    """The blocks, cut where snapshots are taken."""
    done = 0
    for rows in blocks:
        while every is not None and len(rows) > every - done % every:
            left = every - done % every
            yield rows[:left]
            rows, done = rows[left:], done + left
        yield rows
        done += len(rows)

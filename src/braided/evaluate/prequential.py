"""Prequential evaluation: every row is first predicted, then learned."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from braided.errors import InputError
from braided.evaluate.delayed_labels import Pass
from braided.evaluate.label_signs import label_signs_of
from braided.evaluate.metrics.by_name import Metric, chosen_entries
from braided.evaluate.result import Result
from braided.evaluate.snapshots import Observer, Snapshot, take_snapshot
from braided.learner.learner import Learner
from braided.parameters import check_whole
from braided.rows.rows import Rows
from braided.streams.stream import Stream

__all__ = ["Blocks", "Progress", "block_size", "prequential"]

BLOCK = 8192
"""Rows handed over at a time, of a stream that does not tell how long its rows are."""

VALUES, VALUES_WATCHED = 1 << 24, 1 << 19
"""Values handed over at a time: many, since memory that is asked for in pieces costs more than
one that is asked for at once; fewer while somebody watches a bar."""

Progress = Callable[[int, float], object]
"""Told after each block how many rows it had, and the error rate of the run so far."""


class Blocks(Protocol):
    """What is asked of a stream: its labelled rows, so many at a time."""

    def blocks(self, size: int) -> Iterator[Rows]:
        """The rows in order, in blocks of this size."""
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
    """Run a model over a stream: every row is predicted, then learned.

    A row whose label is None or NaN is predicted only; it is a round, but counts in no metric.

    Parameters
    ----------
    model
        goes on from what it has learned before, if anything.
    stream
        one of ``braided.streams``, or anything with ``blocks(size)``.
    metrics
        what ``Result.metric_values`` shows: names, or functions of signs and scores. Every
        metric can also be asked for later, by ``Result.metric``.
    every
        after how many rounds a snapshot is taken; by default only at the end.
    delay
        how many rounds late labels come: that of round t is known, and its row learned, after
        round ``t + delay`` was predicted. Rows that still wait in the end are not learned, since
        the stream has ended before their labels came.
    block
        how many rows are handed over at a time; it changes nothing but the speed. By default so
        many that they hold 16 million values.
    progress
        called after each block with the number of its rows, and the error rate so far.
    observe
        called with the model and the snapshot, whenever one is taken.

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
    chosen_entries(metrics)  # refuses what is none
    if every is not None:
        check_whole("every", every, 1)
    label_signs = label_signs_of(model)
    run = Pass(model, label_signs, int(delay))
    signs: list[NDArray[np.float64]] = []
    scores: list[NDArray[np.float64]] = []
    observed: list[NDArray[np.int64]] = []
    snapshots: list[Snapshot] = []
    errors_so_far = label_signs.errors_so_far()
    for rows in _cut(stream.blocks(size), every):
        if rows.labels is None:
            raise InputError("rows to be evaluated need labels (None where one is not known)")
        block_signs, labelled = label_signs.signs(rows.labels, run.rounds)
        block_scores = run.scores(rows, labelled)
        signs.append(block_signs)
        scores.append(block_scores)
        observed.append(np.diff(rows.indptr))
        if every is not None and run.rounds % every == 0:
            snapshots.append(take_snapshot(model, run.rounds, run.seconds, observe))
        if progress is not None:
            errors_so_far.add(block_signs, block_scores)
            progress(len(rows), errors_so_far.error_rate)
    if not snapshots or snapshots[-1].round < run.rounds:
        snapshots.append(take_snapshot(model, run.rounds, run.seconds, observe))
    all_signs, all_scores = _joined(signs, np.float64), _joined(scores, np.float64)
    if (orientation := label_signs.orientation) != 1.0:
        all_signs, all_scores = all_signs * orientation, all_scores * orientation
    return label_signs.result(
        all_signs,
        all_scores,
        tuple(snapshots),
        _joined(observed, np.int64),
        run.delay,
        None if metrics is None else tuple(metrics),
        log_odds=label_signs.log_odds(model),
    )


def _joined(parts: list[NDArray[Any]], dtype: type) -> NDArray[Any]:
    """The parts in one array; a single one is not copied."""
    return parts[0] if len(parts) == 1 else np.concatenate([np.empty(0, dtype), *parts])


def block_size(stream: Blocks, block: int | None, progress: Progress | None) -> int:
    """The block that was asked for, or one that suits the stream."""
    if block is not None:
        check_whole("block", block, 1)
        return block
    if not isinstance(stream, Stream) or not len(stream):
        return BLOCK
    values = VALUES if progress is None else VALUES_WATCHED
    return max(1, values * len(stream) // max(1, stream.rows.values.size))


def _cut(blocks: Iterator[Rows], every: int | None) -> Iterator[Rows]:
    """The blocks, cut so that none reaches beyond a snapshot."""
    done = 0
    for rows in blocks:
        while every is not None and len(rows) > every - done % every:
            left = every - done % every
            yield rows[:left]
            rows, done = rows[left:], done + left
        yield rows
        done += len(rows)

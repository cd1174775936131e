"""Holdout evaluation: learn the first rounds, then predict the others with a frozen model."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from braided.evaluate.label_signs import CodedRounds
from braided.evaluate.metrics.by_name import Metric, chosen_entries
from braided.evaluate.prequential import Progress, block_size
from braided.evaluate.result import Result
from braided.evaluate.snapshots import Observer, take_snapshot
from braided.evaluate.stopwatch import Clock
from braided.learner.learner import Learner
from braided.parameters import check_share
from braided.streams.stream import Stream

__all__ = ["hold_out_after", "holdout"]


def holdout(
    model: Learner,
    stream: Stream,
    *,
    share: float = 0.5,
    metrics: Sequence[Metric] | None = None,
    block: int | None = None,
    progress: Progress | None = None,
    observe: Observer | None = None,
) -> Result:
    """Learn the first part of a stream, then predict the rest without learning it.

    Rows without a label are neither learned nor counted. The baselines stop learning at the same
    round: they know the labels of the first part only.

    Parameters
    ----------
    model : Learner
        The model; it goes on from what it has learned before, if anything.
    stream : Stream
        The stream.
    share : float, 0 to 1, default 0.5
        The share of the rounds that is learned.
    metrics : sequence of str or callable, optional
        The metrics in ``Result.metric_values``: names, or functions of signs and scores. All that
        apply if left out.
    block : int, at least 1, optional
        How many rows are learned or predicted at a time; it changes nothing but the speed.
    progress : callable, optional
        Called after each block with the number of its rows, and the error rate so far.
    observe : callable, optional
        Called once with the model and its snapshot, after the last block.

    Returns
    -------
    Result
        The result of the rounds that were not learned.

    Raises
    ------
    InputError
        If an argument is not allowed, or a row can not be learned.

    Examples
    --------
    >>> from braided import OLSF, datasets, streams
    >>> splice = datasets.load("splice")
    >>> result = holdout(OLSF(), streams.fixed(splice.X, splice.y), share=0.8)
    >>> result.rounds, result.error_rate < 0.1
    (638, True)
    """
    check_share("share", share)
    learned = int(np.ceil(share * len(stream)))
    return hold_out_after(
        model, stream, learned, metrics=metrics, block=block, progress=progress, observe=observe
    )


def hold_out_after(
    model: Learner,
    stream: Stream,
    learned: int,
    *,
    metrics: Sequence[Metric] | None = None,
    block: int | None = None,
    progress: Progress | None = None,
    observe: Observer | None = None,
) -> Result:
    """Learn the first ``learned`` rounds of a stream, then predict the rest: see ``holdout``."""
    chosen_entries(metrics)  # refuses what is no metric
    coded, observed, done, clock = CodedRounds(model), [np.empty(0, np.int64)], 0, Clock()
    learned_scores = [np.empty(0)]  # of two labels
    for rows in coded.pieces(stream.blocks(block_size(stream, block, progress))):
        assert rows.labels is not None
        block_signs, labelled = coded.coding.signs(rows.labels, done)
        cut = min(len(rows), max(0, learned - done))
        known = rows[:cut] if labelled[:cut].all() else rows[np.flatnonzero(labelled[:cut])]
        with clock.running():
            before = model.prequential(known)
        if before.ndim == 1:
            learned_scores.append(np.full(cut, np.nan))
            learned_scores[-1][labelled[:cut]] = coded.coding.matching_scores(model, before)
        if cut < len(rows):
            scores = model.decision_function(rows[cut:])
            coded.scores.append(coded.coding.matching_scores(model, scores))
            observed.append(np.diff(rows.indptr)[cut:])
            coded.errors_so_far.add(block_signs[cut:], coded.scores[-1])
        coded.signs.append(block_signs)
        done += len(rows)
        if progress is not None:
            progress(len(rows), coded.errors_so_far.error_rate)
    coding, known_scores = coded.coding, np.concatenate(learned_scores)
    all_signs = np.concatenate([np.empty(0), *coded.signs]) * coding.orientation
    return coding.result(
        all_signs[learned:],
        np.concatenate([np.empty(0), *coded.scores]) * coding.orientation,
        (take_snapshot(model, learned, clock.seconds, observe),),
        np.concatenate(observed),
        metrics=None if metrics is None else tuple(metrics),
        log_odds=coding.log_odds(model),
        classes=coding.classes,
        learned_signs=all_signs[:learned],
        learned_scores=known_scores * coding.orientation if known_scores.size == learned else None,
    )

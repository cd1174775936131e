"""Holdout evaluation: learn the first rounds, then predict the others with a frozen model."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

import numpy as np

from braided.evaluate.prequential import Observer, Result, checkpoint
from braided.labels import Labels
from braided.learner import Learner
from braided.parameters import check_share
from braided.streams.stream import BLOCK, Stream

__all__ = ["holdout"]


def holdout(
    model: Learner,
    stream: Stream,
    *,
    share: float = 0.5,
    block: int = BLOCK,
    progress: Callable[[int], object] | None = None,
    observe: Observer | None = None,
) -> Result:
    """Learn the first ``share`` of the rounds; the result is of the others, which are not learned.

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
    sides = Labels()
    signs, scores = [np.empty(0)], [np.empty(0)]
    done, seconds = 0, 0.0
    for rows in stream.blocks(block):
        cut = min(len(rows), max(0, learned - done))
        start = perf_counter()
        model.partial_fit(rows[:cut])
        seconds += perf_counter() - start
        if cut < len(rows):
            tested = rows[cut:]
            assert tested.labels is not None
            sides.declare(model.classes_)
            scores.append(model.decision_function(tested))
            signs.append(sides.signs(tested.labels) * sides.outward)
        done += len(rows)
        if progress is not None:
            progress(len(rows))
    last = checkpoint(model, learned, seconds, observe)
    return Result(np.concatenate(signs), np.concatenate(scores), (last,))

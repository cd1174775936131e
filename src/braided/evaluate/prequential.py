"""Prequential evaluation: every row is first predicted, then learned."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import perf_counter
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from braided.evaluate.metrics import mistakes
from braided.labels import Labels
from braided.learner import Learner
from braided.parameters import check_whole
from braided.rows import Rows
from braided.streams.stream import BLOCK

__all__ = ["Blocks", "Result", "prequential"]


class Blocks(Protocol):
    """What is asked of a stream: its labelled rows, so many at a time."""

    def blocks(self, size: int) -> Iterator[Rows]:
        """The rows in order, in blocks of this size."""
        ...


@dataclass(frozen=True)
class Result:
    """What came out of one pass over a stream.

    ``seconds`` is the time spent in the learner, without compiling and without making the stream.
    """

    rounds: int
    mistakes: int
    features_seen: int
    features_kept: int
    seconds: float

    @property
    def error_rate(self) -> float:
        """The share of mistakes; NaN if there was no round."""
        return self.mistakes / self.rounds if self.rounds else float("nan")


def prequential(
    model: Learner,
    stream: Blocks,
    *,
    block: int = BLOCK,
    progress: Callable[[int], object] | None = None,
) -> Result:
    """Run a model over a stream and count its mistakes.

    Parameters
    ----------
    model
        goes on from what it has learned before, if anything.
    stream
        one of ``braided.streams``, or anything with ``blocks(size)``.
    block
        how many rows are handed over at a time; it changes nothing but the speed.
    progress
        called after each block with the number of its rows.

    Examples
    --------
    >>> from braided import OLSF, datasets, streams
    >>> german = datasets.load("german")
    >>> result = prequential(OLSF(), streams.given(german.X, german.y))
    >>> result.rounds, result.error_rate < 0.5
    (1000, True)
    """
    check_whole("block", block, 1)
    sides = Labels()
    sides.declare(getattr(model, "classes_", ()))  # a fresh model has no classes_
    rounds = wrong = 0
    seconds = 0.0
    for rows in stream.blocks(block):
        if not rounds:
            model.prequential(rows[:0])  # learns nothing, but compiles what the clock should miss
        start = perf_counter()
        scores = model.prequential(rows)
        seconds += perf_counter() - start
        wrong += mistakes(_signs(sides, rows), scores)
        rounds += len(rows)
        if progress is not None:
            progress(len(rows))
    return Result(rounds, wrong, model.features_seen, model.features_kept, seconds)


def _signs(sides: Labels, rows: Rows) -> NDArray[np.float64]:
    """The labels as signs in the model's outward convention, as it is after these rows.

    Which label is the positive one may turn round when the second label turns up. The signs of
    a block and its scores turn together, so they must be compared block by block.
    """
    assert rows.labels is not None  # the model would have refused them
    return sides.signs(rows.labels) * sides.outward

"""Prequential evaluation: every row is first predicted, then learned."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import perf_counter
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from braided.evaluate import metrics
from braided.labels import Labels
from braided.learner import Learner
from braided.parameters import check_choice, check_whole
from braided.rows import Rows
from braided.streams.stream import BLOCK

__all__ = ["Blocks", "Checkpoint", "Observer", "Result", "checkpoint", "prequential"]


class Blocks(Protocol):
    """What is asked of a stream: its labelled rows, so many at a time."""

    def blocks(self, size: int) -> Iterator[Rows]:
        """The rows in order, in blocks of this size."""
        ...


@dataclass(frozen=True)
class Checkpoint:
    """How a model was after so many rounds."""

    round: int
    features_seen: int
    features_kept: int
    memory_bytes: int
    seconds: float


Observer: TypeAlias = Callable[[Learner, Checkpoint], object]
"""Is shown the model whenever a checkpoint is taken, to note whatever else it wants to know."""


@dataclass(frozen=True, eq=False)
class Result:
    """What came out of one pass over a stream.

    ``signs`` and ``scores`` are those of every round, the score from before the row was learned;
    every figure and every curve follows from them. ``seconds`` is the time spent in the learner,
    without compiling and without making the stream.
    """

    signs: NDArray[np.float64]
    scores: NDArray[np.float64]
    checkpoints: tuple[Checkpoint, ...]

    @property
    def rounds(self) -> int:
        """The number of rounds."""
        return self.scores.size

    @property
    def mistakes(self) -> int:
        """In how many rounds the score was not on the label's side."""
        return metrics.mistakes(self.signs, self.scores)

    @property
    def error_rate(self) -> float:
        """The share of mistakes; NaN if there was no round."""
        return metrics.error_rate(self.signs, self.scores)

    @property
    def diverged(self) -> bool:
        """Whether some score was not a finite number."""
        return not bool(np.isfinite(self.scores).all())

    @property
    def features_seen(self) -> int:
        """How many features were seen in the end."""
        return self.checkpoints[-1].features_seen

    @property
    def features_kept(self) -> int:
        """How many features have a weight in the end."""
        return self.checkpoints[-1].features_kept

    @property
    def sparsity(self) -> float:
        """The share of the features seen that have no weight in the end."""
        last = self.checkpoints[-1]
        return 1 - last.features_kept / last.features_seen if last.features_seen else np.nan

    @property
    def seconds(self) -> float:
        """The time spent in the learner."""
        return self.checkpoints[-1].seconds

    def metric(self, name: str) -> float:
        """A figure by name: one of ``braided.evaluate.METRICS``.

        Examples
        --------
        >>> from braided import OLSF, datasets, streams
        >>> splice = datasets.load("splice")
        >>> result = prequential(OLSF(), streams.fixed(splice.X, splice.y))
        >>> result.metric("auc") > 0.9
        True
        """
        check_choice("metric", name, tuple(metrics.METRICS))
        return metrics.METRICS[name](self.signs, self.scores)

    def error_curve(self, window: int | None = None) -> NDArray[np.float64]:
        """The error rate after each round, of all rounds so far or of the last ``window``."""
        wrong = np.cumsum(~(self.signs * self.scores > 0))
        rounds = np.arange(1, self.rounds + 1)
        if window is None or window >= self.rounds:
            return wrong / rounds
        check_whole("window", window, 1)
        before = np.concatenate((np.zeros(window, wrong.dtype), wrong[:-window]))
        return (wrong - before) / np.minimum(rounds, window)


def prequential(
    model: Learner,
    stream: Blocks,
    *,
    every: int | None = None,
    block: int = BLOCK,
    progress: Callable[[int], object] | None = None,
    observe: Observer | None = None,
) -> Result:
    """Run a model over a stream: every row is predicted, then learned.

    Parameters
    ----------
    model
        goes on from what it has learned before, if anything.
    stream
        one of ``braided.streams``, or anything with ``blocks(size)``.
    every
        after how many rounds (at the end of a block) a checkpoint is taken; by default only at
        the end.
    block
        how many rows are handed over at a time; it changes nothing but the speed.
    progress
        called after each block with the number of its rows.
    observe
        called with the model and the checkpoint, whenever one is taken.

    Examples
    --------
    >>> from braided import OLSF, datasets, streams
    >>> german = datasets.load("german")
    >>> result = prequential(OLSF(), streams.given(german.X, german.y))
    >>> result.rounds, result.error_rate < 0.5
    (1000, True)
    """
    check_whole("block", block, 1)
    if every is not None:
        check_whole("every", every, 1)
        block = min(block, every)
    sides = Labels()
    sides.declare(getattr(model, "classes_", ()))  # a fresh model has no classes_
    signs: list[NDArray[np.float64]] = [np.empty(0)]
    scores: list[NDArray[np.float64]] = [np.empty(0)]
    checkpoints: list[Checkpoint] = []
    rounds, seconds = 0, 0.0
    for rows in stream.blocks(block):
        if not rounds:
            model.prequential(rows[:0])  # learns nothing, but compiles what the clock should miss
        start = perf_counter()
        scores.append(model.prequential(rows))
        seconds += perf_counter() - start
        signs.append(_signs(sides, rows))
        if every is not None and rounds // every < (rounds + len(rows)) // every:
            checkpoints.append(checkpoint(model, rounds + len(rows), seconds, observe))
        rounds += len(rows)
        if progress is not None:
            progress(len(rows))
    if not checkpoints or checkpoints[-1].round < rounds:
        checkpoints.append(checkpoint(model, rounds, seconds, observe))
    return Result(np.concatenate(signs), np.concatenate(scores), tuple(checkpoints))


def checkpoint(
    model: Learner, rounds: int, seconds: float, observe: Observer | None = None
) -> Checkpoint:
    """How the model is now; the observer, if there is one, sees it too."""
    now = Checkpoint(rounds, model.features_seen, model.features_kept, model.memory_bytes, seconds)
    if observe is not None:
        observe(model, now)
    return now


def _signs(sides: Labels, rows: Rows) -> NDArray[np.float64]:
    """The labels as signs in the model's outward convention, as it is after these rows.

    Which label is the positive one may turn round when the second label turns up. The signs of
    a block and its scores turn together, so they must be compared block by block.
    """
    assert rows.labels is not None  # the model would have refused them
    return sides.signs(rows.labels) * sides.outward

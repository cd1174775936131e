"""Trial, the usual measure: a prequential pass of a learner over a set; and curves of trials."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from braided import registry, streams
from braided.evaluate import Result, prequential
from braided.evaluate.tune import combinations
from braided.learner.learner import Learner
from braided.papers import sets
from braided.papers.experiment import Curve, Floats, Measure
from braided.rows.rows import Rows
from braided.streams.stream import Stream

__all__ = ["POINTS", "Trial", "at_levels", "over_rounds", "over_values", "points_of"]

POINTS = 50
"""How many points a curve over the rounds has."""

SHARES = np.arange(1, POINTS + 1) / POINTS


@dataclass(frozen=True, eq=False)
class Trial:
    """A learner by its registry name, on a set by its name in the paper.

    Parameters
    ----------
    data : str
        The set, by its name in the paper.
    learner : str
        The learner, by its name in the registry.
    parameters : mapping
        Parameters of the learner.
    share : float, optional
        The budget as a share of all features of the set, rounded to a whole number as in the OFS
        paper; a ``budget`` among the parameters is left to the learner.
    stream : str or callable, default "fixed"
        The shape of the stream: a name in ``braided.streams``, or a function like those.
    options : mapping
        Options of the shape.
    what : str, default "mistakes"
        A key of ``QUANTITIES``: what is measured.
    grid : mapping
        Values to choose from, by the mistakes under seeds that are not reported.
    scale : str, optional
        How the set is scaled, if not as usual.
    """

    data: str
    learner: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    share: float | None = None
    stream: str | Callable[..., Stream] = "fixed"
    options: Mapping[str, Any] = field(default_factory=dict)
    what: str = "mistakes"
    grid: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    scale: str | None = None

    def prepare(self) -> None:
        """Load the set and compile the learner."""
        rows, labels = sets.load(self.data, self.scale)
        two = self._shaped(rows[:2], labels[:2], seed=0)
        self._model(0).prequential(next(two.blocks(2)))

    def __call__(self, seed: int) -> Sequence[float]:
        """Measure with this seed."""
        stream = self._shaped(*sets.load(self.data, self.scale), seed=seed)
        return QUANTITIES[self.what](prequential(self._model(seed), stream))

    def choices(self) -> list[Trial]:
        """The trials of the grid, one for each choice of values; they count mistakes."""
        return [
            replace(self, parameters={**self.parameters, **chosen}, grid={}, what="mistakes")
            for chosen in combinations(self.grid)
        ]

    def _model(self, seed: int) -> Learner:
        parameters = dict(self.parameters)
        if self.share is not None:
            width = sets.load(self.data, self.scale)[0].width
            parameters["budget"] = max(1, round(self.share * width))
        completed = registry.completed(self.learner, parameters, seed=seed)
        return registry.create(self.learner, **completed)

    def _shaped(self, rows: Rows, labels: NDArray[Any], seed: int) -> Stream:
        shape = getattr(streams, self.stream) if isinstance(self.stream, str) else self.stream
        stream: Stream = shape(rows, labels, seed=seed, **self.options)
        return stream


def over_rounds(trials: Mapping[str, Any], what: str = "error curve") -> dict[str, Curve]:
    """Curves of trials (or of script runs) over the rounds, in per cent of them."""
    across = (100 * SHARES).tolist()
    return {name: Curve(across, [replace(trial, what=what)]) for name, trial in trials.items()}


def over_values(values: Sequence[float], make: Callable[[float], Measure]) -> Curve:
    """A curve of a quantity against the values of a parameter."""
    return Curve(list(values), [make(value) for value in values])


def at_levels(levels: Sequence[float], path: Sequence[tuple[float, float]]) -> list[float]:
    """The height where a path of (sparsity, height) first comes to each level of sparsity.

    Penalties lead to levels of sparsity that can not be chosen. Heights are interpolated linearly
    between the points of the path; beyond its sparsest point they are NaN. Sparsity may fall for a
    step; only points that are sparser than all before are used.

    Examples
    --------
    >>> at_levels([0.0, 15.0, 30.0], [(10.0, 1.0), (5.0, 9.0), (20.0, 2.0)])
    [1.0, 1.5, nan]
    """
    rising = [path[0]]
    for point in path:
        if point[0] > rising[-1][0]:
            rising.append(point)
    sparsities, heights = (list(each) for each in zip(*rising, strict=True))
    return [float(h) for h in np.interp(list(levels), sparsities, heights, right=np.nan)]


def points_of(curve: Floats) -> list[float]:
    """The heights of a curve after so many equal parts of the rounds."""
    points = np.maximum(1, np.ceil(SHARES * curve.size)).astype(np.int64) - 1
    return [float(height) for height in curve[points]]


def _mean_logistic_loss(result: Result) -> Floats:
    losses = np.logaddexp(0.0, -result.signs * result.scores)
    mean: Floats = np.cumsum(losses) / np.arange(1, losses.size + 1)
    return mean


QUANTITIES: dict[str, Callable[[Result], list[float]]] = {
    "mistakes": lambda result: [float(result.mistakes)],
    "error rate": lambda result: [result.error_rate],
    "per cent": lambda result: [100 * result.error_rate],
    "accuracy in per cent": lambda result: [100 * (1 - result.error_rate)],
    "accuracy": lambda result: [1 - result.error_rate],
    "seconds": lambda result: [result.seconds],
    "error curve": lambda result: points_of(100 * result.error_curve()),
    "loss curve": lambda result: points_of(_mean_logistic_loss(result)),
}

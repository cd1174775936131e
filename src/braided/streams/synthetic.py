"""Synthetic sources: what hides in them is known, and how well it can be found."""

from __future__ import annotations

from collections.abc import Hashable, Mapping

import numpy as np
from numpy.typing import NDArray

from braided.parameters import check_positive, check_seed, check_whole
from braided.rows import Rows, as_rows
from braided.streams.random_numbers import Draws, Purpose
from braided.streams.shapes import evolvable
from braided.streams.stream import Stream

__all__ = ["FactorModel", "linear_switch"]

Floats = NDArray[np.float64]


class FactorModel:
    """Features that a few hidden factors drive: x = F'z + noise, z standard normal.

    The label says on which side of a random plane the factors lie. Features are named x0, x1, ...
    and have variance 1 + noise^2 on average.

    Parameters
    ----------
    features, factors
        their numbers.
    noise
        the standard deviation of each feature's own noise.
    seed
        of the loadings F, the plane and the rows.

    Examples
    --------
    >>> model = FactorModel(features=4, factors=1)
    >>> model.rows(1000)
    <1000 rows, 4 columns, 4000 values, labelled>
    >>> list(model.expected({"x0": 1.0, "x2": -1.0}))
    ['x1', 'x3']
    """

    def __init__(
        self, *, features: int = 30, factors: int = 5, noise: float = 0.3, seed: int = 0
    ) -> None:
        check_whole("features", features, 1)
        check_whole("factors", factors, 1)
        check_positive("noise", noise)
        check_seed(seed)
        self._source = Draws(seed, Purpose.SOURCE)
        self._noise = Draws(seed, Purpose.NOISE)
        self._plane = self._source.normal(factors)
        self.loadings: Floats = self._source.normal(factors, features) / np.sqrt(factors)
        self.noise = float(noise)
        self.names = [f"x{j}" for j in range(features)]

    @property
    def covariance(self) -> Floats:
        """The covariance of the features."""
        own = self.noise**2 * np.eye(len(self.names))
        covariance: Floats = self.loadings.T @ self.loadings + own
        return covariance

    def rows(self, count: int) -> Rows:
        """The next rows, complete and labelled -1 or 1; shapes take them as they are."""
        check_whole("count", count, 1)
        hidden = self._source.normal(count, self.loadings.shape[0])
        values = hidden @ self.loadings + self.noise * self._noise.normal(count, len(self.names))
        labels = np.where(hidden @ self._plane > 0, 1, -1)
        return as_rows(values, labels, feature_names=self.names)

    def expected(self, x: Mapping[Hashable, float]) -> dict[Hashable, float]:
        """The best that can be said of the unobserved features: their mean, given the others."""
        seen = [j for j, name in enumerate(self.names) if name in x]
        unseen = [j for j, name in enumerate(self.names) if name not in x]
        values = np.array([x[self.names[j]] for j in seen])
        covariance = self.covariance
        known = np.linalg.solve(covariance[np.ix_(seen, seen)], values)
        means = covariance[np.ix_(unseen, seen)] @ known
        return {self.names[j]: float(mean) for j, mean in zip(unseen, means, strict=True)}


def linear_switch(
    *,
    generations: int = 3,
    features: int = 20,
    rounds: int = 2000,
    overlap: int = 50,
    noise: float = 0.1,
    vanish: str = "abrupt",
    seed: int = 0,
) -> Stream:
    """An evolvable stream whose generations are linear images of one another.

    The first generation is standard normal; each next one is a random rotation of the one before,
    plus noise. The label is the side of a random plane through the first.

    Parameters
    ----------
    generations, features
        how many generations, of how many features each; feature j of generation g is named "g.j".
    rounds
        of each generation, its overlap with the next included.
    overlap, vanish
        as in :func:`braided.streams.evolvable`.
    noise
        the standard deviation of what each generation adds.
    seed
        of everything.

    Examples
    --------
    >>> stream = linear_switch(generations=2, features=2, rounds=3, overlap=1)
    >>> [sorted(x) for x, _ in stream.pairs()]
    [['0.0', '0.1'], ['0.0', '0.1'], ['0.0', '0.1', '1.0', '1.1'], ['1.0', '1.1'], ['1.0', '1.1'], ['1.0', '1.1']]
    """  # noqa: E501
    check_whole("generations", generations, 1)
    check_whole("features", features, 1)
    check_whole("rounds", rounds, 1)
    check_positive("noise", noise)
    check_seed(seed)
    source, noises = Draws(seed, Purpose.SOURCE), Draws(seed, Purpose.NOISE)
    count = generations * rounds
    plane = source.normal(features)
    spaces = [source.normal(count, features)]
    labels = np.where(spaces[0] @ plane > 0, 1, -1)
    for _ in range(generations - 1):
        rotation = np.linalg.qr(source.normal(features, features))[0]
        spaces.append(spaces[-1] @ rotation + noise * noises.normal(count, features))
    names = [f"{g}.{j}" for g in range(generations) for j in range(features)]
    X = as_rows(np.hstack(spaces), labels, feature_names=names)
    return evolvable(X, generations=generations, overlap=overlap, vanish=vanish, seed=seed)

"""Synthetic data whose best possible answer is known."""

from __future__ import annotations

from collections.abc import Hashable, Mapping

import numpy as np
from numpy.typing import NDArray

from braided.parameters import check_positive, check_seed, check_whole
from braided.records import as_rows
from braided.rows import Rows
from braided.streams.random_numbers import Draws, Purpose
from braided.streams.shapes import evolvable
from braided.streams.stream import Stream

__all__ = ["FactorModel", "linear_switch"]

Floats = NDArray[np.float64]


class FactorModel:
    """A source of rows whose features depend on a few hidden factors: x = F'z + noise.

    The factors z are standard normal. The label is the side of a random plane on which they lie.
    Features are named x0, x1, ... and have variance 1 + noise^2 on average.

    Parameters
    ----------
    features : int, at least 1, default 30
        The number of features.
    factors : int, at least 1, default 5
        The number of hidden factors.
    noise : float, above 0, default 0.3
        The standard deviation of the noise of each feature.
    seed : int, at least 0, default 0
        The seed of the loadings F, the plane and the rows.

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
        """Draw the next rows.

        Parameters
        ----------
        count : int, at least 1
            How many rows.

        Returns
        -------
        Rows
            Rows with all features, and labels -1 and 1.
        """
        check_whole("count", count, 1)
        hidden = self._source.normal(count, self.loadings.shape[0])
        values = hidden @ self.loadings + self.noise * self._noise.normal(count, len(self.names))
        labels = np.where(hidden @ self._plane > 0, 1, -1)
        return as_rows(values, labels, feature_names=self.names)

    def expected(self, x: Mapping[Hashable, float]) -> dict[Hashable, float]:
        """Compute the mean of the unobserved features, given the observed ones.

        Parameters
        ----------
        x : mapping
            The observed values, by feature name.

        Returns
        -------
        dict
            The mean of each other feature: no prediction has a smaller squared error.
        """
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
    """Make an evolvable stream whose generations are linear images of one another.

    The first generation is standard normal; each later one is a random rotation of the one before,
    plus noise. The label is the side of a random plane on which the first generation lies.

    Parameters
    ----------
    generations : int, at least 1, default 3
        The number of generations.
    features : int, at least 1, default 20
        The number of features of each; feature j of generation g is named "g.j".
    rounds : int, at least 1, default 2000
        The number of rounds of each, with the overlap at its end.
    overlap : float from 0 to 1 or int, default 50
        How long two generations are both observed, as in ``evolvable``.
    noise : float, above 0, default 0.1
        The standard deviation of the noise that each generation adds.
    vanish : "abrupt" or "gradual", default "abrupt"
        How old features end, as in ``evolvable``.
    seed : int, at least 0, default 0
        The seed of everything.

    Returns
    -------
    Stream
        The stream.

    Raises
    ------
    InputError
        If an argument is not allowed.

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

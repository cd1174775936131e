"""Scaled weights: those of all features, or of the k that a budget keeps, times one scale.

Shrinking or projecting all of them is one multiplication, of the scale. Their *size*, the sum of
magnitudes or of squares, is kept up to date from the weights that change. Rounding errors of it do
not matter, though they add up: a projection asks whether the size exceeds that of a ball, no
weight was ever larger than that, and so each error is a last digit of the ball's size at most.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from braided.compiled.jit import Floats, Ints, compiled, inlined
from braided.kernels.top_k import (
    TopK,
    dot,
    is_consistent,
    measure,
    new_top_k,
    scale_by,
    top_k_of,
    weights_of,
)

__all__ = [
    "MAGNITUDES",
    "SQUARES",
    "Weights",
    "by_feature",
    "capacity_of",
    "is_sound",
    "largest",
    "largest_of",
    "new_weights",
    "product",
    "project",
    "rescale",
]

MAGNITUDES, SQUARES = 1, 2
"""The power of a size."""


class Weights(NamedTuple):
    """The arrays of the weights."""

    scale: NDArray[np.float64]
    size: NDArray[np.float64]  # without the scale
    every: NDArray[np.float64]  # by feature, without the scale; empty under a budget
    kept: TopK  # without the scale; empty without a budget


def new_weights(capacity: int, room: int) -> Weights:
    """All zero, with room for ``room`` of ``capacity`` features; room 0 is no budget."""
    return Weights(
        scale=np.ones(1),
        size=np.zeros(1),
        every=np.zeros(0 if room else capacity),
        kept=new_top_k(capacity, room),
    )


def capacity_of(weights: Weights) -> int:
    """How many features there is room for."""
    return max(weights.every.size, weights.kept.slot.size)


def by_feature(weights: Weights, capacity: int) -> NDArray[np.float64]:
    """The weights as they are, by feature."""
    scaled: NDArray[np.float64] = _unscaled(weights, capacity) * weights.scale[0]
    return scaled


def _unscaled(weights: Weights, capacity: int) -> NDArray[np.float64]:
    unscaled = weights_of(weights.kept, capacity)
    unscaled[: weights.every.size] += weights.every  # the others are all zero
    return unscaled


def largest(weights: Weights, k: int, capacity: int, room: int, power: int) -> Weights:
    """The k largest of these weights, with room for ``room``; all of them if that is 0."""
    return largest_of(_unscaled(weights, capacity), k, room, power)._replace(scale=weights.scale)


def largest_of(by_feature: NDArray[np.float64], k: int, room: int, power: int) -> Weights:
    """The same of weights that are given by feature."""
    if room:
        kept = top_k_of(by_feature, k, room)
        left, every = kept.weight, np.zeros(0)
    else:
        kept = new_top_k(by_feature.size, room)
        left = every = by_feature
    size = (np.abs(left) ** power).sum(keepdims=True)
    return Weights(np.ones(1), size, every, kept)


def is_sound(weights: Weights, seen: int) -> bool:
    """Whether kernels can work on these weights of ``seen`` features within their arrays."""
    return bool(weights.scale[0] > 0) and is_consistent(weights.kept, seen)


@inlined
def product(weights: Weights, indices: Ints, values: Floats) -> float:
    """w.x"""
    every = weights.every
    if every.size == 0:
        return dot(weights.kept, indices, values) * float(weights.scale[0])
    total = 0.0
    for i in range(indices.size):
        total += every[indices[i]] * values[i]
    return total * float(weights.scale[0])


@inlined
def project(weights: Weights, length: float, radius: float) -> None:
    """Project the weights into a ball; ``length`` is theirs without the scale."""
    if length * weights.scale[0] > radius:
        weights.scale[0] = radius / length


@compiled
def rescale(weights: Weights, scale: float, power: int) -> None:
    """Give the same weights another scale, and measure their size anew."""
    every, factor, size = weights.every, weights.scale[0] / scale, 0.0
    for j in range(every.size):
        every[j] *= factor
        size += measure(every[j], power)
    if every.size == 0:
        size = scale_by(weights.kept, factor, power)
    weights.scale[0] = scale
    weights.size[0] = size

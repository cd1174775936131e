"""The regression graph of GLSC.

It keeps sums of products C and their number N for each pair, over the rows
with both, and mean and deviation of each feature over its own rows. With the correlation r of
a pair, shrunk as N is small (ten products of value 0 are added, and what chance alone would give to
r^2 is taken off), feature j is estimated from the observed ones as::

    psi_j = mean_j + deviation_j sum_i w_ij r_ij z_i / sum_i w_ij,  w = r^2 / (1 - r^2)

where z_i is the observed value in deviations from its mean, at most 10.
"""

from __future__ import annotations

import math

import numpy as np

from braided.compiled.jit import Floats, Ints, compiled
from braided.learners.glsc.graph import PRIOR_COUNT, Graph

__all__ = ["learn_regression", "regression_reconstruction"]

LARGEST_R2 = 0.99
"""The largest r^2, so that no feature is estimated from one other alone."""

LARGEST_Z = 10.0
"""The largest z: one wild value must not give wild estimates of all others."""


@compiled
def regression_reconstruction(graph: Graph, indices: Ints) -> None:
    """Put the estimates into psi."""
    used, psi, total, inverse = graph.used[0], graph.psi, graph.total, graph.inverse
    for i in range(indices.size):
        slot = graph.slot[indices[i]]
        if slot < 0 or inverse[slot] == 0.0:
            continue
        z = (graph.row[slot] - graph.mean[slot]) * inverse[slot]
        z = min(max(z, -LARGEST_Z), LARGEST_Z)
        own = inverse[slot]
        products, times = graph.edge[slot], graph.times[slot]
        for k in range(used):
            chance = 1.0 / (times[k] + PRIOR_COUNT)
            r = products[k] * own * inverse[k] * chance
            square = r * r
            square -= (1.0 - square) * chance
            square = square if square > 0.0 else 0.0
            square = square if square < LARGEST_R2 else LARGEST_R2
            worth = square / (1.0 - square)
            psi[k] += worth * r * z
            total[k] += worth
    for k in range(used):
        estimate = psi[k] / total[k] if total[k] > 0.0 else 0.0
        psi[k] = graph.mean[k] + graph.deviation[k] * estimate


@compiled
def learn_regression(graph: Graph, indices: Ints, values: Floats) -> None:
    """Means, deviations and products of the row's features."""
    used, row, mean = graph.used[0], graph.row, graph.mean
    for k in range(used):
        row[k] = 0.0
    for i in range(indices.size):
        slot = graph.slot[indices[i]]
        if slot >= 0:
            graph.visits[slot] += 1.0
            mean[slot] += (values[i] - mean[slot]) / graph.visits[slot]
            row[slot] = values[i] - mean[slot]
    for i in range(indices.size):
        slot = graph.slot[indices[i]]
        if slot < 0:
            continue
        products, times, own = graph.edge[slot], graph.times[slot], row[slot]
        here = graph.here
        for k in range(used):
            products[k] += own * row[k]
            times[k] += np.float32(here[k])
        deviation = math.sqrt(products[slot] / times[slot])
        graph.deviation[slot] = deviation
        graph.inverse[slot] = 1.0 / deviation if deviation > 0.0 else 0.0

"""Merging, written plainly: numbers by name in dicts, one after another.

``base`` is what all models went on from; an empty dict if they began with nothing.
"""

from __future__ import annotations

from collections.abc import Hashable

Numbers = dict[Hashable, float]


def total(base: Numbers, models: list[Numbers], born: float = 0.0) -> Numbers:
    """What the base has, and what each model added to it."""
    found = dict(base)
    for name in {name for model in models for name in model}:
        start = base.get(name, born)
        found[name] = start + sum(model[name] - start for model in models if name in model)
    return found


def mean(base: Numbers, models: list[Numbers], amounts: list[Numbers]) -> Numbers:
    """The mean of the models, each weighted by its amount; the base where nobody has any."""
    found = dict(base)
    for name in {name for model in models for name in model}:
        found.setdefault(name, 0.0)
        pairs = [(a[name], m[name]) for m, a in zip(models, amounts, strict=True) if name in m]
        if sum(amount for amount, _ in pairs) > 0:
            above = sum(amount * value for amount, value in pairs)
            found[name] = above / sum(amount for amount, _ in pairs)
    return found


Beliefs = dict[Hashable, tuple[float, float, float]]
"""Of Gaussian weights: w, S, and the S with which the weight began."""


def belief(base: Beliefs, models: list[Beliefs], learners: Numbers | None = None) -> Beliefs:
    """What models learned of 1/S and w/S is added, or averaged over so many of them."""
    found = dict(base)
    for name in dict.fromkeys(name for model in models for name in model):
        mine = [model[name] for model in models if name in model]
        born = base.get(name, mine[0])[2]
        w0, s0, born0 = base.get(name, (0.0, born, born))
        learned, moved = 1 / s0 - 1 / born0, w0 / s0
        share = 1.0 if learners is None else 1.0 / max(1.0, learners[name])
        start = learned, moved
        for w, s, own in mine:
            learned += share * (1 / s - 1 / own - start[0])
            moved += share * (w / s - start[1])
        precision = max(1 / born + learned, 1 / born)
        found[name] = moved / precision, 1 / precision, born
    return found


def quantile_edges(values: list[float]) -> list[float]:
    """The 1/16, ..., 15/16 quantiles; a value may fill two bins, what is more is left out."""
    longest = max(1, 2 * len(values) // 16)
    kept: list[float] = []
    for value in sorted(values):
        if kept.count(value) < longest:
            kept.append(value)
    return [kept[min(len(kept) - 1, b * len(kept) // 16)] for b in range(1, 16)]


def hand_on(
    cells: list[list[float]], edges: list[float] | None, firsts: list[float], new: list[float]
) -> list[list[float]]:
    """What is in the old bins (one, if there were no edges) in the new ones, by first values."""

    def bin_of(value: float, edges: list[float] | None) -> int:
        return 0 if edges is None else sum(edge < value for edge in edges)

    found = [[0.0] * len(cells[0]) for _ in range(16)]
    for old, cell in enumerate(cells):
        inside = [value for value in firsts if bin_of(value, edges) == old]
        if not inside:
            assert edges is not None
            top = edges[min(old, 14)]
            inside = [top + 1e-9 * max(1.0, abs(top)) if old == 15 else top]
        for value in inside:
            target = found[bin_of(value, new)]
            for which, number in enumerate(cell):
                target[which] += number / len(inside)
    return found

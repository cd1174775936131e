"""What papers commonly read from curves: which of them ends lower."""

from __future__ import annotations

from collections.abc import Mapping

from braided.papers.experiment import Claim, Floats

__all__ = ["highest", "lower", "lowest"]


def lowest(*names: str, at: int = -1) -> Claim:
    """One of these is the lowest of all, at the end or at another place."""

    def holds(heights: Mapping[str, Floats]) -> bool:
        return min(heights, key=lambda name: float(heights[name][at])) in names

    return Claim(f"{' or '.join(names)} makes the fewest mistakes", holds)


def highest(name: str, at: int = -1) -> Claim:
    """The named one is the highest of all."""

    def holds(heights: Mapping[str, Floats]) -> bool:
        return bool(heights[name][at] >= max(each[at] for each in heights.values()))

    return Claim(f"{name} makes the most mistakes", holds)


def lower(name: str, *others: str, at: int = -1) -> Claim:
    """The named one is not above any of the others."""

    def holds(heights: Mapping[str, Floats]) -> bool:
        return bool(heights[name][at] <= min(heights[other][at] for other in others))

    return Claim(f"{name} makes fewer mistakes than {' and '.join(others)}", holds)

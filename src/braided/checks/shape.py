"""check_shape: what Braided promises of a stream shape."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable, Hashable
from typing import Any

import numpy as np

from braided.checks.promises import broken, refused
from braided.registry import ShapeEntry, resolve
from braided.streams.stream import Stream

__all__ = ["SHAPE_CHECKS"]

Pairs = list[tuple[dict[Hashable, float], Any]]

BLOCKS = (1, 7, 64)


def _set() -> tuple[list[dict[Hashable, float]], list[str]]:
    """Rows in which every value is there once, so that it tells its row and column; one is 0."""
    rng = np.random.default_rng(0)
    rows: list[dict[Hashable, float]] = []
    for t in range(120):
        observed = np.flatnonzero(rng.random(8) < 0.7)
        rows.append({f"f{c}": float(8 * t + c) for c in observed})
    rows[0]["f0"] = 0.0
    return rows, [("no", "yes")[int(rng.integers(2))] for _ in rows]


def _make(entry: ShapeEntry, seed: int = 0) -> Stream:
    rows, labels = _set()
    seeded = {"seed": seed} if entry.shuffles else {}
    stream = resolve(entry.home)(rows, labels, **seeded)
    if not isinstance(stream, Stream):
        raise broken("what the function makes", expected="a braided.streams.Stream", found=stream)
    return stream


def _pairs(stream: Stream, size: int = 1024) -> Pairs:
    pairs: Pairs = []
    for block in stream.blocks(size):
        if block.labels is None:
            raise broken("a block", expected="labelled rows", found=block)
        pairs += zip(block.dicts(), block.labels.tolist(), strict=True)
    return pairs


def _demand_same(what: str, expected: Pairs, found: Pairs) -> None:
    if len(expected) != len(found):
        raise broken(f"rounds {what}", expected=len(expected), found=len(found))
    for number, (one, other) in enumerate(zip(expected, found, strict=True)):
        if one != other:
            raise broken(f"round {number} {what}", expected=one, found=other)


def check_shape_options_are_arguments(entry: ShapeEntry) -> None:
    """The options of the entry are arguments of the function, with the same defaults."""
    arguments = inspect.signature(resolve(entry.home)).parameters
    for option in entry.options:
        if option.name not in arguments:
            raise broken("arguments", expected=option.name, found=list(arguments))
        default = arguments[option.name].default
        if default != option.default:
            raise broken(f"the default of {option.name}", expected=option.default, found=default)
    if entry.shuffles != ("seed" in arguments):
        expected = f"a seed, since shuffles={entry.shuffles}" if entry.shuffles else "no seed"
        raise broken("arguments", expected=expected, found=list(arguments))


def check_shape_every_pass_is_the_same(entry: ShapeEntry) -> None:
    """Every pass over the stream shows the same rounds."""
    stream = _make(entry)
    first = _pairs(stream)
    half = stream.blocks(7)
    next(half)  # a pass that is not finished does not disturb the others
    _demand_same("of the second pass", first, _pairs(stream))


def check_shape_blocks_do_not_matter(entry: ShapeEntry) -> None:
    """However the stream is cut into blocks, its rounds are the same."""
    stream = _make(entry)
    expected = _pairs(stream)
    for size in BLOCKS:
        _demand_same(f"in blocks of {size}", expected, _pairs(stream, size))


def check_shape_the_same_seed_gives_the_same_stream(entry: ShapeEntry) -> None:
    """The same set and seed give the same stream."""
    for seed in (0, 3):
        expected, found = _pairs(_make(entry, seed)), _pairs(_make(entry, seed))
        _demand_same(f"of a second stream with seed {seed}", expected, found)


def check_shape_shows_the_rows_of_the_set(entry: ShapeEntry) -> None:
    """A round shows some values of one row, with its label; each row has one round."""
    rows, labels = _set()
    home = {(name, v): row for row, x in enumerate(rows) for name, v in x.items()}
    shown: dict[int, int] = {}
    pairs = _pairs(_make(entry))
    for number, (x, label) in enumerate(pairs):
        found = {home.get(cell) for cell in x.items()}
        if None in found or len(found) > 1:
            raise broken(f"round {number}", expected="values of one row of the set", found=x)
        for row in (row for row in found if row is not None):
            if labels[row] != label:
                what = f"the label of round {number}, which shows row {row}"
                raise broken(what, expected=labels[row], found=label)
            if row in shown:
                what = f"rounds that show row {row}"
                raise broken(what, expected="one", found=[shown[row], number])
            shown[row] = number
    if len(pairs) != len(rows):
        raise broken("the number of rounds", expected=len(rows), found=len(pairs))
    counts = Counter(label for _, label in pairs)
    if counts != Counter(labels):
        raise broken("labels", expected=dict(Counter(labels)), found=dict(counts))


def check_shape_refuses_a_set_that_is_no_stream(entry: ShapeEntry) -> None:
    """A set without rows, or without labels, is refused with InputError."""
    make, (rows, _) = resolve(entry.home), _set()
    with refused("a set without rows", ""):
        make([], [])
    with refused("a set without labels", ""):
        make(rows, None)


SHAPE_CHECKS: tuple[Callable[[ShapeEntry], None], ...] = (
    check_shape_options_are_arguments,
    check_shape_every_pass_is_the_same,
    check_shape_blocks_do_not_matter,
    check_shape_the_same_seed_gives_the_same_stream,
    check_shape_shows_the_rows_of_the_set,
    check_shape_refuses_a_set_that_is_no_stream,
)
"""All promises of a stream shape; each is called with its entry.

Examples
--------
>>> from braided.checks import SHAPE_CHECKS
>>> len(SHAPE_CHECKS) > 2
True
"""

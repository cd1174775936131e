"""One row's step within a budget: who is moved, who is let in, and who leaves for it.

``split`` sorts the entries of a row first, so that it is settled who asks to be let in before
anybody is put out. Then ``move`` the kept ones, and ``keep_largest`` or ``keep_random``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from braided.compiled.jit import Floats, Index, Ints, Whole, compiled, inlined
from braided.kernels.eviction_heap import (
    drop_top,
    encode,
    feature_of,
    leaves_before,
    replace_top,
    slot_of,
    sort_out,
)
from braided.kernels.rng import uniform
from braided.kernels.top_k import NOBODY, Kept, add, dissolve_queue, enqueue, measure, put

__all__ = ["keep_largest", "keep_random", "move", "size_of_newcomers", "split"]

SAMPLE = 48
"""The bar becomes the third smallest of so many."""


@inlined
def split(kept: Kept, indices: Ints) -> int:
    """Sort the entries of a row into ``kept.row``: first those not kept, whose number it returns.

    Both kinds are written without asking which it is, as nobody could foretell the answer.
    """
    row, slot = kept.row, kept.slot
    outside, inside = 0, indices.size - 1
    for i in range(indices.size):
        is_outside = slot[Index(indices[i])] == NOBODY
        row[Index(outside)] = i
        row[Index(inside)] = i
        outside += is_outside
        inside -= not is_outside
    return outside


@inlined
def move(kept: Kept, indices: Ints, values: Floats, step: float, first: int, power: int) -> float:
    """Add step * value to the kept entries, which are listed from ``first`` on; the change in size.

    The list ends where the row does.
    """
    change = 0.0
    for entry in range(first, indices.size):
        i = Index(kept.row[Index(entry)])
        slot = Index(kept.slot[Index(indices[i])])
        before = kept.weight[slot]
        after = before + step * values[i]
        kept.weight[slot] = after
        change += measure(after, power) - measure(before, power)
        if abs(after) <= kept.bar[0]:
            enqueue(kept, slot)
    return change


@inlined
def size_of_newcomers(kept: Kept, values: Floats, step: float, outside: int, power: int) -> float:
    """The size of step * value over the entries that are not kept."""
    size = 0.0
    for entry in range(outside):
        size += measure(step * values[Index(kept.row[Index(entry)])], power)
    return size


@inlined
def keep_largest(
    kept: Kept, k: int, indices: Ints, values: Floats, step: float, outside: int, power: int
) -> float:
    """Let in those of the ``outside`` entries that belong to the k largest; the change in size."""
    change = 0.0
    lowest = _threshold(kept, k)
    for entry in range(outside):
        i = Index(kept.row[Index(entry)])
        moved = step * values[i]
        if abs(moved) < lowest or moved == 0.0:
            continue
        change += _admit(kept, k, indices[i], moved, power)
        lowest = _threshold(kept, k)
    return change


@inlined
def _threshold(kept: Kept, k: int) -> float:
    """A magnitude below which nobody is let in: most features of a row stop here."""
    if kept.taken[0] < k:
        return 0.0
    return float(kept.queue.magnitude[0] if kept.queue.length[0] else kept.bar[0])


@inlined
def _admit(kept: Kept, k: int, feature: Whole, value: float, power: int) -> float:
    """Let a feature in if it belongs to the k largest; the change in size."""
    magnitude = abs(value)
    if kept.taken[0] < k:
        add(kept, feature, value)
        return measure(value, power)
    code = _next_to_leave(kept)
    slot = slot_of(code)
    code_in = encode(feature, slot)
    left = kept.weight[slot]
    if not leaves_before(abs(left), code, magnitude, code_in):
        return 0.0
    kept.slot[feature_of(code)] = NOBODY
    put(kept, slot, feature, value)
    if magnitude <= kept.bar[0]:
        replace_top(kept.queue, magnitude, code_in)
    else:
        drop_top(kept.queue)
    return measure(value, power) - measure(left, power)


@inlined
def _next_to_leave(kept: Kept) -> Whole:
    """The code of the kept feature that leaves first, which then is the top of the queue."""
    queue = kept.queue
    while True:
        if queue.length[0] == 0:
            _raise_bar(kept)
        code = queue.code[0]
        slot = slot_of(code)
        still_there = Index(kept.member[slot]) == feature_of(code)
        if still_there and abs(kept.weight[slot]) == queue.magnitude[0]:
            return code
        drop_top(queue)


@compiled
def _raise_bar(kept: Kept) -> None:
    """Form a new queue of the few smallest: one pass over the slots for many who leave."""
    queue, count = kept.queue, kept.taken[0]
    bar = _low_rank(kept.weight, count)
    length = 0
    for slot in range(1, count + 1):
        queue.code[Index(length)] = slot
        length += abs(kept.weight[Index(slot)]) <= bar
    for position in range(length):
        slot = queue.code[position]
        queue.magnitude[position] = abs(kept.weight[slot])
        queue.code[position] = encode(kept.member[slot], slot)
    queue.length[0] = length
    kept.bar[0] = bar
    sort_out(queue)


@compiled
def _low_rank(weight: Floats, count: int) -> float:
    """The third smallest magnitude of a sample; of fewer than three, the largest."""
    first, second, third = np.inf, np.inf, np.inf
    for slot in range(1, count + 1, max(1, count // SAMPLE)):
        magnitude = abs(weight[slot])
        if magnitude < third:
            third = magnitude
            if third < second:
                second, third = third, second
                if second < first:
                    first, second = second, first
    if count < 3:
        return second if count == 2 else first
    return third


@compiled
def keep_random(
    kept: Kept,
    k: int,
    seen: int,
    rng: NDArray[np.uint64],
    indices: Ints,
    values: Floats,
    step: float,
    outside: int,
    power: int,
) -> float:
    """Keep k of all features seen, at random; the change in size.

    Sequential sampling: a feature is drawn with chance (still to keep) / (still to come). Features
    without a weight need not be asked: the chances of the others do not depend on the order.
    """
    to_keep, to_come, last, change = k, seen, 0, 0.0
    everything = k >= seen
    for slot in range(1, kept.taken[0] + 1):
        feature, value = kept.member[slot], kept.weight[slot]
        kept.slot[feature] = NOBODY
        if value == 0.0:
            continue
        if everything or uniform(rng) * to_come < to_keep:
            last += 1
            to_keep -= 1
            put(kept, last, feature, value)
        else:
            change -= measure(value, power)
        to_come -= 1
    for entry in range(outside):
        i = kept.row[entry]
        moved = step * values[i]
        if moved == 0.0:
            continue
        if everything or uniform(rng) * to_come < to_keep:
            last += 1
            to_keep -= 1
            put(kept, last, indices[i], moved)
            change += measure(moved, power)
        to_come -= 1
    kept.taken[0] = last
    dissolve_queue(kept)
    return change

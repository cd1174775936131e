"""Damage to files, as disks, networks and people do it.

``python -m tests.support.damage 10000`` does it to a file of every learner, this many times in all,
and counts what came of it.
"""

from __future__ import annotations

import collections
import resource
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import braided
from tests.support.every_learner import NAMES, new
from tests.support.saved_composites import COMPOSITES, learned
from tests.support.streams_of_rows import long_stream


def damaged(data: bytes, rng: np.random.Generator) -> bytes:
    """The same bytes with one random fault."""
    size = len(data)
    header = 8 + int.from_bytes(data[:8], "little")
    # Half of the faults hit the header, which is the smaller part but decides more.
    start = int(rng.integers(header if rng.random() < 0.5 else size))
    stop = min(size, start + int(2 ** rng.uniform(0, 10)))
    noise = rng.bytes(stop - start)
    kind = rng.integers(8)
    if kind == 0:  # a bit
        flipped = data[start] ^ (1 << int(rng.integers(8)))
        return data[:start] + bytes([flipped]) + data[start + 1 :]
    if kind == 1:  # the end
        return data[:start]
    if kind == 2:  # the beginning
        return data[start:]
    if kind == 3:  # a hole
        return data[:start] + data[stop:]
    if kind == 4:  # noise over it
        return data[:start] + noise + data[stop:]
    if kind == 5:  # noise between
        return data[:start] + noise + data[start:]
    if kind == 6:  # a block that was never written
        return data[:start] + bytes(stop - start) + data[stop:]
    digits = b"0123456789"  # another number in the header, if there is one here
    place = next((i for i in range(start, header) if data[i] in digits), start)
    return data[:place] + bytes([digits[rng.integers(10)]]) + data[place + 1 :]


def outcome(path: Path, data: bytes, changed: bytes) -> str:
    """What comes of loading: ``refused``, or ``identical``; all else is an exception."""
    path.write_bytes(changed)
    try:
        model = braided.load(path)
    except braided.ModelFileError:
        return "refused"
    model.save(path)
    assert path.read_bytes() == data == changed
    return "identical"


def files(folder: Path, rounds: int = 150) -> dict[str, bytes]:
    """A small file of every learner."""
    found = {}
    for name in NAMES:
        stream = long_stream(seed=7, rounds=rounds, features=24)
        new(name).partial_fit([x for x, _ in stream], [y for _, y in stream]).save(folder / "m")
        found[name] = (folder / "m").read_bytes()
    for case in COMPOSITES:
        learned(case, seed=7, rounds=rounds).save(folder / "m")
        found[case] = (folder / "m").read_bytes()
    return found


def main(times: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "m.braided"
        given = files(Path(folder))
        rng = np.random.default_rng(0)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        outcomes: collections.Counter[str] = collections.Counter()
        slowest = 0.0
        for data in given.values():
            for _ in range(-(-times // len(given))):
                changed = damaged(data, rng)
                start = time.perf_counter()
                outcomes[outcome(path, data, changed)] += 1
                slowest = max(slowest, time.perf_counter() - start)
        after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"{sum(outcomes.values())} damaged files of {len(given)} learners: {dict(outcomes)}")
    print(f"slowest {slowest * 1e3:.1f} ms; peak memory grew by {(after - before) / 1024:.1f} MB")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)

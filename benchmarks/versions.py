"""A checkout beside another one: ``python -m benchmarks.versions ../other-checkout``.

Each version runs in its own process, and they take turns, so that both meet the same noise. The
ratio is the median over the turns of this version to the other: above 1, this one is slower.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.measure import ratio_by_turns

TURNS = 25
HERE = Path(__file__).parents[1]
BLOCK_LEARNERS: list[tuple[str, dict[str, Any]]] = [
    ("braid", {}),
    ("olsf-i", {"budget": 1.0}),
    ("olsf-i", {"budget": 0.01}),
    ("ofs", {"budget": 0.01}),
    ("fsol", {}),
    ("ssol", {}),
    ("fobos", {}),
    ("ada-fobos", {}),
    ("ada-rda", {}),
    ("oco", {}),
]


def cases(rows_of_blocks: int) -> dict[str, Callable[[], object]]:
    """What is measured, by name; only what both versions have may be used here."""
    import braided
    from benchmarks.single_rows import dicts, run
    from benchmarks.sparse_stream import sparse_stream
    from braided import registry

    found: dict[str, Callable[[], object]] = {}
    for width in (20, 100):
        for vocabulary, kind in ((width, "the same names"), (1000, "changing names")):
            rows = dicts(width, vocabulary)
            for learner in (braided.OLSF(), braided.Braid()):
                run(learner, rows)
                name = f"single rows, {width} of {kind}, {type(learner).__name__}"
                found[name] = lambda m=learner, r=rows: run(m, r)
    stream = sparse_stream(rows_of_blocks)
    for name, parameters in BLOCK_LEARNERS:
        settings = ", ".join(f"{key}={value}" for key, value in parameters.items())
        registry.create(name, **parameters).partial_fit(stream[:10])
        found[f"blocks, {name} {settings}".strip()] = lambda n=name, p=parameters: registry.create(
            n, **p
        ).partial_fit(stream)
    return found


def serve(rows_of_blocks: int) -> None:
    """Measure a case whenever its name comes in, and answer with the seconds."""
    from time import perf_counter

    actions = cases(rows_of_blocks)
    print(json.dumps(list(actions)), flush=True)
    for line in sys.stdin:
        action = actions[json.loads(line)]
        start = perf_counter()
        action()
        print(perf_counter() - start, flush=True)


class Version:
    """One version in its own process."""

    def __init__(self, checkout: Path, rows_of_blocks: int) -> None:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([f"{checkout}/src", str(HERE)])}
        arguments = ["--serve", "--rows", str(rows_of_blocks)]
        command = [sys.executable, "-m", "benchmarks.versions", *arguments]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )
        assert self.process.stdout is not None
        self.cases: list[str] = json.loads(self.process.stdout.readline())

    def seconds(self, case: str) -> float:
        """How long a case takes now."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(case) + "\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("other", nargs="?", type=Path, help="the other checkout")
    parser.add_argument("--turns", type=int, default=TURNS)
    parser.add_argument("--only", default="", help="cases whose names begin like this")
    parser.add_argument("--rows", type=int, default=20_000, help="rows of the block cases")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.serve:
        serve(given.rows)
        return
    versions = Version(HERE, given.rows), Version(given.other.absolute(), given.rows)
    print(f"{'case':52} {'this, ms':>9} {'other, ms':>9} {'this / other':>12}")
    for case in versions[0].cases:
        if not case.startswith(given.only):
            continue
        times: tuple[list[float], list[float]] = ([], [])
        for _ in range(given.turns):
            for version, its_times in zip(versions, times, strict=True):
                its_times.append(version.seconds(case))
        best = [1e3 * min(its_times) for its_times in times]
        ratio = ratio_by_turns(*times)
        print(f"{case:52} {best[0]:9.2f} {best[1]:9.2f} {ratio:12.3f}", flush=True)


if __name__ == "__main__":
    main()

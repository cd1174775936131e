"""CPU seconds until something answers: the command, the package, a learner's first rows."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

RUNS = 5
COLD_RUNS = 2

LEARN = """
from braided import {learner}
model = {learner}()
model.learn_one({{"a": 1.0, "b": 2.0}}, 1)
model.learn_one({{"a": 1.5, "b": -2.0}}, 0)
"""

ROWS = "a,b,label\n1,2,yes\n0.5,-1,no\n-2,0.25,yes\n"


def seconds(runs: int, *arguments: str, cache: str | None = None) -> float:
    """The least CPU time of a process, since other processes only ever add to it."""
    return min(_once(arguments, cache) for _ in range(runs))


def _once(arguments: tuple[str, ...], cache: str | None) -> float:
    with tempfile.TemporaryDirectory() as empty:
        environment = {**os.environ, "NUMBA_CACHE_DIR": cache or empty, "BRAIDED_QUIET": "1"}
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [sys.executable, *arguments]
        subprocess.run(command, env=environment, check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def show(what: str, measured: float, at_most: float | None = None) -> None:
    limit = "" if at_most is None else f" (at most {at_most:g})"
    print(f"{what:40s} {measured:6.2f} s{limit}")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        rows, cache = Path(folder, "rows.csv"), str(Path(folder, "cache"))
        rows.write_text(ROWS)
        train = (
            "-m",
            "braided",
            "train",
            str(rows),
            "--overwrite",
            "--model",
            f"{folder}/m.braided",
        )

        def warm(what: str, *arguments: str, at_most: float | None = None) -> None:
            seconds(1, *arguments, cache=cache)  # fills the cache
            show(what, seconds(RUNS, *arguments, cache=cache), at_most)

        warm("python -c pass", "-c", "pass")
        warm("import numba", "-c", "import numba")
        warm("braided --help", "-m", "braided", "--help", at_most=0.25)
        warm("import a learner", "-c", "from braided import Braid")
        warm("Braid, two rows", "-c", LEARN.format(learner="Braid"), at_most=0.6)
        warm("braided train", *train)
    for learner, limit in (("Braid", 6.0), ("OLSF", 3.0), ("OCO", 3.0)):
        cold = seconds(COLD_RUNS, "-c", LEARN.format(learner=learner))
        show(f"{learner}, two rows, nothing compiled", cold, limit)


if __name__ == "__main__":
    main()

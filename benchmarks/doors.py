"""Training from files of every format: processor time, all in, beside Vowpal Wabbit's own.

``python -m benchmarks.doors`` trains from VW text and svmlight (200,000 rows of 46 words) and from
JSON lines and CSV (100,000 records of 25 fields). ``--rows N`` takes fewer rows of each.
``--memory FORMAT`` trains from one large file (``--megabytes``) and shows the most memory it took.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from benchmarks.door_files import write_large, write_records, write_words

ROWS, RECORDS, RUNS = 200_000, 100_000, 3
MOST_TIMES_VW = 2.5
MOST_MICROSECONDS = {"jsonl": 6.0, "csv": 4.0}
MOST_WALL = 0.7
MEGABYTES, MOST_MEGABYTES = 1000, 400
TRAIN = """
import sys

from braided.cli import main

code = main(["train", *sys.argv[1:]])
# Not ru_maxrss: a new process starts with that of the one that made it.
with open("/proc/self/status") as status:
    peak = next(line.split()[1] for line in status if line.startswith("VmHWM"))
print(int(peak) / 1024)
sys.exit(code)
"""
VOWPAL_WABBIT = """
import sys, time

import vowpalwabbit

start = time.process_time()
vowpalwabbit.Workspace(f"-d {sys.argv[1]} --loss_function logistic -b 22 --quiet").finish()
print(time.process_time() - start)
"""


@dataclass
class Cost:
    """What a process took: seconds of processors and of the clock, and what it printed last."""

    cpu: float
    wall: float
    told: float


def cost_of(command: Sequence[str]) -> Cost:
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    ran = subprocess.run(
        [sys.executable, *command], check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Cost(cpu, wall, float(ran.stdout.split()[-1]))


def train(path: Path, *options: str) -> Cost:
    model = path.with_suffix(".braided")
    options = options or ("--learner", "oco")
    return cost_of(["-c", TRAIN, str(path), "--model", str(model), "--overwrite", *options])


def first_rows(path: Path, kind: str) -> Path:
    """A file of the first two rows of another."""
    short = path.with_name(f"short-{path.name}")
    with path.open() as file:
        short.write_text("".join(next(file) for _ in range(3 if kind == "csv" else 2)))
    return short


def least(costs: Sequence[Cost]) -> Cost:
    """The one that took the least of the processor: noise only ever adds."""
    return min(costs, key=lambda cost: cost.cpu)


def show(door: str, path: Path, kind: str, rows: int, entries: int) -> Cost:
    """Train from a file, and print a line of the table."""
    short = first_rows(path, kind)
    train(short)  # kernels are compiled
    start = least([train(short) for _ in range(RUNS)])
    cost = least([train(path) for _ in range(RUNS)])
    learning = cost.cpu - start.cpu
    most = MOST_MICROSECONDS.get(kind)
    told = "" if most is None else f"  (at most {most:g} us, all in)"
    print(
        f"{door:12} {cost.cpu:7.2f} {cost.cpu / rows * 1e6:9.2f} {learning / rows * 1e6:9.2f} "
        f"{cost.cpu / entries * 1e9:9.0f} {learning / entries * 1e9:9.0f} "
        f"{cost.wall / cost.cpu:9.2f}{told}",
        flush=True,
    )
    return cost


def speed(rows: int | None = None) -> None:
    """The table of all formats."""
    many, records = (ROWS, RECORDS) if rows is None else (rows, rows)
    print(f"{os.cpu_count()} cores; rows of words: {many:,}; records of 25 fields: {records:,}")
    print("                                all in   no start    all in  no start")
    print("format         CPU s  us/record us/record ns/feature ns/feature  wall/CPU")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        vw, svmlight = folder / "words.vw", folder / "words.svm"
        entries = write_words(vw, svmlight, many)
        ours = show("vw", vw, "vw", many, entries)
        show("svmlight", svmlight, "svmlight", many, entries)
        for kind in ("jsonl", "csv"):
            for text in (False, True):
                path = folder / f"records{'-text' * text}.{kind}"
                write_records(path, kind, records, text=text)
                show(kind + " + text" * text, path, kind, records, 25 * records)
        print(f"wall/CPU: at most {MOST_WALL} from a large file, on two cores")
        if find_spec("vowpalwabbit") is None:
            print("Vowpal Wabbit is not installed (pip install vowpalwabbit): nothing to compare")
            return
        theirs = min(cost_of(["-c", VOWPAL_WABBIT, str(vw)]).told for _ in range(RUNS))
        print(
            f"VW text: {ours.cpu / theirs:.2f} times Vowpal Wabbit's own {theirs:.2f} s, without "
            f"the start of Python (at most {MOST_TIMES_VW})"
        )


def memory(kind: str, megabytes: int) -> None:
    """Train from a large file; where names grow for ever, with a budget."""
    learner = ["--learner", "braid", "--set", "budget=1000"] if kind == "vw" else []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"large.{kind}"
        write_large(path, kind, megabytes)
        cost = train(path, *learner)
        print(
            f"{kind}: {path.stat().st_size / 1e6:.0f} MB trained in {cost.told:.0f} MB "
            f"(at most {MOST_MEGABYTES}), {cost.cpu:.0f} s of the processor, wall/CPU "
            f"{cost.wall / cost.cpu:.2f} (at most {MOST_WALL} on two cores)"
        )


def main(arguments: Sequence[str] = ()) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int)
    parser.add_argument("--memory", choices=("vw", "svmlight", "jsonl", "csv"))
    parser.add_argument("--megabytes", type=int, default=MEGABYTES)
    options = parser.parse_args(arguments)
    if options.memory:
        memory(options.memory, options.megabytes)
    else:
        speed(options.rows)


if __name__ == "__main__":
    main(sys.argv[1:])

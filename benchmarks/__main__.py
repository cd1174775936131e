"""``make bench``: every measurement, each as a ratio to a baseline of the same run.

The ratios are appended to ``benchmarks/history.json``; what got slower by the rule of
``benchmarks/history.py`` is told, and makes the exit code 1. ``python -m benchmarks single_rows``
runs the parts that are named.
"""

from __future__ import annotations

import sys

from benchmarks import (
    comparing,
    doors,
    evaluation,
    history,
    reading,
    single_rows,
    sparse_rows,
    start,
    varying,
)

PARTS = (sparse_rows, evaluation, single_rows, varying, reading, doors, comparing, start)


def main(names: list[str]) -> int:
    by_name = {part.__name__.rpartition(".")[2]: part for part in PARTS}
    if unknown := set(names) - set(by_name):
        print(f"no part {', '.join(sorted(unknown))}: choose of {', '.join(by_name)}")
        return 2
    for name in names or by_name:
        print(f"\n## {by_name[name].__doc__}\n")
        by_name[name].main()
    before = history.load()
    slower = history.regressions(history.append(history.noted()), before)
    print("\n".join(["", "Slower than it was:", *slower]) if slower else "\nNothing got slower.")
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

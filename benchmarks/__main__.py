"""``make bench``: every measurement, each as a ratio to a baseline of the same run."""

from __future__ import annotations

from benchmarks import (
    comparing,
    doors,
    evaluation,
    reading,
    single_rows,
    sparse_rows,
    start,
    varying,
)


def main() -> None:
    for part in (sparse_rows, evaluation, single_rows, varying, reading, doors, comparing, start):
        print(f"\n## {part.__doc__}\n")
        part.main()


if __name__ == "__main__":
    main()

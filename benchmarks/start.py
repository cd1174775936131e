"""How long it takes until the command answers and the package is imported."""

from __future__ import annotations

import subprocess
import sys

from benchmarks.measure import best_of

RUNS = 5


def seconds(*arguments: str) -> float:
    command = [sys.executable, *arguments]
    return best_of(RUNS, lambda: subprocess.run(command, check=True, capture_output=True))


def main() -> None:
    python = seconds("-c", "pass")
    print(f"python -c pass         {python:.2f} s")
    print(f"braided --help         {seconds('-m', 'braided', '--help'):.2f} s (at most 0.5)")
    print(f"import braided         {seconds('-c', 'import braided'):.2f} s")
    print(f"import a learner       {seconds('-c', 'from braided import OLSF'):.2f} s")


if __name__ == "__main__":
    main()

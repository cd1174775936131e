"""The ratios of earlier runs: what ``make bench`` appends, and when a change is a regression.

A ratio is a time of Braided divided by that of a baseline in the same run, so that machines of one
kind can be compared. The rule: a ratio is a regression if it is more than a quarter above the
median of the last five runs on the same kind of machine. One run may be bad luck: run again before
you believe it.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from statistics import median
from typing import Any

FILE = Path(__file__).with_name("history.json")
RUNS = 5
TOO_MUCH = 1.25

_ratios: dict[str, float] = {}


def note(name: str, ratio: float) -> float:
    """Keep a ratio of this run, and return it."""
    _ratios[name] = round(ratio, 3)
    return ratio


def noted() -> dict[str, float]:
    """The ratios of this run so far."""
    return dict(_ratios)


def machine() -> str:
    """The kind of this machine: what makes ratios differ, and nothing that names it."""
    model = platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        model = next(line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration, IndexError):
        pass
    return f"{model}, {os.cpu_count()} cores"


def commit() -> str:
    """The commit that is measured; with + if files are changed."""
    here = Path(__file__).parent

    def git(*arguments: str) -> str:
        done = subprocess.run(["git", *arguments], cwd=here, capture_output=True, text=True)
        return done.stdout.strip()

    return (git("rev-parse", "--short", "HEAD") or "unknown") + "+" * bool(git("diff", "--stat"))


def load(path: Path = FILE) -> list[dict[str, Any]]:
    """All runs, the oldest first."""
    runs: list[dict[str, Any]] = json.loads(path.read_text()) if path.is_file() else []
    return runs


def append(ratios: Mapping[str, float], path: Path = FILE) -> dict[str, Any]:
    """Add a run to the file, and return it."""
    run = {
        "date": date.today().isoformat(),
        "commit": commit(),
        "machine": machine(),
        "python": platform.python_version(),
        "ratios": dict(ratios),
    }
    path.write_text(json.dumps([*load(path), run], indent=1) + "\n")
    return run


def regressions(run: Mapping[str, Any], before: Sequence[Mapping[str, Any]]) -> list[str]:
    """What is slower than it was, by the rule, in words.

    Parameters
    ----------
    run : mapping
        The run.
    before : sequence of mapping
        The runs before it, the oldest first.

    Examples
    --------
    >>> runs = [{"machine": "m", "ratios": {"olsf": ratio}} for ratio in (1.0, 1.1)]
    >>> regressions({"machine": "m", "ratios": {"olsf": 1.4}}, runs)
    ['olsf: 1.4, where the last 2 runs had 1.05']
    >>> regressions({"machine": "m", "ratios": {"olsf": 1.3}}, runs)
    []
    >>> regressions({"machine": "another", "ratios": {"olsf": 9.0}}, runs)
    []
    """
    found = []
    for name, ratio in run["ratios"].items():
        same = [r for r in before if r["machine"] == run["machine"] and name in r["ratios"]]
        usual = [r["ratios"][name] for r in same[-RUNS:]]
        if usual and ratio > TOO_MUCH * median(usual):
            had = f"the last {len(usual)} runs had" if len(usual) > 1 else "the last run had"
            found.append(f"{name}: {ratio:g}, where {had} {median(usual):g}")
    return found

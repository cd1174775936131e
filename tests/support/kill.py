"""A training that is killed at random moments, and resumed until it is done.

``python -m tests.support.kill 50`` kills this many times, and compares every model that was
finished with one that was never interrupted.
"""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from braided.cli import main as braided
from tests.support.streams_of_rows import long_stream

LEARNERS = (
    ("olsf", "budget=0.3"),
    ("ada-rda", "clock=feature"),
    ("glsc", "budget=20"),
    ("olsf", "selection=random", "budget=12"),
    ("fesl", "width=40"),
)


def write_data(path: Path, rounds: int) -> None:
    lines = []
    for x, y in long_stream(seed=11, rounds=rounds, features=50):
        entries = sorted((int(name[1:]) + 1, value) for name, value in x.items())
        lines.append(" ".join([str(y), *(f"{column}:{value!r}" for column, value in entries)]))
    path.write_text("\n".join(lines) + "\n")


def arguments(data: Path, model: Path, learner: tuple[str, ...], every: int) -> list[str]:
    settings = [part for setting in learner[1:] for part in ("--set", setting)]
    return [
        *("train", str(data), "--learner", learner[0], *settings),
        *("--model", str(model), "--checkpoint", f"every={every}", "--resume"),
    ]


def started(command: list[str]) -> int:
    """A process of its own that trains; it is forked, so that nothing is spent on its start."""
    sys.stdout.flush()
    process = os.fork()
    if process == 0:
        with open(os.devnull, "w") as nowhere:
            os.dup2(nowhere.fileno(), 1)
        os._exit(braided(command))
    return process


def killed(process: int, after: float) -> bool:
    """Kill it after so many seconds; False if it was done before."""
    time.sleep(after)
    os.kill(process, signal.SIGKILL)
    _, status = os.waitpid(process, 0)
    assert os.WIFSIGNALED(status) or os.waitstatus_to_exitcode(status) == 0
    return os.WIFSIGNALED(status)


def kill_and_resume(
    folder: Path,
    kills: int,
    learners: tuple[tuple[str, ...], ...] = LEARNERS,
    *,
    rounds: int = 1000,
) -> tuple[int, int]:
    """How many were killed, and how many of the trainings were finished, all as they should be."""
    rng = np.random.default_rng(0)
    data, whole, model = folder / "rows.svm", folder / "whole.braided", folder / "m.braided"
    write_data(data, rounds)
    done = trainings = 0
    while done < kills:
        learner = learners[trainings % len(learners)]
        whole.unlink(missing_ok=True)
        model.unlink(missing_ok=True)
        braided(arguments(data, whole, learner, every=5))  # compiles what is to be compiled
        whole.unlink()
        start = time.perf_counter()
        assert os.waitpid(started(arguments(data, whole, learner, every=5)), 0)[1] == 0
        duration = time.perf_counter() - start
        # A training may need several lives: each is about half as long as all of it.
        for _ in range(8):
            if done == kills:
                break
            process = started(arguments(data, model, learner, every=5))
            if not killed(process, float(rng.uniform(0.0, 0.7 * duration))):
                break
            done += 1
        assert os.waitpid(started(arguments(data, model, learner, every=5)), 0)[1] == 0
        assert model.read_bytes() == whole.read_bytes(), learner
        leftovers = [name for name in os.listdir(folder) if name.startswith(".")]
        assert leftovers == [], leftovers
        trainings += 1
    return done, trainings


def main(kills: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        done, trainings = kill_and_resume(Path(folder), kills)
    print(f"{done} kills in {trainings} trainings; every model file is the uninterrupted one's")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 50)

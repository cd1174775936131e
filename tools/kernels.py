"""Compile learners for a CPU that most machines are at least as good as, for wheels.

``python -m tools.kernels FOLDER [LEARNER ...]`` writes what ``braided.compiled.shipped`` reads;
without learners, all of them. A wheel that has it is built, for the platform that this runs on, by

    pip install hatchling
    BRAIDED_KERNELS=1 pip wheel . --no-deps --no-build-isolation

For another platform or version of Python, run the same there: Numba does not compile for others.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path

BASELINES = {
    "x86_64": (
        "x86-64-v3",  # with AVX2: Intel since 2013, AMD since 2015
        ["avx", "avx2", "bmi", "bmi2", "cx16", "f16c", "fma", "lzcnt", "movbe", "popcnt", "sse4.2"],
    ),
    "aarch64": ("generic", []),
    "arm64": ("generic", []),
}
"""By kind of machine: the CPU to compile for, and the features by which it is recognised."""


def compile_into(folder: Path, learners: list[str]) -> None:
    """Compile in a process of its own: Numba looks at these settings when it starts."""
    machine = platform.machine()
    if machine not in BASELINES:
        raise SystemExit(f"no CPU is known to compile for on {machine}: add one to BASELINES")
    with tempfile.TemporaryDirectory() as cache:
        settings = {
            "NUMBA_CACHE_DIR": cache,
            "NUMBA_CPU_NAME": BASELINES[machine][0],
            "NUMBA_CPU_FEATURES": "",
            "NUMBA_DISABLE_INTEL_SVML": "1",
            "BRAIDED_QUIET": "1",
        }
        source = Path(__file__).parents[1] / "src"
        path = os.pathsep.join(filter(None, [str(source), os.environ.get("PYTHONPATH")]))
        command = [sys.executable, __file__, "--here", str(folder), *learners]
        subprocess.run(command, check=True, env={**os.environ, **settings, "PYTHONPATH": path})


def compile_here(folder: Path, learners: list[str]) -> None:
    from braided.cli.compile import use_once
    from braided.compiled import jit, shipped
    from braided.registry import LEARNERS

    folder.mkdir(parents=True, exist_ok=True)
    jit.SHIP_TO.append(folder)
    for name in learners or [entry.name for entry in LEARNERS if entry.alias_of is None]:
        use_once(name)
    manifest = {**shipped.compiled_by(), "needs": BASELINES[platform.machine()][1]}
    (folder / shipped.MANIFEST).write_text(json.dumps(manifest, indent=2) + "\n")


def main() -> None:
    first, *rest = sys.argv[1:]
    if first == "--here":
        compile_here(Path(rest[0]), rest[1:])
    else:
        compile_into(Path(first), rest)


if __name__ == "__main__":
    main()

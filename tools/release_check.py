"""``make release-check``: is what would be released whole? Nothing is uploaded.

Builds sdist and wheel, installs the wheel into a fresh environment, and runs there, outside of this
checkout: the code of the README, every example, and a part of the tests that comes in the sdist.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).parents[1]
TESTS = (
    "tests/learner/test_learner.py",
    "tests/learners/test_oco.py",
    "tests/records",
    "tests/model_files",
    "tests/golden",
)
"""Without the source folder: the tests run against what was installed."""

TESTERS = ("pytest", "hypothesis", "pandas", "polars", "river", "safetensors")


def run(*command: str | Path, at: Path = ROOT, **environment: str) -> str:
    """Run a command; one that fails ends the check."""
    clean = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run(
        [str(part) for part in command],
        cwd=at,
        env={**clean, "BRAIDED_QUIET": "1", "MPLBACKEND": "agg", **environment},
        capture_output=True,
        text=True,
    )
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout[-5000:]}\n{done.stderr[-5000:]}")
    return done.stdout


def check(folder: Path) -> None:
    """All steps, in a folder that is empty."""
    run(sys.executable, "-m", "hatchling", "build", "-d", folder / "dist")
    wheel, sdist = (next((folder / "dist").glob(kind)) for kind in ("*.whl", "*.tar.gz"))
    print(f"built {wheel.name} ({wheel.stat().st_size / 1e6:.1f} MB), {sdist.name}", flush=True)

    venv.create(folder / "venv", with_pip=True)
    python = folder / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python"
    pip = (python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    run(*pip, f"{wheel}[report,io]", *TESTERS)
    empty = folder / "empty"
    empty.mkdir()
    where = run(python, "-c", "import braided; print(braided.__file__)", at=empty).strip()
    if not where.startswith(str(folder)):
        sys.exit(f"not the installed package: {where}")
    version = run(python, "-m", "braided", "--version", at=empty).split()[-1]
    if version not in wheel.name:
        sys.exit(f"{wheel.name} says that it is {version}")
    print(f"installed braided {version}", flush=True)

    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    code = re.search(r"^```python\n(.*?)^```$", readme, re.MULTILINE | re.DOTALL)
    if code is None:
        sys.exit("the README has no Python")
    run(python, "-c", code[1], at=empty)
    print("the code of the README runs", flush=True)

    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    source = next(path for path in folder.glob("braided-*") if path.is_dir())
    for example in sorted((source / "examples").glob("*.py")):
        run(python, example, at=empty)
        print(f"examples/{example.name} runs", flush=True)

    (source / "src").rename(source / "not-here")  # what is tested is what was installed
    told = run(python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *TESTS, at=source)
    print(told.strip().splitlines()[-1] if told.strip() else "the tests pass", flush=True)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        check(Path(name))
    print("ready: see CONTRIBUTING.md, A release")

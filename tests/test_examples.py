"""The examples are whole programs: each runs, and prints what it promises."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tools import notebooks

EXAMPLES = Path(__file__).parents[1] / "examples"
PRINTED = {
    "spam_late_labels": r"([0-9.]+)% of the mails were classified wrongly",
    "sensors_come_and_go": r"Braid, unobserved +([0-9.]+)% wrong",
    "csv_days": r"([0-9.]+)% of Friday's rows are predicted right",
    "budget_of_20": r"Braid\(budget=20\) +([0-9.]+)%",
    "costs_of_features": r"([0-9.]+)% wrong on the way",
    "text_pipeline_sklearn": r"Braid on texts: ([0-9.]+)% wrong",
    "pipeline_river": r"Braid, raw values +Accuracy: ([0-9.]+)%",
    "orders": None,
}
"""What is found in the output of each, and between which numbers."""

BETWEEN = {
    "spam_late_labels": (4, 10),
    "sensors_come_and_go": (4, 14),
    "csv_days": (65, 85),
    "budget_of_20": (7, 13),
    "costs_of_features": (8, 20),
    "text_pipeline_sklearn": (0, 12),
    "pipeline_river": (89, 94),
}
NEEDS = {"pipeline_river": ["river"], "text_pipeline_sklearn": ["sklearn"]}
NEEDS |= {name: ["matplotlib"] for name in notebooks.NAMES}


def test_every_example_is_known():
    assert {path.stem for path in EXAMPLES.glob("*.py")} == set(PRINTED)


@pytest.mark.parametrize("name", PRINTED)
def test_an_example_runs(name, tmp_path):
    for package in NEEDS.get(name, []):
        pytest.importorskip(package)
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / f"{name}.py")],
        cwd=tmp_path,
        env={**os.environ, "MPLBACKEND": "agg", "BRAIDED_QUIET": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    if PRINTED[name] is not None:
        found = re.search(PRINTED[name], done.stdout)
        assert found, done.stdout
        least, most = BETWEEN[name]
        assert least <= float(found[1]) <= most, done.stdout


@pytest.mark.parametrize("name", notebooks.NAMES)
def test_a_notebook_is_the_program_run_with_pictures(name):
    """``python -m tools.notebooks`` makes them."""
    notebook = json.loads((EXAMPLES / f"{name}.ipynb").read_text(encoding="utf-8"))
    program = (EXAMPLES / f"{name}.py").read_text(encoding="utf-8")
    cells = [(cell["cell_type"], "".join(cell["source"])) for cell in notebook["cells"]]
    assert cells == notebooks.cells_of(program)
    outputs = [out for cell in notebook["cells"] for out in cell.get("outputs", [])]
    assert not any(out["output_type"] == "error" for out in outputs)
    assert any("image/png" in out.get("data", {}) for out in outputs)
    ran = [cell["execution_count"] for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert ran == list(range(1, len(ran) + 1))

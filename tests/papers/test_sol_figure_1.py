"""Figure 1 of the SOL paper: SSOL has the smallest test error when the model must be sparse."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

sparsity = pytest.importorskip("benchmarks.sparsity", reason="comes with the repository only")

DATA = os.environ.get("BRAIDED_DATA", str(Path(__file__).parents[3] / "shared" / "data"))
SET = "20news_rec_vs_sci"
# What cross-validation without a penalty chooses most often (python -m benchmarks.sparsity).
CHOSEN = {
    "stg": {"step": 4.0},
    "fobos": {"step": 4.0},
    "ada-fobos": {"step": 0.5},
    "ada-rda": {"step": 0.5},
    "fsol": {"step": 4.0},
    "ssol": {"r": 2.0**-5, "step": 4.0},
}


def test_ssol_is_the_best_of_six_at_every_level_of_sparsity(monkeypatch):
    if not (Path(DATA) / f"{SET}.svm.gz").exists():
        pytest.skip(f"needs {SET}.svm.gz in the folder BRAIDED_DATA")
    monkeypatch.setenv("BRAIDED_DATA", DATA)
    monkeypatch.setattr(sparsity, "tuned", lambda name, train: CHOSEN[name])
    data = sparsity.read(SET)
    errors = {name: sparsity.errors(data, name, seed=0, of="all")[0] for name in CHOSEN}
    for column in range(1, 1 + len(sparsity.LEVELS)):
        assert min(errors, key=lambda name: errors[name][column]) == "ssol"
    assert errors["ssol"][-1] <= 5.0

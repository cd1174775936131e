"""Table 3 of the OLSF paper, as far as it can be had again: errors of OLSF, 20 permutations."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from braided.cli import main

DATA = os.environ.get("BRAIDED_DATA", str(Path(__file__).parents[3] / "shared" / "data"))
COMMAND = (
    "--learner olsf --set variant=hard --set budget=0.5 --set radius=30 --stream trapezoidal "
    "--scale zscore+unit --repeats 20 --json"
)


@pytest.mark.parametrize(("data", "printed"), [("german", 415.9), ("magic04", 8051.3)])
def test_within_5_percent_of_print_for_any_block_size(data, printed, monkeypatch, capsys):
    if not (Path(DATA) / f"{data}.svm.gz").exists():
        pytest.skip(f"needs {data}.svm.gz in the folder BRAIDED_DATA")
    monkeypatch.setenv("BRAIDED_DATA", DATA)
    mistakes = []
    for block in (1024, 37):
        assert main(["evaluate", data, *COMMAND.split(), "--block", str(block)]) == 0
        mistakes.append(json.loads(capsys.readouterr().out)["mistakes_mean"])
    assert mistakes[0] == pytest.approx(printed, rel=0.05)
    assert mistakes[1] == mistakes[0]

"""``braided tune``."""

from __future__ import annotations

import json

import pytest

from braided.cli import main

QUICK = ["tune", "wisconsin", "--learner", "olsf-i"]


def test_says_what_was_chosen_and_how(capsys):
    assert main([*QUICK, "--grid", "aggressiveness=1e-3:1e0:log"]) == 0
    shown = capsys.readouterr().out
    assert "Chosen: --set aggressiveness=" in shown
    assert "reported on the others" in shown


def test_json(capsys):
    grid = ["--grid", "aggressiveness=0.01,0.1", "--grid", "budget=0.5:1:2"]
    assert main([*QUICK, *grid, "--method", "permutations", "--repeats", "2", "--json"]) == 0
    tuned = json.loads(capsys.readouterr().out)
    assert len(tuned["judged"]) == 4
    assert set(tuned["chosen"]) == {"aggressiveness", "budget"}


def test_folds(capsys):
    grid = ["--grid", "aggressiveness=0.01,0.1", "--repeats", "2"]
    assert main([*QUICK, *grid, "--folds", "4"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "chosen by 4-fold cross-validation, reported on 2 shuffles" in shown
    assert main([*QUICK, *grid, "--method", "folds", "--json"]) == 0
    tuned = json.loads(capsys.readouterr().out)
    assert (tuned["method"], len(tuned["judged"])) == ("folds", 2)
    assert main([*QUICK, *grid, "--method", "prefix", "--folds", "4"]) == 2
    assert "--folds=4 goes with --method folds only" in capsys.readouterr().err


@pytest.mark.parametrize(
    "wrong", [["aggressiveness"], ["budget=1:2"], ["variant=IX"], ["x=1"], ["budget=0.1:1:zero"]]
)
def test_errors_are_one_line(capsys, wrong):
    assert main([*QUICK, "--grid", *wrong]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1

"""check_entry finds an expert that says nothing, or no number."""

from __future__ import annotations

import math
import os
import subprocess
import sys

import pytest

from braided import InputError
from braided.checks import EXPERT_CHECKS, check_entry
from braided.registry import EXPERTS, ExpertEntry

SILENT = """
from braided import register
from braided.checks import check_entry
from braided.compiled.jit import inlined
from braided.learners.braid.experts import Expert
from braided.registry import ExpertEntry

@inlined
def start(own):
    return 0.0

@inlined
def add(total, experts, facts, value):
    return total

@inlined
def logit(total, own, facts):
    return total

@inlined
def begin(own, facts, label, weight):
    return label

@inlined
def learn(step, experts, value):
    return

entry = ExpertEntry("silent", Expert(start, add, logit, begin, learn), "says nothing")
register(entry)
try:
    check_entry(entry)
except AssertionError as error:
    print(error)
print(check_entry(entry, skip=["check_expert_learns"])["check_one_by_one_equals_in_blocks"])
"""


def test_an_expert_that_says_nothing(tmp_path):
    (tmp_path / "silent.py").write_text(SILENT)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, str(tmp_path / "silent.py")],
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("expert silent breaks a promise: On rows that tell the label")
    assert "check: check_expert_learns\n  the loss of silent\n  expected: less than 0.693" in (
        done.stdout
    )
    assert done.stdout.endswith("held\n")


@pytest.mark.parametrize("told", [{}, {"AROW": {"share": 0.1, "loss": math.nan}}])
def test_an_expert_that_is_left_out_or_says_no_number(monkeypatch, told):
    monkeypatch.setattr("braided.learners.braid.Braid.experts", lambda self: told)
    with pytest.raises(AssertionError, match="check: check_expert_is_part_of_braid"):
        check_entry(EXPERTS.find("AROW"))


def test_there_are_no_other_checks_of_the_expert_itself():
    names = [check.__name__ for check in EXPERT_CHECKS]
    assert names == ["check_expert_is_part_of_braid", "check_expert_learns"]


def test_an_expert_must_be_registered():
    entry = ExpertEntry("mine", EXPERTS.find("AROW").home, "not registered")
    with pytest.raises(InputError, match="expert 'mine' is not registered"):
        check_entry(entry)

"""``braided compile``: learners are compiled ahead of their first use."""

import os
import subprocess
import sys

import pytest


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    """What the command says, the first time and the second, with a cache of its own."""
    folder = tmp_path_factory.mktemp("cache")
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder), "BRAIDED_SHIPPED_KERNELS": "0"}
    command = [sys.executable, "-m", "braided", "compile", "oco"]
    return [
        subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        for _ in range(2)
    ]


def test_it_says_what_it_compiled_and_how_long_it_took(answers):
    learner, readers, last = answers[0].stdout.splitlines()
    assert learner.startswith("oco: ")
    assert readers.startswith("readers of files: ")
    assert all("functions in " in line for line in (learner, readers))
    assert last.startswith("compiled in ")


def test_the_second_time_there_is_nothing_to_do(answers):
    told = ["oco: was compiled", "readers of files: was compiled", "nothing was left to compile"]
    assert answers[1].stdout.splitlines() == told
    assert answers[1].stderr == ""


def test_a_wrong_name_is_refused_before_anything_is_compiled(refused):
    assert "did you mean 'oco'" in refused("compile", "braid", "ocoo")


def test_all_needs_no_names(refused):
    assert "--all" in refused("compile", "--all", "oco")

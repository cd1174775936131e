"""How kernels are compiled, and what is done where nothing can be kept on disk."""

import os
import subprocess
import sys

import numba
import pytest

from braided.compiled import jit


def test_without_a_place_on_disk_each_process_compiles_for_itself(monkeypatch):
    asked = []

    def njit(**options):
        asked.append(options.get("cache", False))
        if asked[-1]:
            raise RuntimeError("cannot cache function: no locator available")
        return numba.njit(**options)

    monkeypatch.setattr(jit, "njit", njit)
    double = jit.kept_on_disk(lambda x: 2 * x, nogil=True)
    assert (double(4), asked) == (8, [True, False])


def test_a_place_on_disk_is_used():
    @jit.cached
    def double(x):
        return 2 * x

    assert double(4) == 8
    assert double.stats.cache_path


def test_kernels_without_an_entry_say_so():
    @jit.inlined
    def two() -> int:
        return 2

    @jit.compiled
    def three() -> int:
        return two() + 1

    assert three() == 3
    with pytest.raises(TypeError, match="two is a part of other kernels"):
        two()


OUTSIDE = """
from typing import NamedTuple

import numpy as np

from braided import Learner
from braided.compiled import kernel_table
from braided.compiled.jit import compiled


class Parameters(NamedTuple):
    step: float


class State(NamedTuple):
    rounds: np.ndarray
    seen: np.ndarray
    weight: np.ndarray


class Outside(Learner):
    def check_parameters(self):
        pass

    def kernel_parameters(self):
        return Parameters(1.0)

    def new_state(self, capacity):
        return State(np.zeros(1, np.int64), np.zeros(1, np.int64), np.zeros(capacity))

    def linear_weights(self, state):
        return state.weight


@compiled
def score(state, params, indices, values):
    return 0.0


@compiled
def update(state, params, indices, values, square, label, score, weight):
    state.weight[indices[0]] += FACTOR


kernel_table.register(State, score=score, update=update)
"""

LEARN_OUTSIDE = """
from outside import Outside
model = Outside()
model.learn_one({"a": 1.0}, 1)
print(model.engine.linear_weights()[0])
"""

LEARN_INSIDE = """
from braided import OCO
model = OCO()
model.learn_one({"a": 1.0}, 1)
print(model.engine.linear_weights()[0])
"""


def test_kernels_from_outside_are_never_stale_and_never_missed(tmp_path):
    def run(code):
        path = os.pathsep.join([str(tmp_path), *sys.path])
        environment = {**os.environ, "PYTHONPATH": path}
        done = subprocess.run(
            [sys.executable, "-c", code], env=environment, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return float(done.stdout)

    module = tmp_path / "outside.py"
    for factor in (1.0, 7.0):
        module.write_text(OUTSIDE.replace("FACTOR", str(factor)))
        assert run(LEARN_OUTSIDE) == factor
    module.unlink()
    assert run(LEARN_INSIDE) == 0.5


def test_loops_with_kernels_that_have_no_file_are_not_looked_for_on_disk():
    found = """
from braided.compiled import jit, loops
{}
from braided import OCO
OCO().learn_one({{"a": 1.0}}, 1)
print(sum(loops.learn_rows.stats.cache_hits.values()))
"""
    hits = [
        subprocess.run(
            [sys.executable, "-c", found.format(first)], capture_output=True, text=True, check=True
        ).stdout.strip()
        for first in ("", "", "jit.include_source('<stdin>')")  # the first may have to compile it
    ]
    assert hits[1:] == ["1", "0"]


def test_a_learner_can_be_written_at_a_prompt():
    code = OUTSIDE.replace("FACTOR", "3.0") + LEARN_OUTSIDE.replace("from outside", "from __main__")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.stdout.strip(), done.stderr) == ("3.0", "")


def test_kernels_can_print_while_they_are_written():
    code = """
import numpy as np
from braided.compiled.jit import compiled, inlined, kept_on_disk

@inlined
def inner(values):
    print("inner", values)

@compiled
def outer(values):
    print("outer", values[0])
    inner(values)

def loop(values):
    outer(values)

outer(np.ones(1))
kept_on_disk(loop)(np.ones(2))
"""
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True
    )
    assert ran.stdout == "outer 1.0\ninner [1.]\nouter 1.0\ninner [1. 1.]\n"

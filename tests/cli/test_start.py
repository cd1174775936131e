"""Starting the command: quickly, and in every way it can be started."""

import subprocess
import sys

import pytest

import braided as package

HEAVY = {"llvmlite", "numba", "numpy", "pandas", "scipy", "sklearn"}


def python(*args):
    return subprocess.run([sys.executable, *args], capture_output=True, text=True, check=True)


@pytest.mark.parametrize("args", [["--help"], ["evaluate", "--help"], ["--version"]])
def test_help_imports_nothing_heavy(args):
    ran = python("-X", "importtime", "-m", "braided", *args)
    imported = {line.rpartition("|")[2].strip() for line in ran.stderr.splitlines()}
    assert "braided.cli" in imported
    assert not {name.partition(".")[0] for name in imported} & HEAVY


def test_registry_imports_nothing_heavy():
    ran = python("-c", "import braided.registry, sys; print(*sys.modules)")
    assert not {name.partition(".")[0] for name in ran.stdout.split()} & HEAVY


def test_a_stream_is_learned_without_scikit_learn_and_pandas(tmp_path):
    rows = tmp_path / "rows.svm"
    rows.write_text("1 1:0.5 2:1\n-1 1:-0.5\n")
    ran = python(
        "-X", "importtime", "-m", "braided", "train", str(rows), "--model", f"{tmp_path}/m.braided"
    )
    imported = {
        line.rpartition("|")[2].strip().partition(".")[0] for line in ran.stderr.split("\n")
    }
    assert "numba" in imported
    assert not imported & {"pandas", "pyarrow", "sklearn"}


def test_a_warm_start_imports_only_what_it_uses():
    code = """
import sys
from braided import Braid
model = Braid()
model.learn_one({"a": 1.0}, 1)
model.learn_one({"a": 0.5}, 0)
print(*sys.modules)
"""
    python("-c", code)  # it may have to compile
    loaded = set(python("-c", code).stdout.split())
    assert "numba" in loaded
    assert not loaded & {
        "braided.cli",
        "braided.evaluate",
        "braided.readers",
        "braided.report",
        "narwhals",
        "numba.cuda",
        "numpy.f2py",
        "pandas",
        "pyarrow",
        "rich",
        "scipy.linalg",
        "scipy.sparse",
        "scipy.special",
        "sklearn",
        "typer",
    }


def test_linear_algebra_still_works_in_numba():
    code = """
import numba, numpy as np
from braided import OCO
OCO().learn_one({"a": 1.0}, 1)
print(numba.njit(lambda a: (a @ a)[0, 0])(2.0 * np.eye(2)))
"""
    assert python("-W", "ignore", "-c", code).stdout == "4.0\n"


def test_help_names_all_commands(braided):
    code, out, err = braided("--help")
    assert (code, err) == (0, "")
    for command in ("learners", "datasets", "evaluate", "demo"):
        assert command in out


def test_bare_command_shows_the_help(braided):
    assert braided() == braided("--help")


def test_version(braided):
    assert braided("--version") == (0, f"braided {package.__version__}\n", "")


def test_unknown_command_lists_the_commands(refused):
    assert refused("evalute", "german").endswith(
        "choose one of demo, evaluate, compare, tune, train, predict, serve, merge, inspect, "
        "reproduce, learners, datasets, compile"
    )


@pytest.mark.parametrize("args", [["--frob"], ["learners", "x"], ["demo", "--slow"]])
def test_wrong_usage(refused, args):
    assert "--help'" in refused(*args)


@pytest.mark.parametrize("error", [PermissionError(13, "Permission denied", "/data")])
def test_files_that_the_system_refuses(refused, monkeypatch, error):
    def fail():
        raise error

    monkeypatch.setattr("braided.datasets.names", fail)
    assert "Permission denied" in refused("evaluate", "german")

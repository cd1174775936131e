"""Another package adds a learner, expert, metric, format, shape and chart; nothing here is touched.

The package is real: a module and its metadata in a folder on the path, found by its entry point.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import tests.support

PLUGIN = Path(tests.support.__file__).parent / "toy_plugin.py"


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A folder with the package, as an installer would leave it."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "toy_plugin.py").write_text(PLUGIN.read_text())
    metadata = folder / "toy_plugin-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: toy-plugin\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text("[braided.plugins]\ntoys = toy_plugin\n")
    (folder / "rows.toy").write_text("yes: cheap now\nno: lunch now\n" * 30)
    return folder


def python(folder, *arguments) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join(filter(None, (str(folder), os.environ.get("PYTHONPATH"))))
    environment = {**os.environ, "PYTHONPATH": path, "COLUMNS": "200", "NO_COLOR": "1"}
    return subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, env=environment, cwd=folder
    )


def braided(folder, *arguments) -> str:
    done = python(folder, "-m", "braided", *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_help_knows_them(installed):
    shown = " ".join(braided(installed, "evaluate", "--help").split())
    for word in ("toy_decisiveness", "toy-reversed", "--hide", "Number of columns that are hidden"):
        assert word in shown
    assert "toy," in shown.replace("toy ", "toy, ")  # among the formats
    learners = braided(installed, "learners")
    assert "toy-perceptron" in learners
    assert "A perceptron from outside" in learners
    assert "toy expert" in learners


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        (["--learner", "nothing"], "toy-perceptron"),
        (["--metrics", "nothing"], "toy_decisiveness"),
        (["--stream", "nothing"], "toy-reversed"),
        (["--format", "nothing"], "toy"),
    ],
)
def test_errors_name_them(installed, arguments, name):
    done = python(installed, "-m", "braided", "evaluate", "rows.toy", *arguments)
    assert done.returncode == 2
    assert name in done.stderr.partition("choose one of")[2].replace(",", " ").split()


def test_commands_use_them(installed):
    out = braided(
        installed,
        *("evaluate", "rows.toy", "--learner", "toy-perceptron", "--metrics", "toy_decisiveness"),
        *("--stream", "toy-reversed", "--hide", "1", "--json"),
    )
    result = json.loads(out)
    assert result["stream_parameters"] == {"hide": 1}
    assert result["repeats"][0]["toy_decisiveness"] > 0.9
    assert result["error_rate_mean"] < 0.1


def test_models_are_saved_and_loaded(installed):
    braided(installed, "train", "rows.toy", "--learner", "toy-perceptron", "--model", "m.braided")
    assert "ToyPerceptron" in braided(installed, "inspect", "m.braided")


CHECKS = """
import braided, toy_plugin
from braided import checks, registry
from braided.learners.braid import Braid

checks.check_learner(toy_plugin.ToyPerceptron())
for entry in toy_plugin.ENTRIES:
    checks.check_entry(entry)
model = Braid()
for _ in range(30):
    model.learn_one({"cheap": 1.0}, "spam")
    model.learn_one({"lunch": 2.0}, "mail")
assert "toy expert" in model.experts(), model.experts()
assert model.predict_one({"cheap": 1.0}) == "spam"
checks.check_learner(Braid())
try:
    braided.register(registry.ExpertEntry("late", toy_plugin.TOY_EXPERT, "too late"))
except braided.InputError as error:
    print(error)
"""


def test_generic_checks_hold_and_a_braid_has_the_expert(installed):
    done = python(installed, "-c", CHECKS)
    assert done.returncode == 0, done.stderr
    assert "expert 'late' comes too late" in done.stdout


def test_a_report_has_the_chart(installed):
    pytest.importorskip("plotly")
    pytest.importorskip("jinja2")
    braided(installed, "evaluate", "rows.toy", "--learner", "toy-perceptron", "--html", "page.html")
    assert "Drawn from outside." in (installed / "page.html").read_text()


def test_a_plugin_that_can_not_be_loaded_is_left_out_with_a_warning(tmp_path):
    metadata = tmp_path / "broken-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text("[braided.plugins]\nbroken = not_there\n")
    done = python(tmp_path, "-m", "braided", "learners")
    assert done.returncode == 0
    assert "plugin broken is left out" in done.stderr

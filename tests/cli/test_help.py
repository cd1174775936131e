"""Help: ``-h`` everywhere, and what other packages register is in it."""

import json

import pytest

from braided import streams
from braided.cli.app import COMMANDS
from braided.registry import FormatEntry, LearnerEntry, MetricEntry, ShapeEntry, ShapeOption
from tests.support.registered import registered


@pytest.fixture(autouse=True)
def wide(monkeypatch):
    monkeypatch.setenv("COLUMNS", "250")


def thinned(X, y, *, keep_every=2, letters="a", seed=0, feature_names=None):
    """Every other row, as a shape."""
    rows = streams.fixed(X, y, seed=seed, feature_names=feature_names)
    return streams.given(rows.rows[::keep_every])


OPTIONS = (
    ShapeOption("keep_every", int, 2, "Every how many rows one is kept"),
    ShapeOption("letters", str, "a", "Letters [of] any kind", "LETTERS"),
)
THINNED = ShapeEntry("thinned", thinned, "some rows are left out", options=OPTIONS)


@pytest.mark.parametrize("command", [[], *([command.__name__] for command in COMMANDS)])
def test_short_flag(braided, command):
    long = braided(*command, "--help")
    assert long.code == 0
    assert "-h" in long.out
    assert braided(*command, "-h") == long


@pytest.mark.parametrize("command", ["evaluate", "compare", "tune"])
def test_entries_from_outside_are_in_the_help(braided, command):
    entries = (
        THINNED,
        FormatEntry("toyformat", print, "a toy", (".toy",), ("fields",)),
        MetricEntry("toymetric", max, "a toy"),
        LearnerEntry("toylearner", object, "a toy"),
    )
    names = ("thinned (some rows are left out)", "toyformat", "toylearner")
    names += ("--keep-every", "--letters", "Letters [of] any kind; for thinned.")
    names += () if command == "tune" else ("toymetric",)
    before = braided(command, "--help").out
    with registered(*entries):
        shown = braided(command, "--help").out
    assert [name for name in names if name not in shown] == []
    assert [name for name in names if name in before] == []
    assert braided(command, "--help").out == before


def test_the_flags_of_a_shape_from_outside_reach_it(braided, refused):
    with registered(THINNED):
        ran = braided(
            *("evaluate", "german", "--learner", "olsf", "--stream", "thinned"),
            *("--keep-every", "10", "--repeats", "2", "--json"),
        )
        assert json.loads(ran.out)["rounds"] == 100
        assert "--keep-every, --letters" in refused(
            "evaluate", "german", "--stream", "thinned", "--chunks", "3"
        )
    assert "No such option" in refused("evaluate", "german", "--keep-every", "10")


def test_an_option_that_two_shapes_share_is_one_flag(braided):
    other = ShapeEntry("other", thinned, "another", options=(ShapeOption("chunks", int, 9, "N"),))
    with registered(other):
        shown = braided("evaluate", "--help").out
    assert "Number of steps in which features are added; N; for trapezoidal, other." in shown


@pytest.mark.parametrize("name", ["label", "scale"])
def test_an_option_with_the_name_of_another_flag_is_told(refused, name):
    entry = ShapeEntry("other", thinned, "a", options=(ShapeOption(name, int, 9, "N"),))
    with registered(entry):
        told = f"two options of 'evaluate' have the name {name!r}"
        assert refused("evaluate", "german") == refused("evaluate", "--help") == told

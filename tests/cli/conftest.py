"""Running the command inside the test's own process."""

from typing import NamedTuple

import pytest

from braided.cli import main


class Ran(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def braided(capsys, monkeypatch, tmp_path):
    """Run ``braided`` in an empty folder, with none of the user's own datasets."""
    monkeypatch.delenv("BRAIDED_DATA", raising=False)
    monkeypatch.chdir(tmp_path)

    def run(*args):
        capsys.readouterr()
        code = main([str(arg) for arg in args])
        return Ran(code, *capsys.readouterr())

    return run


@pytest.fixture
def refused(braided):
    """The error line of a run that must fail as promised: exit code 2, one line, no output."""

    def run(*args):
        code, out, err = braided(*args)
        assert code == 2
        assert out == ""
        assert err.startswith("error: ")
        assert err.endswith("\n")
        assert err.count("\n") == 1
        return err.removeprefix("error: ").removesuffix("\n")

    return run

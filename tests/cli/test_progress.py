"""The bar: for people at a terminal, and for nobody else."""

import io
import sys

from braided.cli.progress import progress_bar


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_nothing_when_piped(capsys):
    with progress_bar("work", 10) as progress:
        assert progress is None
    assert capsys.readouterr() == ("", "")


def test_a_bar_on_a_terminal(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setenv("TERM", "xterm")
    with progress_bar("work [/]", 10) as progress:
        progress(5)
    assert "work [/]" in sys.stderr.getvalue()
    assert capsys.readouterr().out == ""

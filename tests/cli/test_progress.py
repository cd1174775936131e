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


def test_the_bar_tells_rate_and_error(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    with progress_bar("work", 1000) as progress:
        progress(500, 0.5)
        progress(400, 0.123)
        progress(100, float("nan"))
        progress(0, 0.123)
    shown = sys.stderr.getvalue()
    assert "rows/s" in shown
    assert "12.3% wrong" in shown

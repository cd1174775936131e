"""``braided serve`` from the command line."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time

import pytest

from braided.cli import main

pytest.importorskip("fastapi")


def test_two_commands_and_the_first_answer(tmp_path):
    from tests.live.service import call

    started = time.perf_counter()
    serving = subprocess.Popen(
        [sys.executable, "-m", "braided", "serve", str(tmp_path), "--port", "0", "--key", "k"],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "BRAIDED_QUIET": "1"},
    )
    try:
        line = serving.stdout.readline()
        port = int(re.search(r"0 models at http://127\.0\.0\.1:(\d+)", line)[1])
        assert call(port, "GET", "/health")[0] == 200
        seconds = time.perf_counter() - started
        assert seconds < 30, seconds  # the machine may have other work
        assert call(port, "PUT", "/models/m", {"learner": "oco"})[0] == 201
        assert call(port, "GET", "/models/m")[1]["schema"]["key"] == "k"
        assert main(["serve", str(tmp_path), "--port", "0"]) == 2  # somebody serves this folder
    finally:
        serving.send_signal(signal.SIGTERM)
        assert serving.wait(30) in (0, -signal.SIGTERM)
    assert (tmp_path / "m.braided").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["{}/nowhere"], "there is no folder"),
        (["{}", "--host", "0.0.0.0"], "--tokens"),
        (["{}", "--remember", "soon"], "--remember"),
        (["{}", "--journal-age", "30"], "--journal-age"),
        (["{}", "--source", "redis://localhost/x"], "for which model"),
        (["{}", "--sink", "m=redis://localhost/x"], "no --source"),
        (["{}", "--tokens", "{}/tokens"], "role"),
    ],
)
def test_what_is_refused(arguments, words, tmp_path, capsys):
    (tmp_path / "tokens").write_text("write short")
    assert main(["serve", *(each.replace("{}", str(tmp_path)) for each in arguments)]) == 2
    assert words in capsys.readouterr().err

"""Ctrl-C is an answer to a question that is asked between two blocks."""

import signal
import subprocess
import sys
import threading
import time

import pytest

import braided as package
from braided.cli.ctrl_c import CtrlC


def test_the_first_one_waits_until_it_is_asked_for(capfd):
    before = signal.getsignal(signal.SIGINT)
    with CtrlC() as ctrl_c:
        ctrl_c.check()
        signal.raise_signal(signal.SIGINT)
        assert "stops at once" in capfd.readouterr().err
        assert signal.getsignal(signal.SIGINT) is signal.SIG_DFL  # for the second one
        with pytest.raises(KeyboardInterrupt):
            ctrl_c.check()
    assert signal.getsignal(signal.SIGINT) is before


def test_other_threads_leave_signals_alone():
    before = signal.getsignal(signal.SIGINT)
    found = []

    def enter():
        with CtrlC() as ctrl_c:
            ctrl_c.check()
            found.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=enter)
    thread.start()
    thread.join()
    assert found == [before]


def test_a_silent_pipe_is_stopped_and_saved(tmp_path):
    model = tmp_path / "m.braided"
    command = [sys.executable, "-m", "braided", "train", "-", "--format", "jsonl"]
    command += ["--label", "y", "--model", str(model), "--checkpoint", "every=2"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdin.write(b'{"x": 1, "y": 0}\n{"x": 2, "y": 1}\n{"x": 3, "y": 1}\n')
    process.stdin.flush()
    until = time.monotonic() + 120
    while not model.exists() and time.monotonic() < until:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=60) == 130
    told = process.stderr.read().decode()
    assert told.rstrip().endswith("--continue")
    assert package.load(model).rounds == 3

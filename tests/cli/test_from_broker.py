"""``braided train`` from a real broker: ended, killed, and gone on with."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time

import pytest

from braided import load
from braided.cli import main
from tests.live import brokers

TRAIN = (sys.executable, "-m", "braided", "train")


def records_in(journal) -> int:
    try:
        with sqlite3.connect(f"file:{journal}?mode=ro", uri=True) as database:
            (found,) = database.execute("SELECT sum(records) FROM entries").fetchone()
    except sqlite3.Error:
        return 0
    return found or 0


def until(process: subprocess.Popen, journal, count: int) -> None:
    for _ in range(1800):
        if records_in(journal) >= count:
            return
        assert process.poll() is None, process.stdout.read()
        time.sleep(0.05)
    raise AssertionError(f"{records_in(journal)} records of {count}")


def test_a_stream_is_learned_until_the_end_and_gone_on_with(tmp_path):
    redis = pytest.importorskip("redis", reason="no client")
    reason = brokers.Redis.missing()
    if reason is not None:
        pytest.skip(reason)
    (tmp_path / "broker").mkdir()
    broker = brokers.Redis(tmp_path / "broker")
    client = redis.Redis(port=broker.port)
    model, journal = tmp_path / "m.braided", tmp_path / "m.journal"

    def send(count: int) -> None:
        for number in range(count):
            record = {"a": number % 7, "y": "yes" if number % 7 > 3 else "no"}
            client.xadd("records", {"data": json.dumps(record)})

    begun: list[subprocess.Popen] = []

    def begin(*options: str) -> subprocess.Popen:
        address = broker.address("records")
        command = [*TRAIN, address, "--model", str(model), *options]
        environment = {**os.environ, "BRAIDED_QUIET": "1"}
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
        begun.append(subprocess.Popen(command, env=environment, **pipes))
        return begun[-1]

    try:
        send(30)
        process = begin("--learner", "oco", "--label", "y")
        until(process, journal, 30)
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=60)[0]
        assert process.returncode == 0, said
        assert "30 rows learned" in said
        send(20)
        process = begin("--continue")
        until(process, journal, 50)
        process.kill()
        process.communicate()
        send(10)
        process = begin("--continue")
        until(process, journal, 60)
        process.send_signal(signal.SIGINT)
        assert "60 rows learned" in process.communicate(timeout=60)[0]
    finally:
        for process in begun:
            process.kill()
        broker.stop()
    assert load(model).rounds == 60
    assert main(["train", str(journal), "--model", str(tmp_path / "again.braided")]) == 0
    assert (tmp_path / "again.braided").read_bytes() == model.read_bytes()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["redis://here/x", "german"], "the only DATA"),
        (["rabbit://here/x"], "no broker 'rabbit'"),
        (["https://example.org/a.csv"], "is not fetched: download the file, or pipe it"),
        (["redis://here/x", "--shuffle", "1"], "--shuffle: not for the stream"),
        (["redis://here/x", "--format", "csv"], "--format: not for the stream"),
        (["redis://here/x", "--model", "{}/m.model"], "NAME.braided"),
        (["redis://here/x", "--model", "{}/has.braided"], "has.journal exists already"),
    ],
)
def test_what_is_refused(arguments, words, tmp_path, capsys):
    (tmp_path / "has.journal").touch()
    given = [each.replace("{}", str(tmp_path)) for each in arguments]
    model = [] if "--model" in given else ["--model", str(tmp_path / "m.braided")]
    assert main(["train", *given, *model]) == 2
    assert words in capsys.readouterr().err
    assert not (tmp_path / "m.braided").exists()

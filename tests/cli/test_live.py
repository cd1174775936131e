"""Pipes that stay open: answers come at once, checkpoints come while it is silent."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from contextlib import contextmanager, suppress

import pytest

import braided as package

LIMIT = 0.05
"""Seconds from the end of a line to its answer."""


def rows(count):
    return [{"a": t % 7, "c": "xyz"[t % 3], "y": "pn"[t % 7 < 3]} for t in range(count)]


@contextmanager
def pipe(*arguments):
    command = [sys.executable, "-m", "braided", *map(str, arguments)]
    piped = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = subprocess.Popen(command, **piped)
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        for file in (process.stdin, process.stdout, process.stderr):
            with suppress(BrokenPipeError):
                file.close()


def ask(process, record):
    """The answer to a line, and the seconds that it took."""
    begin = time.perf_counter()
    line = record if isinstance(record, bytes) else json.dumps(record).encode()
    process.stdin.write(line + b"\n")
    process.stdin.flush()
    return process.stdout.readline().decode().rstrip("\n"), time.perf_counter() - begin


@pytest.fixture
def model(braided, tmp_path):
    lines = "".join(json.dumps(row) + "\n" for row in rows(200))
    (tmp_path / "rows.jsonl").write_text(lines)
    path = tmp_path / "m.braided"
    assert braided("train", "rows.jsonl", "--label", "y", "--model", path).code == 0
    return path


@pytest.mark.parametrize("format", ["jsonl", "csv", "vw"])
def test_each_line_is_answered_as_it_comes(model, format):
    told = package.load(model)
    with pipe("predict", model, "-", "--json") as process:
        if format == "csv":
            process.stdin.write(b"a,c\n")
        seconds = []
        for row in rows(30):
            vw, csv = f"| a:{row['a']} c={row['c']}", f"{row['a']},{row['c']}"
            line = {"jsonl": row, "csv": csv.encode(), "vw": vw.encode()}[format]
            answer, took = ask(process, line)
            del row["y"]
            said = json.loads(answer)
            assert said["probability"] == told.predict_proba_one(row)[said["label"]]
            seconds.append(took)
        process.stdin.close()
        assert process.wait(60) == 0
    # The first answer waits for the start of the program; the machine may be busy now and then.
    assert sorted(seconds[1:])[len(seconds) * 3 // 4] < LIMIT


def test_an_id_is_printed_with_the_prediction(model):
    with pipe("predict", model, "-", "--id", "order", "--csv") as process:
        header = ask(process, {"a": 1, "c": "x", "order": "o-17"})[0]
        assert header == "id,label,probability,score"
        assert process.stdout.readline().decode().startswith("o-17,")


def test_predictions_are_those_before_each_row_was_learned(tmp_path):
    path = tmp_path / "live.braided"
    options = ("--label", "y", "--model", path, "--predictions", "-", "--format", "jsonl")
    plain = package.Braid()
    with pipe("train", "-", *options) as process:
        for row in rows(60):
            label = row["y"]
            answer, _ = ask(process, row)
            del row["y"]
            assert answer == (plain.predict_one(row) or "")
            plain.learn_one(row, label)
        process.stdin.close()
        assert process.wait(60) == 0
    assert package.load(path).weights() == plain.weights()


def test_a_silent_pipe_is_saved_and_resumed_to_the_same_bytes(tmp_path):
    path, whole = tmp_path / "live.braided", tmp_path / "whole.braided"
    lines = [json.dumps(row).encode() + b"\n" for row in rows(90)]
    options = ("--label", "y", "--format", "jsonl", "--checkpoint-seconds", "0.3")
    with pipe("train", "-", "--model", path, *options) as process:
        process.stdin.write(b"".join(lines[:50]))
        process.stdin.flush()
        until = time.monotonic() + 60
        while time.monotonic() < until:
            if path.exists() and package.load(path).rounds == 50:
                break
            time.sleep(0.1)
        process.kill()
    assert package.load(path).rounds == 50  # saved while nothing came
    for model, flag in ((path, "--resume"), (whole, "--overwrite")):
        command = [sys.executable, "-m", "braided", "train", "-", "--model", str(model), flag]
        subprocess.run([*command, *options[:4]], input=b"".join(lines), check=True)
    assert path.read_bytes() == whole.read_bytes()


def test_late_labels_teach_the_record_of_their_key(tmp_path):
    path = tmp_path / "late.braided"
    records = rows(40)
    plain = package.Braid()
    options = ("--label", "y", "--key", "k", "--model", path, "--predictions", "-")
    with pipe("train", "-", *options, "--format", "jsonl") as process:
        for t, row in enumerate(records):
            asked = {name: value for name, value in row.items() if name != "y"}
            answer, _ = ask(process, {**asked, "k": f"order {t}"})
            assert answer == (plain.predict_one(asked) or "")
            if t % 2:  # the label of the record before, then its own
                for late in (t, t - 1):
                    line = json.dumps({"k": f"order {late}", "y": records[late]["y"]})
                    process.stdin.write(line.encode() + b"\n")
                    x = {n: v for n, v in records[late].items() if n != "y"}
                    plain.learn_one(x, records[late]["y"])
        process.stdin.write(b'{"k": "order 999", "y": "p"}\n')
        process.stdin.close()
        assert process.wait(60) == 0
        told = process.stderr.read().decode()
    assert package.load(path).weights() == plain.weights()
    assert "0 records wait for their label, 0 were forgotten without one, 1 labels had no" in told

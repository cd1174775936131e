"""A journal read by the commands: the model made again, another learner on what happened."""

from __future__ import annotations

import json
from contextlib import closing

import numpy as np
import pytest

import braided
from braided.cli import main
from braided.live.host import Host, Upkeep
from braided.live.journal_lines import JournalLines
from braided.live.live_model import LABEL, LEARN, WAIT
from braided.live.storage import Storage
from tests.live.hosts import host_in, new_live_model, tell


@pytest.fixture
def journal(tmp_path):
    rng = np.random.default_rng(0)
    with host_in(tmp_path) as host:
        for i in range(60):
            a = float(rng.normal())
            told = {"a": a, "c": str(rng.choice(["red", "blue"])), "n": i % 3}
            if i % 3:
                tell(host, LEARN, {**told, "y": "yes" if a > 0 else "no"})
            else:
                tell(host, WAIT, {**told, "k": i})
                tell(host, LABEL, {"k": i, "y": "yes" if a > 0 else "no"})
        tell(host, WAIT, {"a": 1, "k": "never"})
    return tmp_path / "m.journal"


def test_the_model_is_made_again(journal, tmp_path, capsys):
    again = tmp_path / "again.braided"
    assert main(["train", str(journal), "--model", str(again)]) == 0
    assert again.read_bytes() == (tmp_path / "m.braided").read_bytes()
    assert "60 rows learned" in capsys.readouterr().out
    assert main(["train", str(journal), "--model", str(again)]) == 2  # it exists already


def test_another_learner_learns_what_happened(journal, tmp_path):
    other = tmp_path / "other.braided"
    assert main(["train", str(journal), "--model", str(other), "--learner", "oco"]) == 0
    found = braided.load(other)
    assert found.rounds == 60
    assert found.weights() == braided.load(tmp_path / "m.braided").weights()


def test_another_learner_is_evaluated(journal, capsys):
    assert main(["evaluate", str(journal), "--learner", "olsf", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["rounds"] == 60
    assert main(["evaluate", str(journal), "--label", "y"]) == 2
    assert "is a journal" in capsys.readouterr().err


def test_lines(journal):
    lines = JournalLines(journal).readall().splitlines()
    assert len(lines) == 60
    assert all("y" in json.loads(line) and "k" not in json.loads(line) for line in lines)


def test_a_record_that_waited_when_the_journal_was_trimmed(tmp_path):
    with host_in(tmp_path, upkeep=Upkeep(records=1, journal_bytes=1)) as host:
        tell(host, WAIT, [{"a": 1, "k": "first"}, {"a": 2, "k": "second"}])
        tell(host, LEARN, {"a": 3, "y": "no"})  # after which the journal is trimmed
        assert host.call(lambda: list(host.storage.journal.entries())) == []
    with host_in(tmp_path) as host:
        tell(host, WAIT, {"a": 4, "k": "third"})
        tell(host, LABEL, [{"k": "first", "y": "yes"}, {"k": "third", "y": "no"}])
        assert host.model.learner.rounds == 3
    lines = JournalLines(tmp_path / "m.journal").readall().splitlines()
    assert [json.loads(line) for line in lines] == [{"a": 1, "y": "yes"}, {"a": 4, "y": "no"}]


def test_a_record_that_was_forgotten_was_not_learned(tmp_path):
    new_live_model().save(tmp_path / "m.braided")
    host = Host(Storage(tmp_path, "m", settings={"remember": 1}))
    with closing(host):
        tell(host, WAIT, [{"a": 1, "k": "first"}, {"a": 2, "k": "second"}])
        tell(host, LABEL, [{"k": "first", "y": "yes"}, {"k": "second", "y": "no"}])
        assert host.model.learner.rounds == 1
    lines = JournalLines(tmp_path / "m.journal").readall().splitlines()
    assert [json.loads(line) for line in lines] == [{"a": 2, "y": "no"}]

"""The journal: order, ids, positions, trimming, and a disk that is full."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys

import pytest

from braided.cli.data import is_journal
from braided.errors import InputError
from braided.live.journal import DiskFullError, Entry, Journal


def entry(sequence: int, request: str | None = None, size: int = 10) -> Entry:
    return Entry(sequence, float(sequence), "learn", request, 1, b"x" * size)


def test_what_is_appended_is_read_again_in_order(tmp_path):
    journal = Journal(tmp_path / "m.journal")
    journal.set_base(b"base")
    journal.append([entry(1, "a"), entry(2)], {"redis": "1-0"})
    journal.append([entry(3, "b")], {"redis": "2-0"})
    id = journal.id
    journal.close()
    again = Journal(tmp_path / "m.journal")
    assert list(again.entries()) == [entry(1, "a"), entry(2), entry(3, "b")]
    assert list(again.entries(after=2)) == [entry(3, "b")]
    assert (again.last, again.id, again.base()) == (3, id, (0, b"base"))
    assert again.positions() == {"redis": "2-0"}
    assert again.find(["a", "b", "c"]).keys() == {"a", "b"}
    again.close()


def test_an_id_is_written_once(tmp_path):
    journal = Journal(tmp_path / "m.journal")
    journal.append([entry(1, "a")])
    with pytest.raises(Exception, match="UNIQUE"):
        journal.append([entry(2, "b"), entry(3, "a")])
    assert [each.request for each in journal.entries()] == ["a"]
    journal.close()


def test_trimming_leaves_a_model_and_the_entries_after_it(tmp_path):
    journal = Journal(tmp_path / "m.journal")
    journal.set_base(b"first")
    journal.append([entry(i, size=5000) for i in range(1, 200)])
    before = journal.bytes
    journal.trim(b"later", 150)
    assert journal.base() == (150, b"later")
    assert [each.sequence for each in journal.entries()] == list(range(151, 200))
    assert journal.bytes < before / 2
    journal.trim(b"last", 199)
    assert (journal.last, journal.oldest) == (199, None)
    journal.close()
    assert Journal(tmp_path / "m.journal").last == 199


def test_ids_are_known_after_trimming_as_many_as_are_kept(tmp_path, monkeypatch):
    journal = Journal(tmp_path / "m.journal")
    journal.append([entry(i, f"id {i}" if i % 3 else None) for i in range(1, 31)])
    before = journal.find(f"id {i}" for i in range(40))
    journal.trim(b"first", 20)
    assert journal.find(f"id {i}" for i in range(40)) == before
    monkeypatch.setattr("braided.live.journal.IDS_KEPT", 5)
    journal.trim(b"second", 26)
    found = {done.sequence for done in journal.find(f"id {i}" for i in range(40)).values()}
    assert found == {20, 22, 23, 25, 26, 28, 29}  # five that were trimmed, and what is there
    journal.close()


def test_when_the_disk_is_full_nothing_of_a_transaction_is_there(tmp_path):
    journal = Journal(tmp_path / "m.journal", most_pages=30)
    journal.append([entry(1)])
    with pytest.raises(DiskFullError, match="full"):
        journal.append([entry(2), entry(3, size=500_000)])
    assert (journal.last, [each.sequence for each in journal.entries()]) == (1, [1])
    journal.append([entry(2)])
    journal.close()


FULL = """
import resource, signal, sys
from braided.live.journal import DiskFullError, Journal
from tests.live.test_journal import entry
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
journal = Journal(sys.argv[1])
journal.append([entry(1)])
before = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, before[1]))
try:
    journal.append([entry(2, size=300_000)])
except DiskFullError as error:
    print("full:", error)
print([each.sequence for each in journal.entries()])
journal.append([entry(2)])
# What measures coverage writes its file at the end.
resource.setrlimit(resource.RLIMIT_FSIZE, before)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no limits of file sizes")
def test_a_file_that_the_system_lets_not_grow(tmp_path):
    path = tmp_path / "m.journal"
    found = subprocess.run(
        [sys.executable, "-c", FULL, str(path)], capture_output=True, text=True, check=True
    )
    assert found.stdout.startswith("full:")
    assert found.stdout.endswith("[1]\n")
    journal = Journal(path)
    assert [each.sequence for each in journal.entries()] == [1, 2]
    journal.close()


def test_what_is_no_journal(tmp_path):
    path = tmp_path / "m.journal"
    path.write_bytes(b"something else, which is long enough to have a header " * 100)
    with pytest.raises(InputError, match="can not be opened as a journal"):
        Journal(path)
    assert not is_journal(str(path))
    assert not is_journal(str(tmp_path / "nothing"))
    newer = Journal(tmp_path / "n.journal")
    newer.close()
    with sqlite3.connect(newer.path) as database:
        database.execute("UPDATE facts SET value='9' WHERE name='version'")
    assert is_journal(str(tmp_path / "n.journal"))
    with pytest.raises(InputError, match="version '9'"):
        Journal(tmp_path / "n.journal")


def test_a_commit_is_synchronous(tmp_path):
    journal = Journal(tmp_path / "m.journal")
    assert journal.setting("synchronous") == 2
    assert journal.setting("journal_mode") == "wal"
    assert os.path.exists(tmp_path / "m.journal-wal")
    journal.close()

"""A model at work: commits that are shared, ids, refusals, back-pressure, recovery."""

from __future__ import annotations

import json
import threading

import pytest

from braided import OLSF, Braid
from braided.errors import InputError
from braided.live.bodies import Limits
from braided.live.host import BusyError, Request, Upkeep
from braided.live.live_model import LABEL, LEARN, WAIT, LiveModel
from braided.live.storage import Storage
from tests.live.hosts import bytes_of, host_in, new_live_model, tell


def test_learned_labelled_and_remembered(tmp_path):
    with host_in(tmp_path) as host:
        assert tell(host, LEARN, {"a": 1, "y": "yes"}).learned == 1
        assert tell(host, LEARN, [{"a": -1, "y": "no"}, {"a": 2, "y": "yes"}]).learned == 2
        (said,) = tell(host, WAIT, {"a": 1, "k": "o 1"}).answers
        assert (said["key"], said["label"], said["version"]) == ("o 1", "yes", 2)
        assert tell(host, LABEL, {"k": "o 1", "y": "no"}).learned == 1
        again = tell(host, LABEL, {"k": "o 1", "y": "no"})
        assert (again.learned, again.unknown) == (0, ("o 1",))
        assert host.model.learner.rounds == 4
        made = bytes_of(host)
    assert (tmp_path / "m.braided").read_bytes() == made
    (tmp_path / "m.braided").unlink()
    with host_in(tmp_path) as host:
        assert bytes_of(host) == made


def test_a_request_with_an_id_is_done_once(tmp_path):
    with host_in(tmp_path) as host:
        first = tell(host, LEARN, {"a": 1, "y": "yes"}, "one")
        again = tell(host, LEARN, {"a": 1, "y": "yes"}, "one")
        other = tell(host, LEARN, {"a": 2, "y": "yes"}, "one")
        assert not first.duplicate
        assert again.duplicate
        assert (again.learned, again.sequence) == (1, first.sequence)
        assert "another request" in other.conflict
        assert host.model.learner.rounds == 1


def test_one_group_with_everything_in_it(tmp_path):
    """Requests that wait together share a commit; each has its own outcome."""
    found, done = {}, threading.Event()
    told = [
        (LEARN, [{"a": 1, "y": "yes"}], "1"),
        (LEARN, [{"a": 1, "y": "yes"}], "1"),
        (LEARN, [{"a": 2, "y": "yes"}], "1"),
        (LEARN, [{"a": 1e300, "y": "yes"}], "2"),
        (WAIT, [{"a": -1, "k": "x"}], None),
        (LABEL, [{"k": "x", "y": "no"}], None),
        (LABEL, [{"k": "nobody", "y": "no"}], None),
        (LABEL, [{"k": "x", "y": ["no"]}], None),
        (LEARN, [{"a": {"b": 1}, "y": "yes"}], None),
    ]
    with host_in(tmp_path) as host:
        stop = threading.Event()
        blocker = threading.Thread(target=lambda: host.call(stop.wait))
        blocker.start()

        def deliver(pairs):
            found.update({request.ticket: outcome for request, outcome in pairs})
            done.set()

        while host.waiting or not blocker.is_alive():
            pass
        for ticket, (kind, records, id) in enumerate(told):
            body = json.dumps(records).encode()
            host.submit(Request(kind, records, body, deliver, id, ticket=ticket))
        before = host.groups
        stop.set()
        done.wait()
        blocker.join()
        assert host.groups == before + 1
        assert [found[i].learned for i in range(9)] == [1, 1, 0, 0, 0, 1, 0, 0, 1]
        assert found[1].duplicate
        assert found[2].conflict
        assert "1e+300" in found[3].refused
        assert found[6].unknown == ("nobody",)
        assert found[7].refused
        assert len(list(host.storage.journal.entries())) == 4
        assert host.model.learner.rounds == 3


def test_what_is_refused_is_not_in_the_journal_and_changes_nothing(tmp_path):
    with host_in(tmp_path) as host:
        tell(host, LEARN, [{"a": 1, "y": "yes"}, {"a": -1, "y": "no"}])
        before = bytes_of(host)
        for kind, item in [
            (LEARN, {"a": 1}),
            (LEARN, [{"a": 1, "y": "yes"}, {"a": 1e200, "y": "no"}]),
            (LEARN, {"a": 1, "y": {"b": 1}}),
            (WAIT, {"a": 1e200, "k": "1"}),
            (LABEL, {"k": "1"}),
            (LABEL, {"y": "yes"}),
            (LABEL, {"k": "1", "y": "yes", "a": 3}),
        ]:
            assert tell(host, kind, item).refused, (kind, item)
        assert bytes_of(host) == before
        assert host.storage.journal.last == 1


def test_too_much_waits(tmp_path):
    with host_in(tmp_path, limits=Limits(waiting=10)) as host:
        stop = threading.Event()
        blocker = threading.Thread(target=lambda: host.call(stop.wait))
        blocker.start()
        records = [{"a": 1, "y": "yes"}] * 6
        body = json.dumps(records).encode()
        outcomes: list[object] = []
        host.submit(Request(LEARN, records, body, outcomes.extend))
        with pytest.raises(BusyError):
            host.submit(Request(LEARN, records, body, outcomes.extend))
        stop.set()
        blocker.join()
        assert tell(host, LEARN, {"a": 1, "y": "no"}).learned == 1
        assert [outcome.learned for _, outcome in outcomes] == [6]
    with pytest.raises(BusyError):
        host.submit(Request(LEARN, records, body, outcomes.extend))


def test_a_full_disk_loses_nothing_and_teaches_nothing(tmp_path):
    with host_in(tmp_path, most_pages=40) as host:
        tell(host, LEARN, {"a": 1, "y": "yes"})
        before = bytes_of(host)
        refused = tell(host, LEARN, {"a": 1, "note": "x" * 300_000, "y": "no"})
        assert "can not be written" in refused.failed
        assert bytes_of(host) == before
        assert host.trouble
        assert tell(host, LEARN, {"a": -1, "y": "no"}).learned == 1
        assert host.trouble is None
        made = bytes_of(host)
    (tmp_path / "m.braided").unlink()
    with host_in(tmp_path) as host:
        assert bytes_of(host) == made


def test_snapshots_and_trimming(tmp_path):
    upkeep = Upkeep(records=10, journal_bytes=1)
    with host_in(tmp_path, learner=OLSF(), upkeep=upkeep) as host:
        for i in range(35):
            tell(host, LEARN, {"a": i, "y": "yes" if i % 2 else "no"})
        entries = list(host.storage.journal.entries())
        assert len(entries) < 10
        assert host.storage.journal.base()[0] == 35 - len(entries)
        made = bytes_of(host)
    (tmp_path / "m.braided").unlink()
    with host_in(tmp_path) as host:
        assert bytes_of(host) == made
        assert host.model.learner.rounds == 35


def test_a_request_that_was_trimmed_is_still_done_once(tmp_path):
    upkeep = Upkeep(records=1, journal_bytes=1)
    with host_in(tmp_path, upkeep=upkeep) as host:
        first = tell(host, LEARN, [{"a": 1, "y": "yes"}, {"a": -1, "y": "no"}], "one")
        tell(host, WAIT, {"a": 1, "k": "x"}, "two")
        tell(host, LABEL, {"k": "x", "y": "no"}, "three")
        tell(host, LEARN, {"a": 1, "y": "no"})
        assert host.call(lambda: list(host.storage.journal.entries())) == []
    with host_in(tmp_path, upkeep=upkeep) as host:
        again = tell(host, LEARN, [{"a": 1, "y": "yes"}, {"a": -1, "y": "no"}], "one")
        assert again.duplicate
        assert (again.learned, again.sequence) == (2, first.sequence)
        assert tell(host, LABEL, {"k": "x", "y": "no"}, "three").duplicate
        assert "another request" in tell(host, LEARN, {"a": 2, "y": "no"}, "two").conflict
        assert host.model.learner.rounds == 4


def test_another_model_in_its_place(tmp_path):
    with host_in(tmp_path) as host:
        tell(host, LEARN, {"a": 1, "y": "yes"})
        host.replace(new_live_model(Braid()))
        assert host.model.learner.rounds == 0
        tell(host, LEARN, {"a": 1, "y": "yes"})
        made = bytes_of(host)
    (tmp_path / "m.braided").unlink()
    with host_in(tmp_path) as host:
        assert isinstance(host.model.learner, Braid)
        assert bytes_of(host) == made
    other = new_live_model(OLSF())
    other.save(tmp_path / "m.braided")  # put there by somebody while the service did not run
    with host_in(tmp_path) as host:
        assert "OLSF" in repr(host.model.learner)
        assert host.model.learner.rounds == 0
        tell(host, LEARN, {"a": 1, "y": "yes"})
    with host_in(tmp_path) as host:
        assert host.model.learner.rounds == 1


def test_a_damaged_snapshot_is_made_again(tmp_path):
    with host_in(tmp_path) as host:
        tell(host, LEARN, {"a": 1, "y": "yes"})
        made = bytes_of(host)
    (tmp_path / "m.braided").write_bytes(made[:-1])
    with pytest.warns(match="made again from its journal"), host_in(tmp_path) as host:
        assert bytes_of(host) == made


def test_a_defect_is_survived(tmp_path, monkeypatch):
    """If applying an entry fails in a way that nobody foresaw, the model is made again."""
    with host_in(tmp_path) as host:
        tell(host, LEARN, {"a": 1, "y": "yes"})
        real, times = LiveModel.apply, []

        def failing(self, *arguments):
            times.append(1)
            if len(times) == 1:
                raise ZeroDivisionError("a defect")
            return real(self, *arguments)

        monkeypatch.setattr(LiveModel, "apply", failing)
        assert "ZeroDivisionError" in tell(host, LEARN, {"a": 2, "y": "no"}, "x").failed
        assert tell(host, LEARN, {"a": 2, "y": "no"}, "x").duplicate  # it was in the journal
        assert host.model.learner.rounds == 2
        assert host.broken is None


def test_a_model_that_is_nowhere(tmp_path):
    with pytest.raises(InputError, match="there is no model"):
        Storage(tmp_path, "m")

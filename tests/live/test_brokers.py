"""Models that learn from real brokers; in full: python -m tests.live.broker_kill 20."""

from __future__ import annotations

import json
import time

import pytest

from braided.errors import InputError
from braided.live.live_model import LEARN
from braided.live.sources.feed import Feed
from braided.live.sources.table import BROKERS, Message, address_of
from tests.live import brokers
from tests.live.hosts import bytes_of, host_in, tell


@pytest.mark.parametrize("scheme", list(brokers.BROKERS))
def test_killed_and_restarted(scheme, tmp_path):
    pytest.importorskip("fastapi")
    pytest.importorskip(
        {"kafka": "confluent_kafka", "mqtt": "paho.mqtt"}.get(scheme, scheme), reason="no client"
    )
    from tests.live.broker_kill import kill_and_start

    broker = brokers.BROKERS[scheme]
    reason = broker.missing()
    if reason is not None:
        pytest.skip(reason)
    assert "records learned" in kill_and_start(tmp_path, scheme, 2, 200)


class Scripted:
    """A stream that says what a test wants."""

    messages: tuple[bytes, ...] = ()
    sent: list[bytes]
    fails = 0

    def __init__(self, address, position):
        self.next = int(position or 0)

    def take(self, seconds):
        found = self.messages[self.next : self.next + 3]
        start, self.next = self.next, self.next + len(found)
        return [Message(each, str(start + 1 + i)) for i, each in enumerate(found)]

    def done(self, messages):
        return None

    def send(self, payloads):
        if Scripted.fails:
            Scripted.fails -= 1
            raise ConnectionError("away")
        Scripted.sent += payloads

    def close(self):
        return None


@pytest.fixture
def scripted():
    from braided.live.sources.table import BrokerEntry

    BROKERS.register(BrokerEntry("scripted", Scripted, "a test", "nothing"))
    Scripted.sent, Scripted.fails = [], 0
    yield Scripted
    BROKERS.remove("scripted")


def test_each_kind_of_message(scripted, tmp_path):
    told = [
        {"a": 1, "y": "yes"},
        {"a": -1, "y": "no"},
        {"a": 1e300, "y": "no"},  # refused, and those around it are not
        {"a": 2, "y": "yes"},
        {"a": 1},
        {"a": 1, "k": "o 1"},
        {"k": "o 1", "y": "yes"},
        {"k": "nobody", "y": "yes"},
    ]
    texts = [json.dumps(each).encode() for each in told]
    scripted.messages = (*texts[:3], b"nonsense", *texts[3:])
    scripted.fails = 1  # the sink is away once: the prediction is sent again
    with host_in(tmp_path) as host:
        feed = Feed(host, "scripted://here/x", "scripted://here/y")
        for _ in range(500):
            if feed.position == "9":
                break
            time.sleep(0.02)
        feed.stop()
        assert feed.position == "9"
        assert host.model.learner.rounds == 4
        assert feed.bad == 2
        answers = [json.loads(each) for each in scripted.sent]
        assert [each["key"] for each in answers] == [None, "o 1"]
        made = bytes_of(host)
    with host_in(tmp_path) as host:  # begun again, nothing is read twice
        feed = Feed(host, "scripted://here/x")
        time.sleep(0.5)
        feed.stop()
        assert bytes_of(host) == made
        tell(host, LEARN, {"a": 1, "y": "yes"})


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("rabbit://here/x", "no broker 'rabbit'"),
        ("redis://here", "write redis://host"),
        ("redis:///x", "write redis://host"),
        ("nats://here/x?group=1", "no option 'group'"),
    ],
)
def test_addresses(address, words):
    with pytest.raises(InputError, match=words):
        address_of(address)


def test_an_address_without_its_password():
    address = address_of("redis://me:secret@here:7000/x?id=n")
    assert address.name == "redis://here:7000/x"
    assert address.server(6379) == ("here", 7000)
    assert address.options == {"id": "n"}

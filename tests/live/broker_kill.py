"""A service that learns from a broker, killed at random moments; the broker is restarted once.

``python -m tests.live.broker_kill 20`` does so with each broker. In the end every message is in the
model once, the model is that of a run over the journal, and every record without a label has a
prediction in the other topic.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
import threading
import time
from pathlib import Path

from braided.live.journal_lines import remade
from braided.live.live_model import LiveModel
from braided.live.sources.table import address_of, connect
from tests.live.brokers import BROKERS
from tests.live.kill import compile_ahead
from tests.live.service import Running


def messages(count: int, *, all_have_ids: bool) -> list[dict]:
    rng = random.Random(count)
    found, waiting = [], []
    for number in range(count):
        fields = {"a": round(rng.gauss(0, 1), 3), f"f{rng.randrange(9)}": 1, "id": number}
        label = "yes" if fields["a"] > 0 else "no"
        kind = rng.random()
        if kind < 0.2:
            found.append({**fields, "k": f"k{number}"})
            waiting.append((f"k{number}", label))
        elif kind < 0.35 and waiting:
            key, of_key = waiting.pop(0)
            found.append({"k": key, "y": of_key, **({"id": number} if all_have_ids else {})})
        else:
            found.append({**fields, "y": label})
    return found


def send(address: str, records: list[dict], pause: float) -> None:
    """Send messages, some at a time; again and again while the broker is away."""
    target = None
    start = 0
    while start < len(records):
        some = records[start : start + 20]
        try:
            if address.startswith("kafka"):
                send_to_kafka(address, some)
                start += 20
                continue
            target = target or connect(address_of(address.partition("?")[0]), None)
            target.send([json.dumps(record).encode() for record in some])
        except Exception:
            target = None
            time.sleep(0.2)
            continue
        start += 20
        time.sleep(pause)
    if target is not None:
        target.close()


def send_to_kafka(address: str, records: list[dict]) -> None:
    """Send messages by key: a label goes to the partition of its record, so it comes later."""
    from confluent_kafka import Producer

    url = address_of(address)
    servers = {"bootstrap.servers": f"127.0.0.1:{url.url.port}"}
    producer = Producer({**servers, "enable.idempotence": True, "log_level": 2})
    for record in records:
        key = str(record.get("k", record.get("id")))
        producer.produce(url.topic, json.dumps(record).encode(), key=key)
    while producer.flush(10):
        pass


def kill_and_start(folder: Path, scheme: str, kills: int, count: int) -> str:
    compile_ahead("oco")
    (folder / "broker").mkdir()
    (folder / "models").mkdir()
    broker = BROKERS[scheme](folder / "broker")
    broker.create("records")
    broker.create("answers")
    source, sink = broker.address("records"), broker.address("answers").partition("?")[0]
    records, rng = messages(count, all_have_ids=scheme == "mqtt"), random.Random(kills)
    arguments = {"upkeep": {"seconds": 0.3}, "sources": [("m", source, sink)]}
    with Running(folder / "models") as service:
        service("PUT", "/models/m", {"learner": "oco", "schema": {"label": "y", "key": "k"}})
    service = Running(folder / "models", **arguments)
    sender = threading.Thread(target=send, args=(source, records, 0.02), daemon=True)
    sender.start()
    for number in range(kills):
        time.sleep(rng.uniform(0.1, 0.8))
        if number == kills // 2:
            broker.stop()
            time.sleep(0.3)
            broker.start()
        service.kill()
        service = Running(folder / "models", **arguments)
    sender.join(120)
    assert not sender.is_alive()
    expected = sum("y" in record for record in records)
    deadline = time.time() + 90
    while time.time() < deadline:
        told = service("GET", "/models/m")[1]
        if told["rounds"] >= expected:
            break
        time.sleep(0.2)
    served = service("GET", "/models/m/file")[1]
    service.stop()
    model = LiveModel.from_bytes(served)
    assert remade(folder / "models" / "m.journal").to_bytes() == served
    assert_each_once(folder, model, records)
    answered = read_answers(broker, sink)
    asked = {record["k"] for record in records if "y" not in record}
    assert asked <= answered, f"{len(asked - answered)} predictions are missing"
    broker.stop()
    learned = model.learner.rounds
    return f"{learned} records learned of {len(records)} messages, {len(answered)} predicted"


def assert_each_once(folder: Path, model: LiveModel, records: list[dict]) -> None:
    from braided.live.journal_lines import JournalLines

    lines = JournalLines(folder / "models" / "m.journal").readall().splitlines()
    learned = [json.loads(line)["id"] for line in lines if "id" in json.loads(line)]
    if learned:  # where ids are records' own fields, and no ids of messages
        direct = {record["id"] for record in records if "a" in record}
        assert len(learned) == len(set(learned)), "a message counted twice"
        assert set(learned) <= direct
    expected = sum("y" in record for record in records)
    assert model.learner.rounds == expected, (model.learner.rounds, expected)


def read_answers(broker, sink: str) -> set[str]:
    address = f"{sink}?client=braided-answers" if broker.scheme == "mqtt" else sink
    source = connect(address_of(address), None)
    found: set[str] = set()
    for _ in range(20):
        taken = source.take(0.5)
        found |= {json.loads(message.payload)["key"] for message in taken}
        if found and not taken:
            break
        source.done(taken)
    source.close()
    return found


def main(kills: int) -> None:
    for scheme, broker in BROKERS.items():
        reason = broker.missing()
        if reason is not None:
            print(f"{scheme}: not run: {reason}")
            continue
        with tempfile.TemporaryDirectory() as folder:
            said = kill_and_start(Path(folder), scheme, kills, 150 * kills)
        print(f"{scheme}: {kills} kills, one restart of the broker: {said}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20)

"""A service under load that is killed at random moments, and started again.

``python -m tests.live.kill 100`` kills it so many times (kill -9), while four clients send single
records, batches, records without a label, and labels by key; each repeats a request with the same
id until it is answered. In the end every record that was acknowledged must be in the journal once,
and the model must be byte for byte that of a run over the journal, and that of ``learn_one``.
"""

from __future__ import annotations

import http.client
import json
import random
import sys
import tempfile
import threading
import time
from pathlib import Path

from braided import registry
from braided.live.journal import Entry, Journal
from braided.live.live_model import LABEL, LEARN, WAIT, LiveModel
from braided.live.storage import Storage
from tests.live.service import Running, ask, free_port

LEARNERS = ("oco", "olsf", "braid")
COLOURS = ("red", "green", "blue", "a few words", None)


def record(rng: random.Random) -> dict:
    names = [f"n{rng.randrange(30)}" for _ in range(rng.randrange(1, 8))]
    fields: dict = {name: round(rng.gauss(0, 1), 3) for name in names}
    fields["colour"] = rng.choice(COLOURS)
    if rng.random() < 0.01:
        fields[f"new{rng.randrange(10**6)}"] = 1
    return fields


def label_of(fields: dict, rng: random.Random) -> str:
    if rng.random() < 0.002:
        return "third"
    return "yes" if fields.get("n1", 0.0) + rng.gauss(0, 0.3) > 0 else "no"


class Client(threading.Thread):
    """Sends requests until it is told to stop, each until it is answered."""

    def __init__(self, number: int, port: int) -> None:
        super().__init__(daemon=True)
        self.port, self.rng, self.number = port, random.Random(number), number
        self.stopping = threading.Event()
        self.acknowledged: dict[str, int] = {}  # how many records each request has taught
        self.keys: list[tuple[str, dict]] = []
        self.repeats = 0
        self.wrong: list[object] = []

    def run(self) -> None:
        connection, count = None, 0
        while not self.stopping.is_set():
            verb, body = self._next(count)
            id = f"{self.number}-{count}"
            count += 1
            while True:
                try:
                    if connection is None:
                        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
                    status, said = ask(
                        connection, "POST", f"/models/m/{verb}", body, Idempotency_Key=id
                    )
                except (OSError, http.client.HTTPException):
                    connection = None
                    self.repeats += 1
                    time.sleep(0.01)
                    continue
                if status in (429, 503):
                    time.sleep(0.01)
                    continue
                break
            if status != 200:
                self.wrong.append((status, said, verb))
            self.acknowledged[id] = 0 if verb == WAIT else len(body) if verb == LEARN else 1

    def _next(self, count: int) -> tuple[str, object]:
        rng = self.rng
        kind = rng.random()
        if kind < 0.3:
            fields = record(rng)
            self.keys.append((f"{self.number}/{count}", fields))
            return WAIT, {**fields, "k": self.keys[-1][0]}
        if kind < 0.55 and self.keys:
            key, fields = self.keys.pop(rng.randrange(len(self.keys)))
            return LABEL, {"k": key, "y": label_of(fields, rng)}
        records = [record(rng) for _ in range(1 if kind < 0.8 else rng.randrange(2, 50))]
        return LEARN, [{**fields, "y": label_of(fields, rng)} for fields in records]


def by_learn_one(journal: Journal, learner) -> None:
    """Teach a model what a journal says, as plainly as can be."""
    waiting = {}
    for entry in journal.entries():
        for fields in (
            json.loads(entry.payload) if entry.kind == LEARN else [json.loads(entry.payload)]
        ):
            if entry.kind == WAIT:
                waiting[fields.pop("k")] = fields
            elif entry.kind == LABEL:
                learner.learn_one(waiting.pop(fields["k"]), fields["y"])
            else:
                learner.learn_one(fields, fields.pop("y"))


def compile_ahead(learner: str, **parameters: object) -> None:
    """A service that is killed while it compiles would begin anew each time."""
    model = registry.create(learner, None, **parameters).allow_any_labels()
    live = LiveModel(model)
    for label in ("yes", "no", "third", "yes"):
        body = json.dumps({"n1": 1, "colour": "red", "label": label}).encode()
        live.apply([Entry(1, 0.0, LEARN, None, 1, body), Entry(2, 0.0, WAIT, None, 1, body)])


def kill_and_start(folder: Path, kills: int, learner: str = "oco") -> dict[str, int]:
    """Kill a service so many times; returns what happened."""
    compile_ahead(learner)
    rng, port = random.Random(kills), free_port()
    upkeep = {"seconds": 0.3, "records": 500}
    service = Running(folder, port=port, upkeep=upkeep)
    service("PUT", "/models/m", {"learner": learner, "schema": {"label": "y", "key": "k"}})
    clients = [Client(number, port) for number in range(4)]
    for client in clients:
        client.start()
    for _ in range(kills):
        time.sleep(rng.uniform(0.02, 0.5))
        service.kill()
        service = Running(folder, port=port, upkeep=upkeep)
    for client in clients:
        client.stopping.set()
    for client in clients:
        client.join(60)
        assert not client.is_alive()
        assert not client.wrong, client.wrong[:3]
    served = service("GET", "/models/m/file")[1]
    service.stop()
    return check(folder, clients, served, learner)


def check(folder: Path, clients: list[Client], served: bytes, learner: str) -> dict[str, int]:
    journal = Journal(folder / "m.journal")
    entries = list(journal.entries())
    ids = [entry.request for entry in entries]
    acknowledged = {id: n for client in clients for id, n in client.acknowledged.items()}
    assert len(ids) == len(set(ids))
    lost, strange = set(acknowledged) - set(ids), set(ids) - set(acknowledged)
    assert not lost, f"acknowledged, and not in the journal: {sorted(lost)[:5]}"
    assert not strange, f"in the journal, and not acknowledged: {sorted(strange)[:5]}"
    taught = sum(acknowledged.values())
    model = LiveModel.from_bytes(served)
    assert model.learner.rounds == model.progress.rounds == taught
    # A run over the whole journal, one entry at a time, without any snapshot.
    again = LiveModel.from_bytes(journal.base()[1])
    for entry in entries:
        again.apply([entry])
    again.sequence = journal.last
    assert again.to_bytes() == served, "the model is not that of its journal"
    # And once more in the plainest way.
    plain = registry.create(learner, None).allow_any_labels()
    plain = type(model.learner)(plain) if type(plain) is not type(model.learner) else plain
    by_learn_one(journal, plain)
    plain.schema.label, plain.schema.key = "y", "k"
    with tempfile.TemporaryDirectory() as other:
        plain.save(f"{other}/plain.braided")
        model.learner.save(f"{other}/served.braided")
        same = (
            Path(f"{other}/plain.braided").read_bytes()
            == Path(f"{other}/served.braided").read_bytes()
        )
    assert same, "the model is not that of learn_one"
    journal.close()
    recovered = Storage(folder, "m")
    assert recovered.recover().to_bytes() == served
    recovered.close()
    repeats = sum(client.repeats for client in clients)
    return {"requests": len(ids), "records": taught, "repeated": repeats}


def main(kills: int) -> None:
    for learner in LEARNERS:
        share = kills // len(LEARNERS) + (learner == LEARNERS[0]) * (kills % len(LEARNERS))
        with tempfile.TemporaryDirectory() as folder:
            found = kill_and_start(Path(folder), share, learner)
        print(
            f"{learner}: {share} kills, {found}: each once, and the bytes are those of the journal"
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)

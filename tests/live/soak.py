"""A service that learns and predicts for long, in memory that does not grow.

``python -m tests.live.soak 600`` runs so many seconds: a Braid with a budget, records with names
that were never seen before, records that wait for labels of which half never come, ids, a journal
that is trimmed, a live page that is open, and Prometheus. Memory is that of the process as the
system counts it. The largest of the last third may be 5 % above the largest of the third before.
"""

from __future__ import annotations

import http.client
import itertools
import random
import sys
import tempfile
import threading
import time
from pathlib import Path

from tests.live.kill import compile_ahead
from tests.live.service import Running, ask

BUDGET, REMEMBER, JOURNAL = 100, 2_000, 4 << 20


def record(rng: random.Random, fresh: itertools.count) -> dict:
    fields: dict = {f"n{rng.randrange(40)}": round(rng.gauss(0, 1), 3) for _ in range(8)}
    fields[f"name{next(fresh)}"] = 1
    return fields


def label_of(fields: dict) -> str:
    return "yes" if fields.get("n1", 0.0) + fields.get("n2", 0.0) > 0 else "no"


class Client(threading.Thread):
    """Learns, predicts, and gives the labels of half of what it predicted."""

    def __init__(self, number: int, port: int, stop: threading.Event) -> None:
        super().__init__(daemon=True)
        self.number, self.stop, self.learned = number, stop, 0
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self.wrong: list[object] = []

    def run(self) -> None:
        rng, fresh = random.Random(self.number), itertools.count(self.number, 2)
        while not self.stop.wait(0.005):
            records = [record(rng, fresh) for _ in range(20)]
            labelled = [{**fields, "y": label_of(fields)} for fields in records]
            self._ask("learn", labelled, Idempotency_Key=f"{self.number}-{self.learned}")
            self.learned += len(records)
            fields = record(rng, fresh)
            key = f"{self.number}/{self.learned}"
            self._ask("predict", {**fields, "k": key})
            self._ask("predict", fields)
            if rng.random() < 0.5:
                self._ask("label", {"k": key, "y": label_of(fields)})
                self.learned += 1
        self.connection.close()

    def _ask(self, verb: str, body: object, **headers: str) -> None:
        status, said = ask(self.connection, "POST", f"/models/m/{verb}", body, **headers)
        if status != 200:
            self.wrong.append((status, said))


def watch(port: int, stop: threading.Event, ended: list[object]) -> None:
    """A live page that is open, and opened anew now and then."""
    while not stop.is_set():
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        connection.request("GET", "/events?model=m")
        response = connection.getresponse()
        for _ in range(20):
            if stop.is_set():
                break
            if not response.readline():
                ended.append("the stream of the live page has ended")
                break
        connection.close()


def resident(pid: int) -> int:
    """The memory of a process, in bytes."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    raise AssertionError(f"process {pid} has ended")


def soak(folder: Path, seconds: float, growth: float = 1.05) -> str:
    """Run so long; returns what was measured."""
    compile_ahead("braid", budget=BUDGET)
    upkeep = {"seconds": min(5.0, seconds / 6), "journal_bytes": JOURNAL, "remember": REMEMBER}
    found: list[tuple[float, int]] = []
    journal = 0
    with Running(folder, upkeep=upkeep) as service:
        made = {"parameters": {"budget": BUDGET}, "schema": {"label": "y", "key": "k"}}
        service("PUT", "/models/m", {"learner": "braid", **made})
        stop = threading.Event()
        clients = [Client(number, service.port, stop) for number in range(2)]
        wrong: list[object] = []
        watcher = threading.Thread(target=watch, args=(service.port, stop, wrong), daemon=True)
        for each in (*clients, watcher):
            each.start()
        started = time.monotonic()
        while (now := time.monotonic() - started) < seconds:
            found.append((now, resident(service.process.pid)))
            journal = max(journal, service("GET", "/models/m")[1]["journal"]["bytes"])
            for path in ("/metrics", "/models"):
                assert service("GET", path)[0] == 200, path
            time.sleep(min(1.0, seconds / 60))
        stop.set()
        for each in (*clients, watcher):
            each.join(60)
            assert not each.is_alive()
        told = service("GET", "/models/m")[1]
    wrong += [each for client in clients for each in client.wrong]
    assert not wrong, wrong[:3]
    learned = sum(client.learned for client in clients)
    assert told["rounds"] == learned, (told["rounds"], learned)
    assert told["features_kept"] <= BUDGET
    assert told["pending"] <= REMEMBER
    thirds = [max(size for at, size in found if i <= 3 * at / seconds < i + 1) for i in range(3)]
    assert thirds[2] <= growth * thirds[1], [f"{size / 1e6:.1f} MB" for size in thirds]
    sizes = ", ".join(f"{size / 1e6:.1f}" for size in thirds)
    return (
        f"{seconds:.0f} s, {learned:,} records learned, {told['features_seen']:,} names seen, "
        f"{told['features_kept']} kept; most memory in each third {sizes} MB; "
        f"model {told['memory_bytes'] / 1e6:.2f} MB; journal {journal / 1e6:.1f} MB at most"
    )


def main(seconds: float) -> None:
    with tempfile.TemporaryDirectory() as folder:
        print(soak(Path(folder), seconds))


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 600.0)

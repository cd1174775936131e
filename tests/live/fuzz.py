"""Requests that nobody should send: malformed, oversized, slow, cut off.

``python -m tests.live.fuzz 100000`` sends so many, while another client learns and predicts as
ever. No answer may be an error of the service, no bytes of the fuzzed model may change, and the
other client must not notice.
"""

from __future__ import annotations

import json
import random
import socket
import sys
import tempfile
import threading
import time
from pathlib import Path

from tests.live.service import Running, call

GOOD = b'{"a": 1, "c": "red", "y": "yes"}'
VERBS = ("learn", "predict", "label", "explain")
TEXTS = [
    b"", b"{", b"}", b"[", b"null", b"1", b'"x"', b"[1]", b"[[]]", b"{}{}", b"\x00", b"\xff\xfe",
    b"[" * 5000, b'{"a":' * 5000, b'{"a": 1e999, "y": 1}', b'{"a": NaN}', b'{"a": 1' + b"0" * 5000,
    b'{"y": []}', b'{"y": {"a": 1}}', b'{"a": 1, "a": 2, "y": 1}', b'{"a\\ud800": 1, "y": "no"',
    b'{"k": null, "y": 1}', b'{"k": [1], "y": 1}', b'{"k": "nobody", "y": "yes"}',
    b'{"' + b"n" * 3000 + b'": 1, "y": 1}', b'{"y": "no", "a": "' + b"w " * 3000,
]  # fmt: skip


def body(rng: random.Random) -> bytes:
    kind = rng.random()
    if kind < 0.4:
        return rng.choice(TEXTS)
    if kind < 0.7:  # a good one, in which some bytes are others, or missing
        text = bytearray(GOOD)
        for _ in range(rng.randrange(1, 6)):
            text[rng.randrange(len(text))] = rng.randrange(256)
        return bytes(text[: rng.randrange(len(text) + 1)])
    if kind < 0.95:
        return rng.randbytes(rng.randrange(200))
    return b" " * 20_000


def request(rng: random.Random) -> bytes:
    """A request; what would be learned by right is never among them."""
    text = body(rng)
    try:
        found = json.loads(text)
        if isinstance(found, dict | list):
            text = b"{" + text
    except (ValueError, RecursionError):
        pass
    method = rng.choice(["POST"] * 6 + ["PUT", "GET", "DELETE", "PATCH", "\x00", "GARBAGE" * 50])
    verb = rng.choice([*VERBS, "weights", "file", "..", "%00", "%2e%2e%2f", "x" * 3000])
    name = "m" if method == "POST" else rng.choice(["m/x", "..", "%2e%2e", "nobody", "m" * 300])
    path = f"/models/{name}/{verb}{rng.choice(['', '?most=x', '?id=' + 'i' * 500, '?%', '#'])}"
    length = len(text) if rng.random() < 0.8 else rng.choice([0, 1, 10**9, 10**30, -1, "x"])
    headers = [f"Content-Length: {length}", f"Content-Type: {rng.choice(KINDS)}"]
    if rng.random() < 0.2:
        headers.append(rng.choice(HEADERS))
    head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\n" + "\r\n".join(headers)
    return head.encode("latin-1", "replace") + b"\r\n\r\n" + text


JSON, OCTETS = "application/json", "application/octet-stream"
KINDS = (JSON, "application/x-ndjson", OCTETS, "text/plain", "\xff")
HEADERS = (
    "Transfer-Encoding: chunked",
    "Expect: 100-continue",
    "Authorization: Bearer \xff",
    "X: " + "x" * 9000,
    "Origin: http://evil.example",
    "Host: evil.example",
    "Idempotency-Key: " + "k" * 400,
    "Range: bytes=9-1",
    "Connection: Upgrade\r\nUpgrade: websocket",
    "Content-Encoding: gzip",
    "Cookie",
    ": :",
)


def send(port: int, rng: random.Random) -> int | None:
    """The status of the answer; None if there is none."""
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        text = request(rng)
        how = rng.random()
        try:
            if how < 0.1:  # cut off
                connection.sendall(text[: rng.randrange(len(text) + 1)])
                return None
            if how < 0.101:  # slow
                for start in range(0, min(len(text), 60), 10):
                    connection.sendall(text[start : start + 10])
                    time.sleep(0.05)
                return None
            connection.sendall(text)
            connection.shutdown(socket.SHUT_WR)
            said = connection.recv(4096)
        except OSError:
            return None
        assert b"Traceback" not in said
        words = said.split(b" ", 2)
        return int(words[1]) if said.startswith(b"HTTP/1.1 ") else None


class Other(threading.Thread):
    """A client that works as ever."""

    def __init__(self, port: int) -> None:
        super().__init__(daemon=True)
        self.port, self.stopping, self.statuses = port, threading.Event(), []

    def run(self) -> None:
        while not self.stopping.wait(0.05):
            for verb, record in (("learn", {"a": 1, "y": "no"}), ("predict", {"a": 1})):
                self.statuses.append(call(self.port, "POST", f"/models/other/{verb}", record)[0])


def fuzz(folder: Path, count: int) -> dict[int | None, int]:
    """Send so many; returns how often there was which status."""
    limits = {"body": 15_000, "record": 10_000, "seconds": 2.0}
    found: dict[int | None, int] = {}
    with Running(folder, limits=limits) as service:
        schema = {"label": "y", "key": "k"}
        for name in ("m", "other"):
            service("PUT", f"/models/{name}", {"learner": "oco", "schema": schema})
        service("POST", "/models/m/learn", GOOD)
        service("POST", "/models/m/learn", {"a": -1, "y": "no"})
        before = service("GET", "/models/m/file")[1]
        other = Other(service.port)
        other.start()
        rngs = [random.Random(seed) for seed in range(4)]

        def work(rng: random.Random) -> None:
            for _ in range(count // len(rngs)):
                status = send(service.port, rng)
                found[status] = found.get(status, 0) + 1

        threads = [threading.Thread(target=work, args=(rng,)) for rng in rngs]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        other.stopping.set()
        other.join()
        assert service("GET", "/models/m/file")[1] == before, "the model has changed"
        assert service("GET", "/models/other")[1]["rounds"] == len(other.statuses) // 2
        assert set(other.statuses) == {200}
    assert not [status for status in found if status is not None and status >= 500], found
    return found


def main(count: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        found = fuzz(Path(folder), count)
    told = ", ".join(f"{status}: {n}" for status, n in sorted(found.items(), key=str))
    print(f"{sum(found.values())} requests; answers: {told}; the model is as before")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)

"""Services for tests: in a process of their own, on a free port of this machine."""

from __future__ import annotations

import http.client
import json
import multiprocessing
import socket
import time
from typing import Any

_FORKSERVER = multiprocessing.get_context("forkserver")
_FORKSERVER.set_forkserver_preload(["tests.live.preloaded"])


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def _serve(folder: str, port: int, upkeep: dict[str, Any], limits: dict[str, Any], lines, sources):
    from braided.live.bodies import Limits
    from braided.live.host import Upkeep
    from braided.live.models import Models
    from braided.live.server import Server
    from braided.live.service import Service
    from braided.live.tokens import Tokens

    models = Models(folder, Limits(**limits), Upkeep(**upkeep))
    running = []
    if sources:
        from braided.live.sources import start

        running = start(models, sources)
    Server(Service(models, Tokens(lines)), port=port).run()
    for each in running:
        each.stop()


class Running:
    """A service that runs; ``kill`` is kill -9, ``stop`` is a polite request to end."""

    def __init__(self, folder, *, port=None, upkeep=None, limits=None, tokens=(), sources=()):
        self.folder, self.port = folder, port or free_port()
        arguments = (str(folder), self.port, upkeep or {}, limits or {}, tokens, sources)
        self.process = _FORKSERVER.Process(target=_serve, args=arguments, daemon=True)
        self.process.start()
        self._wait()

    def _wait(self) -> None:
        for _ in range(3000):
            try:
                if call(self.port, "GET", "/health")[0] in (200, 503):
                    return
            except OSError:
                assert self.process.is_alive(), "the service has ended"
                time.sleep(0.01)
        raise AssertionError("the service does not answer")

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.stop()

    def kill(self) -> None:
        self.process.kill()
        self.process.join()

    def stop(self) -> None:
        self.process.terminate()
        self.process.join(30)
        assert self.process.exitcode is not None

    def __call__(self, method: str, path: str, body: Any = None, **headers: str):
        return call(self.port, method, path, body, **headers)


def call(port: int, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
    """The status of an answer, and what it says."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        return ask(connection, method, path, body, **headers)
    finally:
        connection.close()


def ask(connection, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
    if body is not None and not isinstance(body, bytes):
        body = json.dumps(body).encode()
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    connection.request(method, path, body, named)
    response = connection.getresponse()
    found = response.read()
    if response.headers.get("content-type", "").startswith("application/json"):
        return response.status, json.loads(found)
    return response.status, found

"""The server: uvicorn, with connections that are closed when nothing sensible comes."""

from __future__ import annotations

import sys
from importlib.metadata import version
from typing import Any

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from braided.live.api.app import make_app
from braided.live.bodies import Limits
from braided.live.service import Service

__all__ = ["Server"]

_HEADER_BYTES = 64 << 10
_LEAST_RATE = 200.0  # bytes a second
_CONNECTIONS = 1000
_SWITCH = 0.0005


class Server(uvicorn.Server):
    """The server of a service.

    Parameters
    ----------
    service : Service
        The service.
    host : str, default "127.0.0.1"
        The address.
    port : int, default 8000
        The port; 0 for a free one.
    on_start : callable, optional
        Called with the port when requests are answered.
    """

    def __init__(
        self, service: Service, host: str = "127.0.0.1", port: int = 8000, on_start: Any = None
    ) -> None:
        self._service, self._on_start = service, on_start
        config = uvicorn.Config(
            make_app(service, version("braided")),
            host=host,
            port=port,
            http=_protocol(service.limits),
            ws="none",
            lifespan="on",
            log_level="warning",
            access_log=False,
            server_header=False,
            limit_concurrency=_CONNECTIONS,
            timeout_keep_alive=30,
            timeout_graceful_shutdown=30,
        )
        super().__init__(config)
        # The thread of a model and that of requests take turns quickly.
        sys.setswitchinterval(_SWITCH)

    async def startup(self, sockets: Any = None) -> None:
        """Begin to answer."""
        await super().startup(sockets)
        if self.started and self._on_start is not None:
            self._on_start(self.servers[0].sockets[0].getsockname()[1])

    async def shutdown(self, sockets: Any = None) -> None:
        """Finish what was accepted."""
        self._service.stopping = True
        await super().shutdown(sockets)


def _protocol(limits: Limits) -> type[HttpToolsProtocol]:
    class Watched(HttpToolsProtocol):
        """A connection that is closed when a request stops half-way, or crawls."""

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            self._quiet_since = self._begun = self.loop.time()
            self._bytes, self._complete, self._in_headers = 0, False, True
            self._watch()

        def data_received(self, data: bytes) -> None:
            self._quiet_since = self.loop.time()
            if self._complete:  # of an earlier request on this connection
                self._complete, self._in_headers = False, True
                self._begun, self._bytes = self._quiet_since, 0
            self._bytes += len(data)
            super().data_received(data)
            if self._in_headers and self._bytes > _HEADER_BYTES:
                self.transport.abort()

        def on_headers_complete(self) -> None:
            self._in_headers = False
            super().on_headers_complete()

        def on_message_complete(self) -> None:
            self._complete = True
            super().on_message_complete()

        def _watch(self) -> None:
            if self.transport.is_closing():
                return
            now = self.loop.time()
            if not self._complete and not self.flow.read_paused:
                silent = now - self._quiet_since > limits.seconds
                lasted = now - self._begun
                crawls = lasted > limits.seconds and self._bytes / lasted < _LEAST_RATE
                if silent or crawls:
                    self.transport.abort()
                    return
            self.loop.call_later(limits.seconds / 4, self._watch)

    return Watched

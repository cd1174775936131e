"""The live page: its files, the stream of events behind it, and the page of the documentation."""

from __future__ import annotations

import asyncio
import html
import json
from collections.abc import AsyncIterator
from contextlib import suppress
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from starlette.responses import HTMLResponse, Response, StreamingResponse

from braided.live.api.administration import in_its_thread
from braided.live.api.answers import RequestError
from braided.live.json_text import text_of
from braided.live.summary import detail, glance

if TYPE_CHECKING:
    from starlette.requests import Request as HttpRequest

    from braided.live.service import Service

__all__ = ["Page"]

_FILES = {
    "page.js": "text/javascript",
    "charts.js": "text/javascript",
    "page.css": "text/css",
    "favicon.svg": "image/svg+xml",
}
_EVERY = 1.0
_MOST_WATCHERS = 50


class Page:
    """Handlers of the live page.

    Parameters
    ----------
    service : Service
        The service.
    """

    def __init__(self, service: Service) -> None:
        self._service = service
        self._watchers = 0

    async def index(self, request: HttpRequest) -> Response:
        """Return the live page."""
        return HTMLResponse(_read("index.html"))

    async def file(self, request: HttpRequest) -> Response:
        """Return a file of the live page."""
        name = request.path_params["file"]
        if name not in _FILES:
            raise RequestError(404, "there is no such page")
        return Response(_read(name), media_type=_FILES[name])

    async def events(self, request: HttpRequest) -> Response:
        """Send the state of all models, and of one in full, once a second (server-sent events)."""
        name = request.query_params.get("model")
        if name is not None:
            self._service.named(name)
        if self._watchers >= _MOST_WATCHERS:
            raise RequestError(429, f"{_MOST_WATCHERS} pages are open already")
        return StreamingResponse(self._events(name), media_type="text/event-stream")

    async def _events(self, name: str | None) -> AsyncIterator[bytes]:
        self._watchers += 1
        try:
            while not self._service.stopping:
                yield b"data: " + text_of(await self._state(name)) + b"\n\n"
                await asyncio.sleep(_EVERY)
        finally:
            self._watchers -= 1

    async def _state(self, name: str | None) -> dict[str, Any]:
        service = self._service
        state: dict[str, Any] = {"models": [glance(host) for host in service.models]}
        host = None if name is None else service.models.get(name)
        if host is not None:
            with suppress(RequestError):  # it is being removed
                state["model"] = await in_its_thread(host, lambda: detail(host, service.metrics))
        return state

    async def docs(self, request: HttpRequest) -> Response:
        """Return the documentation of the API, made from the OpenAPI document."""
        return HTMLResponse(_described(request.app.openapi()))


def _read(name: str) -> bytes:
    return files("braided.live").joinpath("page", name).read_bytes()


def _described(document: dict[str, Any]) -> str:
    """The OpenAPI document for people: no script, nothing from elsewhere."""
    parts = []
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            parts.append(f"<h2><code>{method.upper()} {html.escape(path)}</code></h2>")
            parts.append(f"<p>{html.escape(operation.get('summary', ''))}</p>")
            parts.append(f"<p>{html.escape(operation.get('description', ''))}</p>")
            body = operation.get("requestBody", {}).get("content", {})
            for kind, content in body.items():
                shown = content.get("example", content.get("schema", {}))
                text = shown if isinstance(shown, str) else json.dumps(shown, indent=2)
                parts.append(f"<p>{html.escape(kind)}</p><pre>{html.escape(text)}</pre>")
            said = ", ".join(
                f"{status}: {each.get('description', '')}"
                for status, each in operation["responses"].items()
            )
            parts.append(f"<p class='quiet'>{html.escape(said)}</p>")
    return (
        "<!doctype html><html lang='en'><meta charset='utf-8'><title>Braided: API</title>"
        "<meta name='viewport' content='width=device-width, initial-scale=1'>"
        "<link rel='stylesheet' href='/page.css'><main class='docs'><h1>Braided: API</h1>"
        f"<p>{html.escape(document['info']['description'])}</p>"
        "<p><a href='/'>The live page</a>, <a href='/openapi.json'>openapi.json</a></p>"
        f"{''.join(parts)}</main></html>"
    )

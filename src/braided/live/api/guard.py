"""Guard: what every request passes first.

Without tokens everybody on this machine may use the service, but no web page in a browser on it. So
requests for another host name (DNS rebinding), and requests that another site's page sends, are
refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from braided.live.api.answers import RequestError, refusal

if TYPE_CHECKING:
    from braided.live.service import Service

__all__ = ["Guard"]

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})

_HEADERS = [
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cache-control", b"no-store"),
    (
        b"content-security-policy",
        b"default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
        b"img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
]


class Guard:
    """An ASGI app around another one.

    Parameters
    ----------
    app : ASGI app
        The app inside.
    service : Service
        The service.
    """

    def __init__(self, app: Any, service: Service) -> None:
        self.app, self._service = app, service

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Any) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *_HEADERS]
            await send(message)

        reason = self._reason(dict(scope["headers"]))
        if reason is not None:
            await refusal(RequestError(403, reason))(scope, receive, send_with_headers)
        else:
            await self.app(scope, receive, send_with_headers)

    def _reason(self, headers: dict[bytes, bytes]) -> str | None:
        """Why a request is refused; None if it is not."""
        host = headers.get(b"host", b"").decode("latin-1")
        if not len(self._service.tokens) and _name(host) not in LOOPBACK:
            return "without tokens this service answers requests for localhost only"
        origin = headers.get(b"origin")
        if origin is not None and _authority(origin.decode("latin-1")) != host:
            return "requests from pages of other sites are refused"
        return None


def _name(host: str) -> str:
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""


def _authority(origin: str) -> str | None:
    try:
        return urlsplit(origin).netloc or None
    except ValueError:
        return None

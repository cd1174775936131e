"""Bodies of requests: whole ones, and JSON lines as they come."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from starlette.requests import ClientDisconnect

from braided.live.api.answers import RequestError

if TYPE_CHECKING:
    from starlette.requests import Request as HttpRequest

    from braided.live.bodies import Limits

__all__ = ["is_lines", "pieces", "whole"]

LINES = ("application/x-ndjson", "application/jsonl", "application/x-jsonlines")
_PIECE_LINES = 500
_PIECE_BYTES = 1 << 20


def is_lines(request: HttpRequest) -> bool:
    """Whether a body is JSON lines to be read as they come, by its content type.

    Parameters
    ----------
    request : Request
        The request.

    Returns
    -------
    bool
        Whether it is.
    """
    return request.headers.get("content-type", "").partition(";")[0].strip().lower() in LINES


async def whole(request: HttpRequest, most: int) -> bytes:
    """Read a body that is not too long.

    Parameters
    ----------
    request : Request
        The request.
    most : int
        How many bytes are allowed.

    Returns
    -------
    bytes
        The body.
    """
    length = request.headers.get("content-length", "0")
    if length.isdecimal() and int(length[:20]) > most:
        raise _too_long(most)
    found, size = [], 0
    try:
        async for chunk in request.stream():
            size += len(chunk)
            if size > most:
                raise _too_long(most)
            found.append(chunk)
    except ClientDisconnect:
        raise RequestError(400, "the request was cut off") from None
    return found[0] if len(found) == 1 else b"".join(found)


async def pieces(request: HttpRequest, limits: Limits) -> AsyncIterator[list[bytes]]:
    """Read lines as they come, some at a time; no more than a piece is held.

    Parameters
    ----------
    request : Request
        The request.
    limits : Limits
        How long a line may be.

    Yields
    ------
    list of bytes
        The next lines.
    """
    rest, lines, size = b"", list[bytes](), 0
    try:
        async for chunk in request.stream():
            *whole_lines, rest = (rest + chunk).split(b"\n")
            for line in whole_lines:
                if len(line) > limits.record:
                    raise _too_long_line(limits)
                lines.append(line)
                size += len(line)
                if len(lines) >= _PIECE_LINES or size >= _PIECE_BYTES:
                    yield lines
                    lines, size = [], 0
            if len(rest) > limits.record:
                raise _too_long_line(limits)
    except ClientDisconnect:
        raise RequestError(400, "the request was cut off") from None
    if rest.strip():
        lines.append(rest)
    if lines:
        yield lines


def _too_long(most: int) -> RequestError:
    return RequestError(
        413,
        f"the body is longer than {most} bytes; records may be sent as JSON lines of any length",
    )


def _too_long_line(limits: Limits) -> RequestError:
    return RequestError(413, f"a line is longer than {limits.record} bytes")

"""Redis streams: read behind the id that the journal has."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import redis

from braided.live.sources.table import Address, Message

__all__ = ["RedisStream"]

_DATA = b"data"


class RedisStream:
    """A stream of Redis. An entry has a field ``data`` with JSON, or its fields are the record.

    Parameters
    ----------
    address : Address
        Where it is: ``redis://host:6379/stream``.
    position : str or None
        The id of the last entry that was read.
    """

    def __init__(self, address: Address, position: str | None) -> None:
        host, port = address.server(6379)
        self._redis: Any = redis.Redis(
            host=host,
            port=port,
            username=address.url.username,
            password=address.url.password,
            socket_timeout=30,
        )
        self._stream, self._last = address.topic, position or "0-0"

    def take(self, seconds: float) -> Sequence[Message]:
        """Return the next entries."""
        milliseconds = max(1, int(1000 * seconds))
        found = self._redis.xread({self._stream: self._last}, count=256, block=milliseconds)
        entries = found[0][1] if found else []
        messages = [Message(_payload(fields), id.decode()) for id, fields in entries]
        if messages:
            self._last = messages[-1].position
        return messages

    def done(self, messages: Sequence[Message]) -> None:
        """Do nothing: the position is in the journal."""

    def send(self, payloads: Sequence[bytes]) -> None:
        """Add entries."""
        pipeline = self._redis.pipeline()
        for payload in payloads:
            pipeline.xadd(self._stream, {_DATA: payload})
        pipeline.execute()

    def close(self) -> None:
        """Close the connection."""
        self._redis.close()


def _payload(fields: dict[bytes, bytes]) -> bytes:
    if _DATA in fields:
        return fields[_DATA]
    texts = {k.decode("utf-8", "replace"): v.decode("utf-8", "replace") for k, v in fields.items()}
    return json.dumps(texts).encode()

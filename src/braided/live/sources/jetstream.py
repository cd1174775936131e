"""NATS JetStream: read behind the sequence that the journal has."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from typing import Any

import nats
from nats.errors import TimeoutError as NothingCame
from nats.js.api import AckPolicy, ConsumerConfig, DeliverPolicy

from braided.live.sources.table import Address, Message

__all__ = ["JetStream"]

_AT_ONCE = 256


class JetStream:
    """A subject of a JetStream.

    Parameters
    ----------
    address : Address
        Where it is: ``nats://host:4222/subject?stream=NAME``.
    position : str or None
        The sequence of the last message that was read.
    """

    def __init__(self, address: Address, position: str | None) -> None:
        host, port = address.server(4222)
        self._subject, self._stream = address.topic, address.options.get("stream")
        self._last = int(position or 0)
        self._loop = asyncio.new_event_loop()
        self._pull: Any = None
        self._connection: Any = self._run(
            nats.connect(
                f"nats://{host}:{port}",
                user=address.url.username,
                password=address.url.password,
                allow_reconnect=False,
                connect_timeout=5,
            )
        )
        self._jetstream = self._connection.jetstream(timeout=10)

    def _run(self, work: Coroutine[Any, Any, Any]) -> Any:
        return self._loop.run_until_complete(work)

    async def _subscribed(self) -> Any:
        config = ConsumerConfig(
            deliver_policy=DeliverPolicy.BY_START_SEQUENCE,
            opt_start_seq=self._last + 1,
            ack_policy=AckPolicy.NONE,
            inactive_threshold=60,
        )
        return await self._jetstream.pull_subscribe(
            self._subject, stream=self._stream, config=config
        )

    def take(self, seconds: float) -> Sequence[Message]:
        """Return the next messages."""
        if self._pull is None:
            self._pull = self._run(self._subscribed())
        try:
            found = self._run(self._pull.fetch(_AT_ONCE, timeout=max(0.05, seconds)))
        except (NothingCame, asyncio.TimeoutError):
            if not self._connection.is_connected:
                raise ConnectionError("the connection to NATS is lost") from None
            return []
        sequences = [each.metadata.sequence.stream for each in found]
        if sequences and sequences != sorted(sequences):
            raise ConnectionError("messages came out of order")
        # What comes after a gap is not taken: the subscription begins anew behind the last one.
        messages = [
            Message(each.data, str(sequence))
            for each, sequence in zip(found, sequences, strict=True)
            if sequence > self._last
        ]
        if messages:
            self._last = int(messages[-1].position)
        return messages

    def done(self, messages: Sequence[Message]) -> None:
        """Do nothing: the position is in the journal."""

    def send(self, payloads: Sequence[bytes]) -> None:
        """Publish messages, and wait until the stream has them."""

        async def publish() -> None:
            for payload in payloads:
                await self._jetstream.publish(self._subject, payload)

        self._run(publish())

    def close(self) -> None:
        """Close the connection."""
        try:
            self._run(self._connection.close())
        finally:
            self._loop.close()

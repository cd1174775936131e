"""Kafka: read behind the offsets that the journal has."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from confluent_kafka import OFFSET_BEGINNING, Consumer, Producer, TopicPartition

from braided.live.sources.table import Address, Message

__all__ = ["KafkaTopic"]

_SECONDS = 15.0
_QUIET = {"log_level": 2}  # what is wrong is told as the trouble of the feed


class KafkaTopic:
    """All partitions of a topic of Kafka.

    Parameters
    ----------
    address : Address
        Where it is: ``kafka://host:9092/topic?group=NAME``.
    position : str or None
        JSON: for each partition, the offset of the next message.
    """

    def __init__(self, address: Address, position: str | None) -> None:
        host, port = address.server(9092)
        self._topic, self._servers = address.topic, f"{host}:{port}"
        self._next: dict[str, int] = json.loads(position or "{}")
        self._group = address.options.get("group", "braided")
        self._consumer: Any = None
        self._producer: Any = None

    def _assigned(self) -> Any:
        consumer = Consumer(
            {
                "bootstrap.servers": self._servers,
                "group.id": self._group,
                "enable.auto.commit": False,
                "auto.offset.reset": "earliest",
                "isolation.level": "read_committed",
                **_QUIET,
            }
        )
        topic = consumer.list_topics(self._topic, timeout=_SECONDS).topics[self._topic]
        if topic.error is not None:
            raise ConnectionError(f"Kafka: {topic.error}")
        consumer.assign(
            [
                TopicPartition(self._topic, n, self._next.get(str(n), OFFSET_BEGINNING))
                for n in topic.partitions
            ]
        )
        return consumer

    def take(self, seconds: float) -> Sequence[Message]:
        """Return the next messages."""
        if self._consumer is None:
            self._consumer = self._assigned()
        found: list[Message] = []
        for each in self._consumer.consume(256, timeout=seconds):
            error = each.error()
            if error is not None:
                if error.fatal():  # of others the client recovers by itself
                    raise ConnectionError(f"Kafka: {error}")
                continue
            self._next[str(each.partition())] = each.offset() + 1
            found.append(Message(each.value() or b"", json.dumps(self._next, sort_keys=True)))
        return found

    def done(self, messages: Sequence[Message]) -> None:
        """Tell Kafka the offsets, for those who watch the lag; the journal is what counts."""
        offsets = [TopicPartition(self._topic, int(n), at) for n, at in self._next.items()]
        self._consumer.commit(offsets=offsets, asynchronous=True)

    def send(self, payloads: Sequence[bytes]) -> None:
        """Send messages, and wait until the brokers have them."""
        if self._producer is None:
            self._producer = Producer(
                {"bootstrap.servers": self._servers, "enable.idempotence": True, **_QUIET}
            )
        for payload in payloads:
            self._producer.produce(self._topic, payload)
        if self._producer.flush(_SECONDS):
            raise ConnectionError("Kafka does not acknowledge messages")

    def close(self) -> None:
        """Close the connection."""
        if self._consumer is not None:
            self._consumer.close()

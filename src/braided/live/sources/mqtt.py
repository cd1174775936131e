"""MQTT: messages are acknowledged when they are in the journal.

The broker keeps what was not acknowledged for the session of a client id. MQTT has no positions: if
the acknowledgement of a message is lost, it comes again.
"""

from __future__ import annotations

import queue
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import paho.mqtt.client as paho

from braided.live.sources.table import Address, Message

__all__ = ["MqttTopic"]

_QOS = 1
_MOST = 256
_SECONDS = 10.0


class MqttTopic:
    """A topic of MQTT, with QoS 1.

    Parameters
    ----------
    address : Address
        Where it is: ``mqtt://host:1883/topic?client=braided``.
    position : str or None
        It is not used.
    """

    def __init__(self, address: Address, position: str | None) -> None:
        self._address, self._topic = address, address.topic
        self._arrived: queue.Queue[Any] = queue.Queue()
        self._reader: Any = None
        self._writer: Any = None

    def _connected(self, client_id: str, *, clean: bool) -> Any:
        client: Any = paho.Client(
            paho.CallbackAPIVersion.VERSION2,  # type: ignore[attr-defined]
            client_id=client_id,
            clean_session=clean,
            manual_ack=True,
            reconnect_on_failure=False,
        )
        client.max_inflight_messages_set(_MOST)
        url = self._address.url
        if url.username:
            client.username_pw_set(url.username, url.password)
        client.on_message = lambda client, data, message: self._arrived.put(message)
        client.connect(*self._address.server(1883))
        client.loop_start()
        return client

    def take(self, seconds: float) -> Sequence[Message]:
        """Return the next messages."""
        if self._reader is None:
            name = self._address.options.get("client", f"braided-{self._topic}")
            self._reader = self._connected(name, clean=False)
            self._reader.subscribe(self._topic, _QOS)
        found: list[Message] = []
        with suppress(queue.Empty):
            while len(found) < _MOST:
                wait = seconds if not found else 0.001
                message = self._arrived.get(timeout=wait)
                found.append(Message(message.payload, "", message))
        if not found and not self._reader.is_connected():
            raise ConnectionError("the connection to the broker is lost")
        return found

    def done(self, messages: Sequence[Message]) -> None:
        """Acknowledge messages."""
        for message in messages:
            self._reader.ack(message.handle.mid, message.handle.qos)

    def send(self, payloads: Sequence[bytes]) -> None:
        """Publish messages, and wait until the broker has them."""
        if self._writer is None:
            self._writer = self._connected("", clean=True)
        sent = [self._writer.publish(self._topic, payload, _QOS) for payload in payloads]
        for each in sent:
            each.wait_for_publish(_SECONDS)
            if not each.is_published():
                raise ConnectionError("the broker does not acknowledge messages")

    def close(self) -> None:
        """Close the connections; the broker keeps the session of the reader."""
        for client in (self._reader, self._writer):
            if client is not None:
                client.disconnect()
                client.loop_stop()

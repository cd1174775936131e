"""The brokers: one entry for each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol
from urllib.parse import SplitResult, parse_qsl, urlsplit

from braided.errors import InputError
from braided.registry.table import Home, Table, resolve

__all__ = ["BROKERS", "Address", "BrokerEntry", "Message", "Source", "connect"]


class Message(NamedTuple):
    """A message of a broker.

    Parameters
    ----------
    payload : bytes
        JSON: a record.
    position : str
        How far the stream was read when this message is done.
    handle : Any, optional
        By which the broker is told that it is done.
    """

    payload: bytes
    position: str
    handle: Any = None


class Source(Protocol):
    """What a broker provides. All of it is called in one thread."""

    def take(self, seconds: float) -> Sequence[Message]:
        """Return the next messages; none if none come in so many seconds."""
        ...

    def done(self, messages: Sequence[Message]) -> None:
        """Tell the broker that messages are in the journal, if it wants to know."""
        ...

    def send(self, payloads: Sequence[bytes]) -> None:
        """Send messages to this topic; when it returns the broker has them."""
        ...

    def close(self) -> None:
        """Close the connection."""
        ...


@dataclass(frozen=True)
class Address:
    """Where a stream is: ``scheme://[user:password@]host[:port]/topic[?option=value]``.

    Parameters
    ----------
    url : SplitResult
        The parts of the address.
    topic : str
        The name of the topic, stream or subject.
    options : dict
        The options.
    """

    url: SplitResult
    topic: str
    options: dict[str, str]

    @property
    def name(self) -> str:
        """The address without password and options: by this name its position is kept."""
        host = f"{self.url.hostname}:{self.url.port}" if self.url.port else self.url.hostname
        return f"{self.url.scheme}://{host}/{self.topic}"

    def server(self, port: int) -> tuple[str, int]:
        """Return host and port.

        Parameters
        ----------
        port : int
            The usual port.

        Returns
        -------
        tuple
            The host, and the port.
        """
        return self.url.hostname or "localhost", self.url.port or port


@dataclass(frozen=True)
class BrokerEntry:
    """A broker.

    Parameters
    ----------
    name : str
        The scheme of its addresses.
    home : str or callable
        The class ``(address, position) -> Source``.
    about : str
        What it is, and what is kept of its position.
    package : str
        What has to be installed.
    options : tuple of str, default ()
        Options that its addresses may have, besides ``id``.
    """

    name: str
    home: Home
    about: str
    package: str
    options: tuple[str, ...] = ()


BROKERS = Table(
    "broker",
    (
        BrokerEntry(
            "kafka",
            "braided.live.sources.kafka:KafkaTopic",
            "Kafka: offsets of all partitions are in the journal, so each message counts once",
            "confluent-kafka",
            ("group",),
        ),
        BrokerEntry(
            "redis",
            "braided.live.sources.redis_stream:RedisStream",
            "Redis streams: the id of the last entry is in the journal, so each counts once",
            "redis",
        ),
        BrokerEntry(
            "nats",
            "braided.live.sources.jetstream:JetStream",
            "NATS JetStream: the stream's sequence is in the journal, so each message counts once",
            "nats-py",
            ("stream",),
        ),
        BrokerEntry(
            "mqtt",
            "braided.live.sources.mqtt:MqttTopic",
            "MQTT, QoS 1: none is lost; one whose acknowledgement was lost comes again, and counts "
            "once only if id names a field that tells messages apart",
            "paho-mqtt",
            ("client",),
        ),
    ),
)


def address_of(text: str) -> Address:
    """Read an address.

    Parameters
    ----------
    text : str
        As in ``redis://localhost/orders``.

    Returns
    -------
    Address
        Its parts.
    """
    url = urlsplit(text)
    entry = BROKERS.find(url.scheme)
    topic = url.path.lstrip("/")
    if not url.hostname or not topic:
        raise InputError(
            f"the address {text!r} is not allowed: write {entry.name}://host[:port]/topic"
        )
    options = dict(parse_qsl(url.query, keep_blank_values=True))
    allowed = (*entry.options, "id")
    for option in options:
        if option not in allowed:
            raise InputError(f"{text}: no option {option!r}: choose one of {', '.join(allowed)}")
    return Address(url, topic, options)


def connect(address: Address, position: str | None) -> Source:
    """Connect to a stream.

    Parameters
    ----------
    address : Address
        Where it is.
    position : str or None
        How far it was read; None for its beginning.

    Returns
    -------
    Source
        The stream.
    """
    entry = BROKERS.find(address.url.scheme)
    try:
        home = resolve(entry.home)
    except ImportError:
        raise InputError(
            f"{entry.name}:// needs another package: pip install {entry.package}"
        ) from None
    found: Source = home(address, position)
    return found

"""Sources: streams of brokers that a model learns from, and where its predictions go."""

from braided.live.sources.feed import Feed, start
from braided.live.sources.table import BROKERS, BrokerEntry, Message, Source

__all__ = ["BROKERS", "BrokerEntry", "Feed", "Message", "Source", "start"]

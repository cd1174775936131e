"""Models at work, without a server around them."""

from __future__ import annotations

import json
from contextlib import contextmanager

from braided import OCO, Schema
from braided.live.host import Host
from braided.live.live_model import LiveModel
from braided.live.storage import Storage


def new_live_model(learner=None) -> LiveModel:
    learner = learner or OCO()
    learner.schema = Schema(label="y", key="k")
    return LiveModel(learner)


@contextmanager
def host_in(folder, *, learner=None, limits=None, upkeep=None, most_pages=None):
    if not (folder / "m.braided").exists() and not (folder / "m.journal").exists():
        new_live_model(learner).save(folder / "m.braided")
    host = Host(Storage(folder, "m", most_pages=most_pages), limits, upkeep)
    try:
        yield host
    finally:
        host.close()


def tell(host: Host, kind: str, item, id=None):
    return host.ask(kind, json.dumps(item).encode(), id=id)


def bytes_of(host: Host) -> bytes:
    return host.call(lambda: host.model.to_bytes())

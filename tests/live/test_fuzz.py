"""What nobody should send, in short; in full: python -m tests.live.fuzz 100000."""

from __future__ import annotations

import threading

import pytest

pytest.importorskip("fastapi")
from tests.live.service import Running


def test_nothing_breaks(tmp_path):
    from tests.live.fuzz import fuzz

    found = fuzz(tmp_path, 1200)
    assert found.get(422, 0) > 50


def test_the_document_is_true(tmp_path):
    """Requests made from the OpenAPI document are answered as it says."""
    pytest.importorskip("schemathesis")
    from tests.live.by_document import requests_by_document

    with Running(tmp_path) as service:
        service("PUT", "/models/m", {"learner": "oco", "schema": {"label": "label", "key": "key"}})
        assert requests_by_document(service.port, examples=6) > 30


def test_the_demonstration_plays(tmp_path):
    from braided.live.demo import play

    with Running(tmp_path) as service:
        schema = {"label": "label", "key": "key"}
        service("PUT", "/models/german", {"learner": "oco", "schema": schema})
        stop = threading.Event()
        player = threading.Thread(target=play, args=(service.port, "german", stop))
        player.start()
        for _ in range(600):
            if service("GET", "/models/german")[1]["rounds"] > 20:
                break
            stop.wait(0.05)
        stop.set()
        player.join()
        told = service("GET", "/models/german")[1]
        assert told["rounds"] > 20
        assert told["pending"] > 20

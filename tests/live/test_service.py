"""The service over HTTP: its verbs, streams, limits, tokens, and its end."""

from __future__ import annotations

import json
import socket
import threading
import time
from itertools import count

import pytest

pytest.importorskip("fastapi")
from tests.live.service import Running, call

SCHEMA = {"schema": {"label": "y", "key": "k"}}
NUMBERS = count()
LINES = {"Content_Type": "application/x-ndjson"}


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    limits = {"body": 100_000, "record": 5_000, "seconds": 1.0, "waiting": 3_000}
    with Running(tmp_path_factory.mktemp("models"), limits=limits) as running:
        yield running


@pytest.fixture
def model(service):
    name = f"m{next(NUMBERS)}"
    status, said = service("PUT", f"/models/{name}", {"learner": "oco", **SCHEMA})
    assert (status, said["rounds"]) == (201, 0)
    yield lambda verb, body, **headers: service("POST", f"/models/{name}/{verb}", body, **headers)
    service("DELETE", f"/models/{name}")


def test_a_model_from_birth_to_end(service):
    assert service("PUT", "/models/spam", {"learner": "oco", **SCHEMA})[0] == 201
    assert service("POST", "/models/spam/learn", {"cheap": 1, "y": "spam"}) == (
        200,
        {"learned": 1, "version": 1},
    )
    status, said = service("POST", "/models/spam/learn", [{"lunch": 1, "y": "mail"}] * 3)
    assert (status, said) == (200, {"learned": 3, "version": 2})
    status, said = service("POST", "/models/spam/predict", {"cheap": 1})
    assert (status, said["label"], said["version"]) == (200, "spam", 2)
    assert 0.5 < said["probability"] < 1
    status, said = service("POST", "/models/spam/explain", {"cheap": 1})
    assert [each["feature"] for each in said["effects"]] == ["cheap"]
    status, said = service("POST", "/models/spam/predict", {"lunch": 1, "k": 17})
    assert (said["key"], said["label"]) == ("17", "mail")
    assert service("POST", "/models/spam/label", {"k": 17, "y": "mail"})[1]["learned"] == 1
    assert service("POST", "/models/spam/label", {"k": 17, "y": "mail"})[0] == 404
    status, said = service("GET", "/models/spam")
    assert (said["rounds"], said["features_seen"], said["pending"]) == (5, 2, 0)
    assert said["progress"]["records"] == 5
    assert said["schema"]["key"] == "k"
    assert [each["name"] for each in service("GET", "/models")[1]] == ["spam"]
    assert {each["feature"] for each in service("GET", "/models/spam/weights")[1]["weights"]} == {
        "cheap",
        "lunch",
    }
    assert len(service("GET", "/models/spam/weights?most=1")[1]["weights"]) == 1
    file = service("GET", "/models/spam/file")[1]
    octets = {"Content_Type": "application/octet-stream"}
    assert service("PUT", "/models/copy", file, **octets)[0] == 201
    assert service("GET", "/models/copy")[1]["rounds"] == 5
    assert service("PUT", "/models/copy", {"learner": "olsf"})[0] == 200  # replaced
    assert service("GET", "/models/copy")[1]["rounds"] == 0
    for name in ("spam", "copy"):
        assert service("DELETE", f"/models/{name}")[0] == 200
        assert service("GET", f"/models/{name}")[0] == 404
    assert service("GET", "/health") == (200, {"status": "ok", "models": 0})


def test_lines_of_any_length(model):
    lines = b"".join(
        json.dumps({"a": i % 7, "y": "yes" if i % 7 > 3 else "no"}).encode() + b"\n"
        for i in range(20_000)
    )
    assert len(lines) > 400_000  # longer than any other body may be
    status, said = model("learn", lines, **LINES, Idempotency_Key="all")
    assert (status, said["learned"]) == (200, 20_000)
    status, said = model("learn", lines, **LINES, Idempotency_Key="all")
    assert said["learned"] == 20_000  # and not learned again:
    assert model("predict", {"a": 1})[1]["version"] == 40
    status, said = model("predict", lines[:30_000], **LINES)
    answers = [json.loads(line) for line in said.splitlines()[:-1]]
    assert {answer["label"] for answer in answers} == {"yes", "no"}
    status, said = model("learn", b'{"a": 1, "y": "no"}\nnonsense\n', **LINES)
    assert status == 422
    assert said["error"].startswith("line 2: not JSON")


@pytest.mark.parametrize(
    ("verb", "body", "status", "words"),
    [
        ("learn", b"nonsense", 422, "not JSON"),
        ("learn", b"", 422, "not JSON"),
        ("learn", b"[1, 2]", 422, "record 0: 1 is not an object"),
        ("learn", b'{"a": 1}', 422, "no label (field 'y')"),
        ("learn", b'{"a": 1e999, "y": 1}', 422, "feature 'a'"),
        ("learn", b'{"a": 1, "a": 2, "y": 1}', 422, "there twice"),
        ("learn", b'{"a": "\xff", "y": 1}', 422, "UTF-8"),
        ("learn", b'{"a":' * 50 + b"1" + b"}" * 50, 422, "nested deeper"),
        ("learn", b"[" * 100_000, 422, "nested"),
        ("learn", b'{"' + b"x" * 2000 + b'": 1, "y": 1}', 422, "field name"),
        ("learn", b" " * 200_000, 413, "longer than 100000 bytes"),
        ("label", b'{"k": "a", "y": "b"}', 404, "no record waits"),
        ("label", b'{"k": "a"}', 422, "no label"),
        ("predict", b'{"a": 1e300}', 422, "feature 'a'"),
    ],
)
def test_what_is_refused(model, verb, body, status, words):
    found, said = model(verb, body)
    assert found == status, said
    assert words in said["error"]
    assert model("predict", {"a": 1})[1]["version"] == 0


def test_no_name_leads_to_a_file(service):
    for name in ("..", "a%2fb", "..%2f..%2fetc", "a..b", ".hidden", "x" * 70, "a%00b", "%C3%A9"):
        status, said = service("PUT", f"/models/{name}", SCHEMA)
        assert status in (404, 405, 422), (name, said)
    assert service("GET", "/..%2f..%2fpyproject.toml")[0] == 404
    assert service("GET", "/api.py")[0] == 404


def test_uploads_are_checked(service):
    octets = {"Content_Type": "application/octet-stream"}
    status, said = service("PUT", "/models/forged", b"not a model", **octets)
    assert status == 422
    assert "can not be loaded" in said["error"]
    assert "/" not in said["error"]
    for body in (
        {"learner": "nothing"},
        {"learner": 3},
        {"parameters": {"x": 1}},
        {"learner": "oco", "schema": {"number": ["y"], "label": "y"}},
        {"schema": {"nothing": 1}},
        {"other": 1},
        [],
    ):
        assert service("PUT", "/models/forged", body)[0] == 422, body
    assert service("GET", "/models/forged")[0] == 404


def test_too_much_at_once_is_told(model):
    model("learn", [{"a": 1, "y": 1}] * 10)
    statuses = []

    def send():
        statuses.append(model("learn", [{"a": 1, "y": 1}] * 2500)[0])

    threads = [threading.Thread(target=send) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(statuses) <= {200, 429}
    assert model("predict", {"a": 1})[1]["version"] == 1 + statuses.count(200)


def test_other_sites_and_other_names(service):
    assert service("GET", "/models", Host="evil.example")[0] == 403
    assert service("GET", "/models", Host=f"localhost:{service.port}")[0] == 200
    said = service("POST", "/models/x/learn", {}, Origin="http://evil.example")
    assert said[0] == 403
    own = f"127.0.0.1:{service.port}"
    assert service("POST", "/models/x/learn", {}, Origin=f"http://{own}", Host=own)[0] == 404


def test_slow_clients_are_cut_off_and_others_are_served(service):
    started = time.monotonic()
    slow = [socket.create_connection(("127.0.0.1", service.port)) for _ in range(5)]
    slow[0].sendall(b"POST /models/x/learn HTTP/1.1\r\nHost: localhost\r\n")
    slow[1].sendall(
        b"POST /models/x/learn HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n{"
    )
    slow[2].sendall(b"nonsense\r\n\r\n")
    slow[3].sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 90_000)
    assert service("GET", "/health")[0] == 200
    for connection in slow:
        connection.settimeout(5)
        try:
            while connection.recv(1000):
                pass
        except ConnectionError:
            pass
        connection.close()
    assert time.monotonic() - started < 5


def test_pages_and_documents(service):
    status, document = service("GET", "/openapi.json")
    assert status == 200
    assert "/models/{name}/learn" in document["paths"]
    assert b"/models/{name}/label" in service("GET", "/docs")[1]
    assert b"<!doctype html>" in service("GET", "/")[1]
    assert b"braided_up" in service("GET", "/metrics")[1]
    assert service("POST", "/health")[0] == 405
    assert service("GET", "/nothing")[0] == 404


def test_tokens(tmp_path):
    words = {role: f"{role}-0123456789abcdef" for role in ("read", "write", "admin")}
    allowed = {role: {"Authorization": f"Bearer {word}"} for role, word in words.items()}
    with Running(tmp_path, tokens=[f"{role} {word}" for role, word in words.items()]) as service:
        assert service("PUT", "/models/m", SCHEMA)[0] == 401
        assert service("PUT", "/models/m", SCHEMA, Authorization="Bearer x")[0] == 401
        assert service("PUT", "/models/m", SCHEMA, **allowed["write"])[0] == 403
        assert service("PUT", "/models/m", SCHEMA, **allowed["admin"])[0] == 201
        learned = {"a": 1, "y": "yes"}
        assert service("POST", "/models/m/learn", learned, **allowed["read"])[0] == 403
        assert service("POST", "/models/m/learn", learned, **allowed["write"])[0] == 200
        assert service("POST", "/models/m/predict", {"a": 1}, **allowed["read"])[0] == 200
        assert service("POST", "/models/m/predict", {"a": 1, "k": 1}, **allowed["read"])[0] == 403
        assert service("GET", "/models", Host="example.org", **allowed["read"])[0] == 200
        assert service("GET", "/metrics")[0] == 401
        assert service("GET", "/events")[0] == 401
        assert service("GET", "/health")[0] == 200


def test_a_polite_end_finishes_what_was_accepted(tmp_path):
    with Running(tmp_path) as service:
        service("PUT", "/models/m", {"learner": "oco", **SCHEMA})
        statuses = []

        def send():
            try:
                for _ in range(200):
                    said = call(service.port, "POST", "/models/m/learn", {"a": 1, "y": 1})
                    statuses.append(said[0])
            except OSError:
                return

        threads = [threading.Thread(target=send) for _ in range(4)]
        for thread in threads:
            thread.start()
        time.sleep(0.3)
        service.stop()
        for thread in threads:
            thread.join()
    with Running(tmp_path) as again:
        rounds = again("GET", "/models/m")[1]["rounds"]
    assert rounds >= statuses.count(200) > 0
    assert rounds - statuses.count(200) <= 4  # those whose answer the end has cut off

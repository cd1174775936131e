"""What the OpenAPI document says of each route."""

from __future__ import annotations

from typing import Any

__all__ = [
    "ABOUT",
    "DELETE",
    "ERRORS",
    "EVENTS",
    "EXPLAIN",
    "FILE",
    "HEALTH",
    "LABEL",
    "LEARN",
    "METRICS",
    "MODEL",
    "MODELS",
    "PREDICT",
    "PUT",
    "WEIGHTS",
    "complete",
]

ABOUT = (
    "Models that learn online. A record is a JSON object from field to value; fields may come and "
    "go. What is answered to learn and label is in the journal, on disk."
)

_ERROR = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {"type": "string"},
        "learned": {"type": "integer"},
        "unknown": {"type": "array", "items": {"type": "string"}},
    },
}


def _json(schema: dict[str, Any], description: str) -> dict[str, Any]:
    return {"description": description, "content": {"application/json": {"schema": schema}}}


def _error(description: str) -> dict[str, Any]:
    return _json(_ERROR, description)


ERRORS: dict[int | str, dict[str, Any]] = {
    401: _error("No token, or an unknown one"),
    403: _error("The token is not enough, or the request comes from a page of another site"),
}
_NO_MODEL = {404: _error("There is no such model")}
_REFUSED = {422: _error("The request is not allowed: the error says what, and where")}
_BODY = {
    400: _error("The request was cut off"),
    413: _error("The body is too long"),
    **_NO_MODEL,
    **_REFUSED,
    503: _error("The disk is full, or the service stops: nothing was done"),
}
_BUSY = {409: _error("The id was given to another request"), 429: _error("Too much waits")}

_RECORD = {"type": "object", "additionalProperties": True}
_RECORDS = {"oneOf": [_RECORD, {"type": "array", "items": _RECORD}]}
_NUMBER = {"type": ["number", "null"]}
_LABEL = {"type": ["string", "number", "boolean", "null"]}
_ANSWER = {
    "type": "object",
    "required": ["version"],
    "properties": {
        "label": _LABEL,
        "probability": _NUMBER,
        "score": _NUMBER,
        "version": {"type": "integer"},
        "key": {"type": ["string", "null"]},
        "effects": {"type": "array", "items": {"type": "object"}},
        "duplicate": {"type": "boolean"},
    },
}
_ANSWERS = {"oneOf": [_ANSWER, {"type": "array", "items": _ANSWER}]}
_LEARNED = {
    "type": "object",
    "required": ["learned", "version"],
    "properties": {
        "learned": {"type": "integer"},
        "version": {"type": "integer"},
        "unknown": {"type": "array", "items": {"type": "string"}},
        "duplicate": {"type": "boolean"},
    },
}
_GLANCE = {
    "type": "object",
    "required": ["name", "learner", "version", "rounds", "warnings"],
    "properties": {
        "name": {"type": "string"},
        "learner": {"type": "string"},
        "version": {"type": "integer"},
        "rounds": {"type": "integer"},
        "error": _NUMBER,
        "error_recent": _NUMBER,
        "features_seen": {"type": "integer"},
        "pending": {"type": "integer"},
        "waiting": {"type": "integer"},
        "warnings": {"type": "array", "items": {"type": "string"}},
    },
}
_NAME = {
    "name": "name",
    "in": "path",
    "required": True,
    "description": "The name of the model",
    "schema": {"type": "string", "pattern": "^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$"},
}
_ID = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "An id of the request: one that is repeated is done once",
    "schema": {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[!-~]+$"},
}
_MOST = {
    "name": "most",
    "in": "query",
    "required": False,
    "schema": {"type": "integer", "minimum": 1, "maximum": 10000, "default": 100},
}


def _body(example: str) -> dict[str, Any]:
    lines = {"schema": {"type": "string"}, "example": f"{example}\n{example}\n"}
    one = {"schema": _RECORDS, "example": example}
    return {
        "required": True,
        "content": {"application/json": one, "application/x-ndjson": lines},
    }


def _verb(
    summary: str, example: str, answer: dict[str, Any], *, id: bool = True, lines: bool = True
) -> dict[str, Any]:
    body = _body(example)
    if not lines:
        del body["content"]["application/x-ndjson"]
    extra = {"parameters": [_NAME, *([_ID] if id else [])], "requestBody": body}
    found = _json(answer, "Done")
    if lines and answer is _ANSWERS:
        found["content"]["application/x-ndjson"] = {"schema": {"type": "string"}}
    responses = {200: found, **_BODY, **_BUSY}
    return {"summary": summary, "responses": responses, "openapi_extra": extra}


def _look(
    summary: str, answer: dict[str, Any], *parameters: dict[str, Any], **more: Any
) -> dict[str, Any]:
    named = _NO_MODEL if _NAME in parameters else {}
    return {
        "summary": summary,
        "responses": {200: answer, **named, **more.get("responses", {})},
        "openapi_extra": {"parameters": [*parameters]},
    }


PREDICT = _verb(
    "Predict a record, a list of records, or JSON lines",
    '{"cheap": 1, "sender": "shop"}',
    _ANSWERS,
)
LEARN = _verb(
    "Learn a record with its label, a list of them, or JSON lines",
    '{"cheap": 1, "sender": "shop", "label": "spam"}',
    _LEARNED,
)
LABEL = _verb(
    "Give labels to records predicted earlier", '{"key": "o 17", "label": "spam"}', _LEARNED
)
EXPLAIN = _verb(
    "Predict, and tell the effect of each feature",
    '{"cheap": 1, "sender": "shop"}',
    _ANSWERS,
    id=False,
    lines=False,
)
MODELS = _look("List the models", _json({"type": "array", "items": _GLANCE}, "The models"))
MODEL = _look(
    "Schema, progress, features, memory and speed", _json(_GLANCE, "The model"), _NAME,
    responses={503: _error("The model is being removed")},
)  # fmt: skip
WEIGHTS = _look(
    "The strongest weights",
    _json({"type": "object", "required": ["version", "weights"]}, "The weights"),
    _NAME,
    _MOST,
    responses={**_REFUSED, 503: _error("The model is being removed")},
)
FILE = _look(
    "Download the model",
    {
        "description": "A model file",
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    },
    _NAME,
    responses={503: _error("The model is being removed")},
)
PUT = {
    "summary": "Create or replace a model",
    "status_code": 200,
    "responses": {
        200: _json(_GLANCE, "Replaced"),
        201: _json(_GLANCE, "Created"),
        **{status: each for status, each in _BODY.items() if status != 404},
        429: _error("Too much waits"),
    },
    "openapi_extra": {
        "parameters": [_NAME],
        "requestBody": {
            "content": {
                "application/json": {
                    "schema": {
                        "type": "object",
                        "additionalProperties": False,
                        "properties": {
                            "learner": {"type": "string"},
                            "parameters": {"type": "object"},
                            "schema": {"type": "object"},
                        },
                    },
                    "example": '{"learner": "braid", "schema": {"label": "y", "key": "id"}}',
                },
                "application/octet-stream": {"schema": {"type": "string", "format": "binary"}},
            }
        },
    },
}
DELETE = _look("Remove a model and its files", _json({"type": "object"}, "Removed"), _NAME)
METRICS = _look(
    "Counts for Prometheus",
    {"description": "Text", "content": {"text/plain": {"schema": {"type": "string"}}}},
)
HEALTH = _look(
    "Whether all models learn",
    _json({"type": "object", "required": ["status"]}, "All do"),
    responses={503: _json({"type": "object", "required": ["status"]}, "Some do not")},
)
EVENTS = _look(
    "The state once a second, as server-sent events",
    {"description": "Events", "content": {"text/event-stream": {"schema": {"type": "string"}}}},
    {"name": "model", "in": "query", "required": False, "schema": {"type": "string"}},
    responses={**_NO_MODEL, 429: _error("Too many pages are open")},
)


def complete(operation: dict[str, Any]) -> None:
    """Take out of an operation what FastAPI adds and no route has.

    Parameters
    ----------
    operation : dict
        The operation; it is changed.
    """
    for response in operation["responses"].values():
        content = response.get("content", {})
        if len(content) > 1 and content.get("application/json", {}).get("schema") == {}:
            del content["application/json"]

"""The page of the HTTP API, made from the OpenAPI document that the service itself shows."""

from __future__ import annotations

import json
import tempfile
from importlib.util import find_spec
from typing import Any

from tools.site.tables import code, table

INTRO = """# HTTP API

What `braided serve MODELS` answers; the service shows the same as `/openapi.json`, and as a page
under `/docs`. Records are JSON objects, or JSON lines (`Content-Type: application/x-ndjson`), with
the fields that the model knows from training, or others.

"""


def page() -> str:
    """The page."""
    text = [INTRO]
    rows, sections = [], []
    for path, operations in document()["paths"].items():
        for verb, operation in operations.items():
            call = f"{verb.upper()} {path}"
            rows.append((f"[{code(call)}](#{anchor(call)})", operation.get("summary", "")))
            sections.append(_section(call, operation))
    return "".join([*text, table(("call", "what it does"), rows), *sections])


def document() -> Any:
    """The OpenAPI document of a service without models."""
    if not find_spec("fastapi"):
        return {"paths": {}}
    from braided.live.api.app import make_app
    from braided.live.models import Models
    from braided.live.service import Service
    from braided.live.tokens import Tokens

    with tempfile.TemporaryDirectory() as folder:
        models = Models(folder)
        try:
            guard: Any = make_app(Service(models, Tokens([])), "0")
            return guard.app.openapi()
        finally:
            models.close()


def anchor(call: str) -> str:
    """The anchor of a call."""
    return "-".join("".join(c if c.isalnum() else " " for c in call.lower()).split())


def _section(call: str, operation: Any) -> str:
    text = [f"\n## {code(call)} {{#{anchor(call)}}}\n\n{operation.get('description', '')}\n"]
    parameters = [
        (code(each["name"]), each["in"], each.get("description", ""))
        for each in operation.get("parameters", [])
    ]
    if parameters:
        text.append("\n" + table(("parameter", "in", "meaning"), parameters))
    for kind, content in operation.get("requestBody", {}).get("content", {}).items():
        example = content.get("example")
        if example is not None:
            shown = example if isinstance(example, str) else json.dumps(example, indent=2)
            text.append(f"\n{code(kind)}, for example:\n\n```text\n{shown.strip()}\n```\n")
    answers = [
        (status, each.get("description", ""))
        for status, each in sorted(operation.get("responses", {}).items())
        if status != "422"  # of FastAPI, which checks nothing here
    ]
    return "".join([*text, "\n", table(("answer", "when"), answers)])

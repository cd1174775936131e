"""Requests made from the OpenAPI document by schemathesis, checked against what it says.

``python -m tests.live.by_document 300`` makes so many for each operation.
"""

from __future__ import annotations

import sys
import tempfile

import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.live.service import Running

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]


def requests_by_document(port: int, examples: int) -> int:
    """Send them; returns how many."""
    url = f"http://127.0.0.1:{port}"
    schema = schemathesis.openapi.from_url(f"{url}/openapi.json")
    count = 0
    for found in schema.get_all_operations():
        operation = found.ok()
        if operation.path == "/events":  # it never ends
            continue

        @settings(
            max_examples=examples,
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
            phases=[Phase.explicit, Phase.generate],
        )
        @given(case=operation.as_strategy())
        def check(case):
            nonlocal count
            count += 1
            case.call_and_validate(base_url=url, checks=CHECKS)

        check()
    return count


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder, Running(folder) as service:
        service("PUT", "/models/m", {"learner": "oco", "schema": {"label": "label"}})
        sent = requests_by_document(service.port, int(sys.argv[1]) if len(sys.argv) > 1 else 300)
    print(f"{sent} requests by the document, all answered as it says")

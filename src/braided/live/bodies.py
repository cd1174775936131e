"""Bodies of requests and payloads of messages: JSON, as records.

One record is an object; several are a list of objects, or objects on lines of their own. The
journal keeps bodies as they came, and reads them again by the same function.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from braided.errors import InputError
from braided.readers.bad_lines import BadLine
from braided.readers.json_lines import parsed

__all__ = ["Limits", "check_record", "records_of"]


@dataclass(frozen=True)
class Limits:
    """How large what comes from outside may be.

    Parameters
    ----------
    body : int, default 8 MiB
        Bytes of a body that is not streamed.
    record : int, default 1 MiB
        Bytes of a line in a streamed body.
    records : int, default 10,000
        Records of a body that is not streamed.
    fields : int, default 10,000
        Fields of a record, those of objects inside included.
    name : int, default 1,000
        Characters of the name of a field.
    depth : int, default 20
        How many objects and lists may be inside one another.
    model : int, default 256 MiB
        Bytes of a model file that is uploaded.
    seconds : float, default 30
        How long a client may pause within a request.
    waiting : int, default 20,000
        Records of a model that wait to be learned; beyond it the answer is 429.
    """

    body: int = 8 << 20
    record: int = 1 << 20
    records: int = 10_000
    fields: int = 10_000
    name: int = 1_000
    depth: int = 20
    model: int = 256 << 20
    seconds: float = 30.0
    waiting: int = 20_000


def records_of(body: bytes, limits: Limits | None = None) -> list[dict[str, Any]]:
    """Read the records of a body.

    Parameters
    ----------
    body : bytes
        One JSON object, a list of objects, or an object on each line.
    limits : Limits, optional
        What is refused; nothing of a payload in a journal.

    Returns
    -------
    list of dict
        The records.

    Raises
    ------
    InputError
        If it is not JSON, or larger than allowed.

    Examples
    --------
    >>> records_of(b'{"age": 31}'), records_of(b'[{"age": 31}, {}]')
    ([{'age': 31}], [{'age': 31}, {}])
    """
    body = body.strip()
    if body[:1] == b"[":
        found = _json(body, "")
        records = [_record(record, f"record {i}: ") for i, record in enumerate(found)]
    elif b"\n" in body:
        lines = [line for line in body.split(b"\n") if line.strip()]
        try:
            records = [_record(_json(line, ""), "") for line in lines]
        except InputError as error:
            records = _one_object(body, lines, error)
    else:
        records = [_record(_json(body, ""), "")]
    if limits is not None:
        if len(records) > limits.records:
            raise InputError(
                f"{len(records)} records in one body: at most {limits.records} are allowed; "
                "send more as JSON lines, with the content type application/x-ndjson"
            )
        for number, record in enumerate(records):
            check_record(record, limits, f"record {number}: " if len(records) > 1 else "")
    return records


def _one_object(body: bytes, lines: list[bytes], error: InputError) -> list[dict[str, Any]]:
    """One object over several lines; else the first line that is none is told."""
    try:
        return [_record(_json(body, ""), "")]
    except InputError:
        for number, line in enumerate(lines, start=1):
            _record(_json(line, f"line {number}: "), f"line {number}: ")
        raise error from None


def _json(text: bytes, where: str) -> Any:
    try:
        return parsed(text)
    except BadLine as error:
        raise InputError(f"{where}{error}") from None


def _record(found: Any, where: str) -> dict[str, Any]:
    if not isinstance(found, dict):
        shown = json.dumps(found)[:60]
        raise InputError(f"{where}{shown} is not an object: a record is one, from field to value")
    return found


def check_record(record: dict[str, Any], limits: Limits, where: str) -> None:
    """Refuse a record that is larger than allowed.

    Parameters
    ----------
    record : dict
        The record.
    limits : Limits
        What is allowed.
    where : str
        The beginning of the error.
    """
    if len(record) <= limits.fields and not any(
        isinstance(value, dict | list) for value in record.values()
    ):
        for name in record:
            if len(name) > limits.name:
                raise _long_name(name, limits, where)
        return
    count = 0
    inside: list[tuple[Any, int]] = [(record, 1)]
    while inside:
        item, depth = inside.pop()
        if depth > limits.depth:
            raise InputError(f"{where}nested deeper than {limits.depth} objects and lists")
        count += len(item)
        if count > limits.fields:
            raise InputError(f"{where}more than {limits.fields} fields and items")
        if isinstance(item, dict):
            for name in item:
                if len(name) > limits.name:
                    raise _long_name(name, limits, where)
        values = item.values() if isinstance(item, dict) else item
        inside += [(value, depth + 1) for value in values if isinstance(value, dict | list)]


def _long_name(name: str, limits: Limits, where: str) -> InputError:
    return InputError(f"{where}a field name of {len(name)} characters: at most {limits.name}")

"""The verbs of a model: predict, learn, label, explain."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

from starlette.responses import Response, StreamingResponse

from braided.errors import InputError
from braided.live.api.answers import RequestError, as_json
from braided.live.api.bodies import is_lines, pieces, whole
from braided.live.bodies import check_record, records_of
from braided.live.host import BusyError, Host, Request
from braided.live.json_text import text_of
from braided.live.live_model import LABEL, LEARN, WAIT, Outcome, answer
from braided.live.tokens import WRITE

if TYPE_CHECKING:
    from starlette.requests import Request as HttpRequest

    from braided.live.service import Service

__all__ = ["Verbs"]

_IN_FLIGHT = 4
_AT_ONCE = 20
_LONGEST_ID = 200


class Verbs:
    """Handlers of requests about one model.

    Parameters
    ----------
    service : Service
        The service.
    """

    def __init__(self, service: Service) -> None:
        self._service, self._limits = service, service.limits

    # -------------------------------------------------------------------------- predictions

    async def predict(self, request: HttpRequest) -> Response:
        """Predict records; those with a key are remembered until their label comes."""
        host = self._service.host(request)
        if is_lines(request):
            lines = self._predicted_lines(request, host)
            first = await anext(lines, b"")  # what is wrong at once has a status of its own
            return StreamingResponse(_from(first, lines), media_type="application/x-ndjson")
        body = await whole(request, self._limits.body)
        records = records_of(body, self._limits)
        found = await self._predicted(request, host, records, body)
        return as_json(found[0] if _is_one(body, records) else found)

    async def _predicted(
        self, request: HttpRequest, host: Host, records: list[dict[str, Any]], body: bytes
    ) -> list[dict[str, Any]]:
        key = host.model.learner.schema.key
        if key is not None and any(record.get(key) is not None for record in records):
            self._service.check_role(request, WRITE)
            outcome = await self._done(host, WAIT, records, body, _id(request))
            return [*outcome.answers] or [
                {"version": outcome.sequence, "duplicate": True} for _ in records
            ]
        started, found, model = time.perf_counter(), [], host.model
        for number, record in enumerate(records):
            if number % _AT_ONCE == _AT_ONCE - 1:
                await asyncio.sleep(0)
            with model.turns.reading:
                found.append(answer(model.learner, record, model.sequence))
        self._service.metrics.predicted(host.name, len(found), time.perf_counter() - started)
        return found

    async def _predicted_lines(self, request: HttpRequest, host: Host) -> AsyncIterator[bytes]:
        line = 0
        async for piece in pieces(request, self._limits):
            records = self._records(piece, line)
            if records:
                found = await self._predicted(request, host, records, _joined(piece))
                yield b"".join(text_of(each) + b"\n" for each in found)
            line += len(piece)

    async def explain(self, request: HttpRequest) -> Response:
        """Explain predictions: the effect of each feature on the score."""
        host = self._service.host(request)
        body = await whole(request, self._limits.body)
        records, found = records_of(body, self._limits), []
        model = host.model
        for record in records:
            with model.turns.reading:
                said = answer(model.learner, record, model.sequence)
                roles = model.learner.schema.roles
                plain: dict[Any, Any] = {
                    name: value for name, value in record.items() if name not in roles
                }
                found.append({**said, "effects": _effects(model.learner.explain(plain))})
            await asyncio.sleep(0)
        return as_json(found[0] if _is_one(body, records) else found)

    # ----------------------------------------------------------------------------- learning

    async def learn(self, request: HttpRequest) -> Response:
        """Learn records; answered when they are in the journal and learned."""
        return await self._taught(request, LEARN)

    async def label(self, request: HttpRequest) -> Response:
        """Learn records that were predicted earlier, now that their labels are known."""
        return await self._taught(request, LABEL)

    async def _taught(self, request: HttpRequest, kind: str) -> Response:
        host = self._service.host(request)
        if is_lines(request):
            return await self._taught_lines(request, host, kind)
        body = await whole(request, self._limits.body)
        records = records_of(body, self._limits)
        outcome = await self._done(host, kind, records, body, _id(request))
        if kind == LABEL and outcome.unknown and not outcome.learned:
            raise RequestError(
                404, f"no record waits for the key {outcome.unknown[0]!r}", unknown=outcome.unknown
            )
        return as_json(_told(outcome))

    async def _taught_lines(self, request: HttpRequest, host: Host, kind: str) -> Response:
        learned = line = number = version = 0
        unknown: list[str] = []
        base = _id(request)
        working: list[tuple[int, asyncio.Task[Outcome]]] = []

        async def finish(most: int) -> None:
            nonlocal learned, version
            while len(working) > most:
                first_line, task = working.pop(0)
                try:
                    outcome = await task
                except (InputError, RequestError) as error:
                    status = error.status if isinstance(error, RequestError) else 422
                    where = f"in the lines from {first_line} on: {error}"
                    raise RequestError(status, where, learned=learned) from None
                learned += outcome.learned
                unknown.extend(outcome.unknown)
                version = max(version, outcome.sequence)

        try:
            async for piece in pieces(request, self._limits):
                records = self._records(piece, line)
                if records:
                    given = None if base is None else f"{base}#{number}"
                    work = self._done(host, kind, records, _joined(piece), given, patient=True)
                    working.append((line + 1, asyncio.ensure_future(work)))
                    number += 1
                line += len(piece)
                await finish(_IN_FLIGHT - 1)
            await finish(0)
        except InputError as error:
            await finish(0)
            raise RequestError(422, str(error), learned=learned) from None
        finally:
            await asyncio.gather(*(task for _, task in working), return_exceptions=True)
        return as_json({"learned": learned, "unknown": unknown[:100], "version": version})

    def _records(self, lines: list[bytes], before: int) -> list[dict[str, Any]]:
        records = []
        for number, text in enumerate(lines, start=before + 1):
            if text.strip():
                where = f"line {number}: "
                try:
                    found = records_of(text)
                except InputError as error:
                    raise InputError(f"{where}{error}") from None
                for record in found:
                    check_record(record, self._limits, where)
                records += found
        return records

    async def _done(
        self,
        host: Host,
        kind: str,
        records: list[dict[str, Any]],
        body: bytes,
        id: str | None,
        *,
        patient: bool = False,
    ) -> Outcome:
        """Hand in a request, and wait until it is done."""
        if not records:
            return Outcome(sequence=host.model.sequence)
        started = time.perf_counter()
        outcome = asyncio.get_running_loop().create_future()
        item = Request(kind, records, body, self._service.deliver, id, ticket=outcome)
        while True:
            try:
                host.submit(item)
                break
            except BusyError:
                if not patient:
                    raise RequestError(
                        429, f"{host.waiting} records wait to be learned: try again later"
                    ) from None
                await asyncio.sleep(0.02)
        found: Outcome = await outcome
        seconds = time.perf_counter() - started
        self._service.metrics.taught(host.name, kind, len(records), seconds)
        if found.failed is not None:
            raise RequestError(503, found.failed)
        if found.conflict is not None:
            raise RequestError(409, found.conflict)
        if found.refused is not None:
            raise InputError(found.refused)
        return found


def _is_one(body: bytes, records: list[dict[str, Any]]) -> bool:
    return len(records) == 1 and body.lstrip()[:1] == b"{"


def _joined(lines: list[bytes]) -> bytes:
    return b"\n".join(line for line in lines if line.strip())


def _id(request: HttpRequest) -> str | None:
    id = request.headers.get("idempotency-key") or request.query_params.get("id")
    if id is not None and len(id) > _LONGEST_ID:
        raise RequestError(422, f"the id of a request has at most {_LONGEST_ID} characters")
    return id or None


def _told(outcome: Outcome) -> dict[str, Any]:
    told: dict[str, Any] = {"learned": outcome.learned, "version": outcome.sequence}
    if outcome.unknown:
        told["unknown"] = outcome.unknown
    if outcome.duplicate:
        told["duplicate"] = True
    return told


def _effects(effects: dict[Any, Any]) -> Any:
    if effects and all(isinstance(each, dict) for each in effects.values()):
        return [{"label": label, "effects": _effects(each)} for label, each in effects.items()]
    return [{"feature": str(name), "effect": effect} for name, effect in effects.items()]


async def _from(first: bytes, rest: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    yield first
    try:
        async for piece in rest:
            yield piece
    except (InputError, RequestError) as error:  # the status is sent already
        yield text_of({"error": str(error)}) + b"\n"

"""Models created, shown, downloaded, replaced and removed; metrics and health."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from starlette.responses import PlainTextResponse, Response

from braided.errors import InputError
from braided.live.api.answers import RequestError, as_json
from braided.live.api.bodies import whole
from braided.live.bodies import records_of
from braided.live.host import BusyError, Host
from braided.live.live_model import LiveModel
from braided.live.metrics import prometheus
from braided.live.models import checked_name, new_model
from braided.live.summary import detail, glance, weights

if TYPE_CHECKING:
    from starlette.requests import Request as HttpRequest

    from braided.live.service import Service

__all__ = ["Administration"]

_MODEL_FILE = "application/octet-stream"
_MOST_WEIGHTS = 10_000


class Administration:
    """Handlers of requests about models as a whole.

    Parameters
    ----------
    service : Service
        The service.
    """

    def __init__(self, service: Service) -> None:
        self._service = service

    async def health(self, request: HttpRequest) -> Response:
        """Say whether all models learn."""
        broken = [host.name for host in self._service.models if host.broken or host.trouble]
        if broken:
            return as_json({"status": "trouble", "models": broken}, 503)
        return as_json({"status": "ok", "models": len(self._service.models)})

    async def metrics(self, request: HttpRequest) -> Response:
        """Return counts for Prometheus."""
        service = self._service
        text = await asyncio.to_thread(prometheus, service.metrics, service.models)
        return PlainTextResponse(text, media_type="text/plain; version=0.0.4")

    async def models(self, request: HttpRequest) -> Response:
        """List the models."""
        return as_json([glance(host) for host in self._service.models])

    async def model(self, request: HttpRequest) -> Response:
        """Return schema, progress, features, memory and speed of a model."""
        host = self._service.host(request)
        return as_json(await in_its_thread(host, lambda: detail(host, self._service.metrics)))

    async def weights(self, request: HttpRequest) -> Response:
        """Return the strongest weights of a model."""
        host = self._service.host(request)
        text = request.query_params.get("most", "100")
        if not (text.isascii() and text.isdecimal()) or not 0 < int(text[:9]) <= _MOST_WEIGHTS:
            raise RequestError(422, f"most: a number from 1 to {_MOST_WEIGHTS}")
        return as_json(await in_its_thread(host, lambda: weights(host, int(text))))

    async def file(self, request: HttpRequest) -> Response:
        """Return the model as a file, with the records that wait."""
        host = self._service.host(request)
        payload = await in_its_thread(host, lambda: host.model.to_bytes())
        named = {"Content-Disposition": f'attachment; filename="{host.name}.braided"'}
        return Response(payload, media_type=_MODEL_FILE, headers=named)

    async def put(self, request: HttpRequest) -> Response:
        """Create or replace a model: from a learner, or from a model file."""
        service, name = self._service, checked_name(request.path_params["name"])
        if request.headers.get("content-type", "").startswith(_MODEL_FILE):
            payload = await whole(request, service.limits.model)
            model = await asyncio.to_thread(LiveModel.from_bytes, payload)
        else:
            wanted = _wanted(await whole(request, service.limits.body))
            model = await asyncio.to_thread(new_model, **wanted)
        is_new = await asyncio.to_thread(service.models.put, name, model)
        host = service.named(name)
        return as_json(glance(host), 201 if is_new else 200)

    async def delete(self, request: HttpRequest) -> Response:
        """Remove a model, its journal and its file."""
        host = self._service.host(request)
        try:
            await asyncio.to_thread(self._service.models.remove, host.name)
        except KeyError:
            raise RequestError(404, f"there is no model {host.name!r}") from None
        self._service.metrics.forget(host.name)
        return as_json({"removed": host.name})


async def in_its_thread(host: Host, action: Any) -> Any:
    """Run something in the thread of a model, between two groups of requests.

    Parameters
    ----------
    host : Host
        The model at work.
    action : callable
        A function without arguments.

    Returns
    -------
    Any
        What it returns.
    """
    try:
        return await asyncio.to_thread(host.call, action)
    except BusyError:
        raise RequestError(503, "this model is about to be closed") from None


def _wanted(body: bytes) -> dict[str, Any]:
    """The learner, parameters and schema that a body asks for."""
    found = records_of(body) if body.strip() else [{}]
    if len(found) != 1:
        raise InputError("a model is one object: learner, parameters, schema")
    wanted = {"learner": "braid", "parameters": {}, "schema": {}, **found[0]}
    if len(wanted) > 3:
        raise InputError(f"field {max(wanted)!r}: allowed are learner, parameters and schema")
    learner, parameters, schema = wanted["learner"], wanted["parameters"], wanted["schema"]
    if not isinstance(learner, str):
        raise InputError("learner: the name of a learner")
    if not isinstance(parameters, dict) or not isinstance(schema, dict):
        raise InputError("parameters and schema: objects")
    return wanted

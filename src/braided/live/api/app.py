"""The app: a table of routes, from which both the server and the OpenAPI document are made."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import HTTPException
from starlette.requests import Request as HttpRequest
from starlette.responses import Response
from starlette.routing import Route

from braided.errors import InputError
from braided.live.api import documents
from braided.live.api.administration import Administration
from braided.live.api.answers import RequestError, refusal
from braided.live.api.guard import Guard
from braided.live.api.page import Page
from braided.live.api.verbs import Verbs
from braided.live.host import BusyError
from braided.live.journal import DiskFullError
from braided.live.service import Service
from braided.live.tokens import ADMIN, READ, WRITE

__all__ = ["make_app"]

_LONGEST_WAIT = 30.0


@dataclass(frozen=True)
class _Way:
    """One route: what is asked, by whom, and how it is described."""

    method: str
    path: str
    handler: Callable[[HttpRequest], Any]
    role: str | None
    about: dict[str, Any] = field(default_factory=dict)


def _ways(service: Service) -> list[_Way]:
    verbs, models, page = Verbs(service), Administration(service), Page(service)
    return [
        _Way("POST", "/models/{name}/predict", verbs.predict, READ, documents.PREDICT),
        _Way("POST", "/models/{name}/learn", verbs.learn, WRITE, documents.LEARN),
        _Way("POST", "/models/{name}/label", verbs.label, WRITE, documents.LABEL),
        _Way("POST", "/models/{name}/explain", verbs.explain, READ, documents.EXPLAIN),
        _Way("GET", "/models", models.models, READ, documents.MODELS),
        _Way("GET", "/models/{name}", models.model, READ, documents.MODEL),
        _Way("PUT", "/models/{name}", models.put, ADMIN, documents.PUT),
        _Way("DELETE", "/models/{name}", models.delete, ADMIN, documents.DELETE),
        _Way("GET", "/models/{name}/weights", models.weights, READ, documents.WEIGHTS),
        _Way("GET", "/models/{name}/file", models.file, READ, documents.FILE),
        _Way("GET", "/metrics", models.metrics, READ, documents.METRICS),
        _Way("GET", "/health", models.health, None, documents.HEALTH),
        _Way("GET", "/events", page.events, READ, documents.EVENTS),
        _Way("GET", "/docs", page.docs, None),
        _Way("GET", "/", page.index, None),
        _Way("GET", "/{file}", page.file, None),
    ]


def make_app(service: Service, version: str) -> Guard:
    """Make the app of a service.

    Parameters
    ----------
    service : Service
        The service.
    version : str
        The version of this package.

    Returns
    -------
    Guard
        The ASGI app.
    """

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        service.loop = asyncio.get_running_loop()
        yield
        await asyncio.to_thread(service.models.close)

    app = FastAPI(
        title="Braided",
        version=version,
        description=documents.ABOUT,
        lifespan=lifespan,
        docs_url=None,  # FastAPI's own pages load scripts from elsewhere
        redoc_url=None,
        responses=documents.ERRORS,
    )
    quick: list[Route] = []
    for way in _ways(service):
        endpoint = _endpoint(service, way)
        if way.about:
            app.add_api_route(way.path, endpoint, methods=[way.method], **way.about)
        # Requests take Starlette's own way: FastAPI's reads what it needs not for each of them.
        quick.append(Route(way.path, endpoint, methods=[way.method]))
    document = app.openapi()
    for operations in document["paths"].values():
        for operation in operations.values():
            documents.complete(operation)
    of_openapi = [each for each in app.routes if getattr(each, "path", None) == app.openapi_url]
    app.router.routes[:] = [*of_openapi, *quick]
    app.add_exception_handler(HTTPException, _not_found)
    app.add_exception_handler(404, _not_found)
    app.add_exception_handler(405, _not_found)
    return Guard(app, service)


def _endpoint(service: Service, way: _Way) -> Callable[[HttpRequest], Any]:
    async def endpoint(request: HttpRequest) -> Response:
        response = await _answered(service, way, request)
        service.metrics.answered(response.status_code)
        return response

    endpoint.__name__ = way.handler.__name__
    endpoint.__doc__ = way.handler.__doc__
    return endpoint


async def _answered(service: Service, way: _Way, request: HttpRequest) -> Response:
    try:
        if way.role is not None:
            header = request.headers.get("authorization")
            if not service.tokens.allows(header, way.role):
                status = 403 if service.tokens.rank(header) >= 0 else 401
                raise RequestError(status, f"this needs a token with the role {way.role}")
        response: Response = await way.handler(request)
        return response
    except RequestError as error:
        return refusal(error)
    except InputError as error:
        return refusal(RequestError(422, str(error)))
    except BusyError:
        return refusal(RequestError(429, "too much waits to be learned: try again later"))
    except DiskFullError as error:
        return refusal(RequestError(503, f"the journal can not be written: {error}"))
    except OSError as error:
        return refusal(RequestError(503, f"the disk says: {error.strerror}"))


async def _not_found(request: HttpRequest, error: Exception) -> Response:
    status = getattr(error, "status_code", 404)
    said = "there is no such page" if status == 404 else "this method is not allowed here"
    response = refusal(RequestError(status, said))
    response.headers.update(getattr(error, "headers", None) or {})
    return response

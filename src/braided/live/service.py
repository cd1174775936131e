"""Service: what the routes of the API share."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any

from braided.live.api.answers import RequestError
from braided.live.metrics import Metrics
from braided.live.tokens import Tokens

if TYPE_CHECKING:
    from starlette.requests import Request as HttpRequest

    from braided.live.host import Host, Request
    from braided.live.live_model import Outcome
    from braided.live.models import Models

__all__ = ["Service"]


class Service:
    """The models, and who may do what with them.

    Parameters
    ----------
    models : Models
        The models.
    tokens : Tokens, optional
        Without any, everybody may do everything.
    """

    def __init__(self, models: Models, tokens: Tokens | None = None) -> None:
        self.models, self.limits = models, models.limits
        self.tokens = tokens or Tokens()
        self.metrics = Metrics()
        self.started = time.time()
        self.loop: asyncio.AbstractEventLoop | None = None
        self.stopping = False

    def host(self, request: HttpRequest) -> Host:
        """Return the model that a request is about.

        Parameters
        ----------
        request : Request
            The request; its path has a name.

        Returns
        -------
        Host
            The model at work.
        """
        return self.named(request.path_params["name"])

    def named(self, name: str) -> Host:
        """Return the model of a name.

        Parameters
        ----------
        name : str
            The name.

        Returns
        -------
        Host
            The model at work.
        """
        host = self.models.get(name)
        if host is None:
            raise RequestError(404, f"there is no model {name[:80]!r}")
        return host

    def check_role(self, request: HttpRequest, role: str) -> None:
        """Refuse a request whose token has not this role.

        Parameters
        ----------
        request : Request
            The request.
        role : str
            One of ``tokens.ROLES``.
        """
        if not self.tokens.allows(request.headers.get("authorization"), role):
            raise RequestError(403, f"this needs a token with the role {role}")

    def deliver(self, pairs: list[tuple[Request, Outcome]]) -> None:
        """Hand outcomes to those who wait for them; called in the thread of a model.

        Parameters
        ----------
        pairs : list of tuple
            Requests, and what came of them.
        """
        assert self.loop is not None
        try:
            self.loop.call_soon_threadsafe(_resolve, pairs)
        except RuntimeError:  # the loop has ended: nobody waits any more
            return


def _resolve(pairs: list[tuple[Request, Any]]) -> None:
    for request, outcome in pairs:
        if not request.ticket.done():
            request.ticket.set_result(outcome)

"""Answers: JSON, and errors as JSON."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response

from braided.live.json_text import text_of

__all__ = ["RequestError", "as_json", "refusal"]


class RequestError(Exception):
    """A request that is answered with an error.

    Parameters
    ----------
    status : int
        The HTTP status.
    message : str
        What was wrong, and what is allowed.
    **more : Any
        More fields of the answer.
    """

    def __init__(self, status: int, message: str, **more: Any) -> None:
        super().__init__(message)
        self.status, self.more = status, more


def as_json(item: Any, status: int = 200) -> Response:
    """Make an answer.

    Parameters
    ----------
    item : Any
        What JSON can represent.
    status : int, default 200
        The HTTP status.

    Returns
    -------
    Response
        The answer.
    """
    return Response(text_of(item), status, media_type="application/json")


def refusal(error: RequestError) -> Response:
    """Make the answer of an error.

    Parameters
    ----------
    error : RequestError
        The error.

    Returns
    -------
    Response
        ``{"error": ...}``; with Retry-After where it may be tried again.
    """
    response = as_json({"error": str(error), **error.more}, error.status)
    if error.status in (429, 503):
        response.headers["Retry-After"] = "1"
    if error.status == 401:
        response.headers["WWW-Authenticate"] = "Bearer"
    return response

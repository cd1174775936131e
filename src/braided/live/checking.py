"""Checks of requests before they are written to a journal: what is refused is not in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from braided.errors import InputError
from braided.live.journal import digest
from braided.live.live_model import LABEL, LEARN, LiveModel, Outcome
from braided.records.inputs import as_rows

if TYPE_CHECKING:
    from braided.live.host import Request
    from braided.live.journal import Journal
    from braided.rows.rows import Rows

__all__ = ["checked"]


def checked(
    model: LiveModel, journal: Journal, group: list[Request]
) -> tuple[dict[Request, Outcome], list[Request], Rows | None]:
    """Check a group of requests.

    Parameters
    ----------
    model : LiveModel
        The model; it is not changed.
    journal : Journal
        The journal; it is not changed.
    group : list of Request
        The requests, in the order in which they came.

    Returns
    -------
    tuple
        The outcomes that are known already; the requests to write to the journal; and their rows,
        if all of them are to be learned. A request that is in neither repeats one of this group.
    """
    outcomes: dict[Request, Outcome] = {}
    new = _without_repeated(journal, group, outcomes)
    outcomes.update((request, Outcome()) for request in new if not request.records)
    new = [request for request in new if request.records]
    to_learn = [request for request in new if request.kind == LEARN]
    rows = _rows(model, to_learn)
    if rows is None:
        for request in to_learn:
            _refused(outcomes, request, model.convert, request.records)
    waiting: set[str] = set()
    for request in new:
        if request.kind == LEARN:
            continue
        if request.kind == LABEL:
            _check_labels(model, request, waiting, outcomes)
        else:
            _refused(outcomes, request, _keys, model, request.records, waiting)
    taken = [request for request in new if request not in outcomes]
    if len(taken) != len(to_learn) or any(request.kind != LEARN for request in taken):
        rows = None
    return outcomes, taken, rows


def _without_repeated(
    journal: Journal, group: list[Request], outcomes: dict[Request, Outcome]
) -> list[Request]:
    ids = [request.id for request in group if request.id is not None]
    if not ids:
        return group
    known = journal.find(ids)
    here: dict[str, Request] = {}
    new: list[Request] = []
    for request in group:
        if request.id is None:
            new.append(request)
        elif (done := known.get(request.id)) is not None:
            if (done.kind, done.digest) != (request.kind, digest(request.payload)):
                outcomes[request] = _other(request)
            else:
                learned = done.records if done.kind == LEARN else 0
                outcomes[request] = Outcome(learned, sequence=done.sequence, duplicate=True)
        elif (first := here.get(request.id)) is not None:
            if (first.kind, first.payload) != (request.kind, request.payload):
                outcomes[request] = _other(request)
            elif first in outcomes:
                outcomes[request] = outcomes[first]
        else:
            here[request.id] = request
            new.append(request)
    return new


def _other(request: Request) -> Outcome:
    return Outcome(conflict=f"the id {request.id!r} was given to another request before")


def _rows(model: LiveModel, requests: list[Request]) -> Rows | None:
    """The rows of all requests, if nothing in them is refused."""
    if not requests:
        return None
    try:
        return model.convert([record for request in requests for record in request.records])
    except InputError:
        return None


def _refused(
    outcomes: dict[Request, Outcome], request: Request, check: Any, *arguments: Any
) -> None:
    try:
        check(*arguments)
    except InputError as error:
        outcomes[request] = Outcome(refused=str(error))


def _keys(model: LiveModel, records: list[dict[str, Any]], waiting: set[str]) -> None:
    keys = as_rows(records, schema=model.learner.schema).keys
    waiting.update([] if keys is None else (key for key in keys if key is not None))


def _check_labels(
    model: LiveModel, request: Request, waiting: set[str], outcomes: dict[Request, Outcome]
) -> None:
    keys: list[str] = []
    try:
        for record in request.records:
            key, label = model.key_and_label(record)
            model.check_label(label)
            keys.append(key)
    except InputError as error:
        outcomes[request] = Outcome(refused=str(error))
        return
    if not any(key in model.pending or key in waiting for key in keys):
        outcomes[request] = Outcome(unknown=tuple(keys), sequence=model.sequence)

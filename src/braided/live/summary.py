"""Summary: what the API and the live page say of a model: the same numbers in both."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from braided.live.host import Host
    from braided.live.metrics import Metrics

__all__ = ["detail", "glance", "weights"]


def glance(host: Host) -> dict[str, Any]:
    """Say how a model is, in a few numbers.

    Parameters
    ----------
    host : Host
        The model at work.

    Returns
    -------
    dict
        What JSON can represent.
    """
    model = host.model
    learner, progress = model.learner, model.progress.summary()
    return {
        "name": host.name,
        "learner": repr(learner),
        "version": model.sequence,
        "rounds": learner.rounds,
        "error": progress["error"],
        "error_recent": progress["error_recent"],
        "features_seen": learner.features_seen,
        "pending": len(model.pending),
        "waiting": host.waiting,
        "warnings": warnings(host),
    }


def warnings(host: Host) -> list[str]:
    """Say what people should look at.

    Parameters
    ----------
    host : Host
        The model at work.

    Returns
    -------
    list of str
        The warnings.
    """
    model = host.model
    found = [
        host.broken,
        host.trouble,
        model.progress.drift(),
        model.appearances.strangers(model.learner.rounds),
        *(feed.trouble for feed in host.feeds),
    ]
    if model.pending.forgotten:
        found.append(f"{model.pending.forgotten} records were forgotten without a label")
    return [each for each in found if each is not None]


def detail(host: Host, metrics: Metrics) -> dict[str, Any]:
    """Say all about a model; to be called in its thread, since it reads everything.

    Parameters
    ----------
    host : Host
        The model at work.
    metrics : Metrics
        The counts.

    Returns
    -------
    dict
        What JSON can represent.
    """
    model = host.model
    learner = model.learner
    return {
        **glance(host),
        "features_kept": learner.features_kept,
        "memory_bytes": learner.memory_bytes,
        "schema": learner.schema.to_json(),
        "progress": model.progress.summary(),
        "features": model.appearances.summary(learner.engine),
        "weights": weights(host, 15)["weights"],
        "experts": experts(learner),
        "speed": metrics.speed(host.name),
        "pending_forgotten": model.pending.forgotten,
        "pending_unknown": model.pending.unknown,
        "journal": {
            "bytes": host.storage.journal.bytes,
            "entries_from": host.storage.journal.oldest,
            "snapshot": host.snapshot_sequence,
            "commits": host.groups,
        },
    }


def weights(host: Host, most: int) -> dict[str, Any]:
    """Return the strongest weights; to be called in the thread of the model.

    Parameters
    ----------
    host : Host
        The model at work.
    most : int
        How many features at most.

    Returns
    -------
    dict
        Their names and weights, the largest magnitude first; of many classes those of each.
    """
    learner, found = host.model.learner, host.model.learner.weights()
    if learner.weights_by_class:
        by_label = [
            {"label": str(label), "weights": _first(of_label, most)}
            for label, of_label in found.items()
        ]
        return {"version": host.model.sequence, "weights": by_label}
    return {"version": host.model.sequence, "weights": _first(found, most)}


def _first(found: dict[Any, float], most: int) -> list[dict[str, Any]]:
    return [{"feature": str(name), "weight": w} for name, w in list(found.items())[:most]]


def experts(learner: Any) -> list[dict[str, Any]] | None:
    """Return the experts of a Braid, and how much it trusts them.

    Parameters
    ----------
    learner : Learner
        The model.

    Returns
    -------
    list of dict or None
        Name, share and log loss of each; None for other learners, and for more than two labels.
    """
    if not hasattr(learner, "experts") or learner.weights_by_class or learner.engine is None:
        return None
    return [{"expert": name, **numbers} for name, numbers in learner.experts().items()]

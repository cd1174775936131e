"""Metrics: what is counted for Prometheus and for the live page."""

from __future__ import annotations

import threading
import time
from bisect import bisect_left
from collections import deque
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from braided.live.models import Models

__all__ = ["Metrics", "prometheus"]

_BOUNDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
_SECONDS = 60


class _Series:
    """Counts of one model and one verb, with a histogram of seconds."""

    def __init__(self) -> None:
        self.requests = self.records = 0
        self.seconds = 0.0
        self.buckets = [0] * (len(_BOUNDS) + 1)
        self.latest: deque[float] = deque(maxlen=500)
        self.by_second: deque[list[int]] = deque(maxlen=_SECONDS)

    def add(self, records: int, seconds: float) -> None:
        self.requests += 1
        self.records += records
        self.seconds += seconds
        self.buckets[bisect_left(_BOUNDS, seconds)] += 1
        self.latest.append(seconds)
        now = int(time.monotonic())
        if not self.by_second or self.by_second[-1][0] != now:
            self.by_second.append([now, 0])
        self.by_second[-1][1] += records

    def rate(self) -> float:
        """Records a second in the last ten whole seconds."""
        now = int(time.monotonic())
        counts = list(self.by_second)  # a copy: requests are counted meanwhile
        return sum(n for second, n in counts if now - 10 <= second < now) / 10

    def quantile(self, share: float) -> float | None:
        ordered = sorted(self.latest)
        return ordered[int(share * (len(ordered) - 1))] if ordered else None


class Metrics:
    """Counts of all models."""

    def __init__(self) -> None:
        self._series: dict[tuple[str, str], _Series] = {}
        self._statuses: dict[int, int] = {}
        self._lock = threading.Lock()

    def predicted(self, model: str, records: int, seconds: float) -> None:
        """Count predictions.

        Parameters
        ----------
        model : str
            The name of the model.
        records : int
            How many.
        seconds : float
            How long they took.
        """
        self.taught(model, "predict", records, seconds)

    def taught(self, model: str, verb: str, records: int, seconds: float) -> None:
        """Count records.

        Parameters
        ----------
        model : str
            The name of the model.
        verb : str
            What was asked.
        records : int
            How many.
        seconds : float
            How long it took.
        """
        series = self._series.get((model, verb))
        if series is None:
            with self._lock:
                series = self._series.setdefault((model, verb), _Series())
        series.add(records, seconds)

    def answered(self, status: int) -> None:
        """Count an answer.

        Parameters
        ----------
        status : int
            Its HTTP status.
        """
        self._statuses[status] = self._statuses.get(status, 0) + 1

    def forget(self, model: str) -> None:
        """Forget a model that was removed.

        Parameters
        ----------
        model : str
            Its name.
        """
        with self._lock:
            self._series = {key: each for key, each in self._series.items() if key[0] != model}

    def speed(self, model: str) -> dict[str, Any]:
        """Return throughput and latency of a model, for the live page.

        Parameters
        ----------
        model : str
            Its name.

        Returns
        -------
        dict
            For each verb: requests, records, records a second, milliseconds.
        """
        return {
            verb: {
                "requests": each.requests,
                "records": each.records,
                "per_second": each.rate(),
                "ms_median": _ms(each.quantile(0.5)),
                "ms_p99": _ms(each.quantile(0.99)),
            }
            for (name, verb), each in list(self._series.items())
            if name == model
        }

    def lines(self) -> Iterable[str]:
        """Return the counts in the format of Prometheus.

        Yields
        ------
        str
            The lines.
        """
        yield "# TYPE braided_http_responses_total counter"
        for status, count in sorted(self._statuses.items()):
            yield f'braided_http_responses_total{{status="{status}"}} {count}'
        for metric, kind in (("requests", "counter"), ("records", "counter")):
            yield f"# TYPE braided_{metric}_total {kind}"
            for (model, verb), each in list(self._series.items()):
                labels = f'model="{model}",verb="{verb}"'
                yield f"braided_{metric}_total{{{labels}}} {getattr(each, metric)}"
        yield "# TYPE braided_seconds histogram"
        for (model, verb), each in list(self._series.items()):
            labels, total = f'model="{model}",verb="{verb}"', 0
            for bound, count in zip((*_BOUNDS, "+Inf"), each.buckets, strict=True):
                total += count
                yield f'braided_seconds_bucket{{{labels},le="{bound}"}} {total}'
            yield f"braided_seconds_sum{{{labels}}} {each.seconds:.6f}"
            yield f"braided_seconds_count{{{labels}}} {total}"


def prometheus(metrics: Metrics, models: Models) -> str:
    """Return everything that Prometheus reads.

    Parameters
    ----------
    metrics : Metrics
        The counts.
    models : Models
        The models.

    Returns
    -------
    str
        The text.
    """
    lines = [*metrics.lines()]
    gauges: dict[str, Any] = {
        "braided_model_rounds": lambda host: host.model.learner.rounds,
        "braided_model_errors": lambda host: host.model.progress.errors,
        "braided_model_features_seen": lambda host: host.model.learner.features_seen,
        "braided_model_version": lambda host: host.model.sequence,
        "braided_model_pending": lambda host: len(host.model.pending),
        "braided_model_memory_bytes": lambda host: host.model.learner.memory_bytes,
        "braided_waiting_records": lambda host: host.waiting,
        "braided_journal_bytes": lambda host: host.storage.journal.bytes,
        "braided_commits_total": lambda host: host.groups,
        "braided_up": lambda host: int(host.broken is None and host.trouble is None),
    }
    for name, of in gauges.items():
        lines.append(f"# TYPE {name} {'counter' if name.endswith('_total') else 'gauge'}")
        for host in models:
            with host.model.turns.reading:
                lines.append(f'{name}{{model="{host.name}"}} {of(host)}')
    return "\n".join(lines) + "\n"


def _ms(seconds: float | None) -> float | None:
    return None if seconds is None else round(1000 * seconds, 3)

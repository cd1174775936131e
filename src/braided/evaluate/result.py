"""Result: what came out of one pass over a stream, and every metric that follows from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from braided.errors import InputError
from braided.evaluate.baselines import BASELINES
from braided.evaluate.metrics.by_name import Metric, as_entry, chosen_entries, curve
from braided.evaluate.metrics.calibration import Reliability, reliability
from braided.evaluate.metrics.confusion import Counts, of_all_rounds
from braided.evaluate.snapshots import Snapshot
from braided.parameters import check_whole
from braided.registry import MetricEntry, resolve

__all__ = ["Result"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Result:
    """What came out of one pass over a stream.

    ``signs`` and ``scores`` are those of every round, the score from before the row was learned;
    every metric and every curve follows from them. The sign is NaN in a round without a label: it
    is a round, but counts in no metric. ``observed`` is the number of features of each row.
    ``seconds`` is the time spent in the learner, without compiling and without making the stream.
    """

    signs: Floats
    scores: Floats
    snapshots: tuple[Snapshot, ...]
    observed: NDArray[np.int64] | None = None
    delay: int = 0
    metrics: tuple[Metric, ...] | None = None
    """What ``metric_values`` shows; all metrics if None."""
    log_odds: bool = False
    """Whether scores are the log odds of the positive label."""
    learned_signs: Floats | None = None
    """The signs of the rounds that a frozen model had learned; None if it went on learning."""

    @property
    def rounds(self) -> int:
        """The number of rounds."""
        return self.scores.size

    @cached_property
    def unlabelled(self) -> int:
        """How many rounds had no label."""
        return int(np.count_nonzero(np.isnan(self.signs)))

    @property
    def mistakes(self) -> int:
        """In how many rounds the score was not on the label's side."""
        return int(self._counts.mistakes)

    @property
    def error_rate(self) -> float:
        """The share of mistakes; NaN if there was no label."""
        return float(self._counts.error_rate)

    @cached_property
    def diverged(self) -> bool:
        """Whether some score was not a finite number."""
        return not bool(np.isfinite(self.scores).all())

    @property
    def features_seen(self) -> int:
        """How many features were seen in the end."""
        return self.snapshots[-1].features_seen

    @property
    def features_kept(self) -> int:
        """How many features have a weight in the end."""
        return self.snapshots[-1].features_kept

    @property
    def features_observed(self) -> float:
        """The mean number of features that a row had; NaN if nobody counted."""
        if self.observed is None or not self.observed.size:
            return np.nan
        return float(self.observed.sum() / self.observed.size)

    @property
    def sparsity(self) -> float:
        """The share of the features seen that have no weight in the end."""
        return self.snapshots[-1].sparsity

    @property
    def memory_bytes(self) -> int:
        """The bytes that the model held in the end."""
        return self.snapshots[-1].memory_bytes

    @property
    def seconds(self) -> float:
        """The time spent in the learner."""
        return self.snapshots[-1].seconds

    @property
    def probabilities(self) -> Floats | None:
        """The probability of the positive label in each round, where a score means one."""
        if not self.log_odds:
            return None
        from scipy.special import expit

        probabilities: Floats = expit(self.scores)
        return probabilities

    @cached_property
    def metric_values(self) -> dict[str, float]:
        """The metrics that were asked for, by name."""
        chosen = chosen_entries(self.metrics)
        return {entry.name: self._value(entry) for entry in chosen if self._has(entry)}

    @cached_property
    def baselines(self) -> dict[str, Result]:
        """What those who look at no feature, but know the same labels, make of the same rounds."""
        if self.learned_signs is None:
            signs, known = self.signs, np.maximum(0, np.arange(self.rounds) - self.delay)
        else:
            signs = self.learned_signs
            known = np.full(self.rounds, signs.size)
        nothing = Snapshot(self.rounds, 0, 0, 0, 0.0)
        return {
            name: replace(self, scores=scores(signs, known), snapshots=(nothing,), log_odds=False)
            for name, scores in self._baseline_rules.items()
        }

    def metric(self, metric: Metric) -> float:
        """A metric: one of the registry's, or a function's.

        The function gets the signs and scores of the rounds that have a label.

        Examples
        --------
        >>> from braided import OLSF, datasets, streams
        >>> from braided.evaluate import prequential
        >>> splice = datasets.load("splice")
        >>> result = prequential(OLSF(), streams.fixed(splice.X, splice.y))
        >>> result.metric("auc") > 0.9
        True
        >>> result.metric(lambda signs, scores: abs(scores).max()) > 1
        True
        """
        entry = as_entry(metric)
        self._refuse_meaningless(entry)
        return self._value(entry)

    def _value(self, metric: MetricEntry) -> float:
        compute = resolve(metric.home)
        if metric.of == "counts":
            return float(compute(self._counts))
        if metric.of == "result":
            return float(compute(self))
        return float(compute(*self._labelled(self.scores)))

    def reliability(self, groups: int = 10) -> Reliability:
        """How often the positive label came, by the probability that it was given.

        Examples
        --------
        >>> from braided import Braid, datasets, streams
        >>> from braided.evaluate import prequential
        >>> spambase = datasets.load("spambase")
        >>> result = prequential(Braid(), streams.fixed(spambase.X, spambase.y))
        >>> result.reliability().gap < 0.02
        True
        """
        check_whole("groups", groups, 1)
        self._needs_probabilities("reliability")
        return reliability(*self._labelled(cast("Floats", self.probabilities)), groups)

    def error_curve(self, window: int | None = None) -> Floats:
        """The error rate after each round, of all rounds so far or of the last ``window``."""
        return self.curve("error_rate", window)

    def curve(
        self, metric: Metric, window: int | None = None, at: Sequence[int] | None = None
    ) -> Floats:
        """A metric of the scores after each round, of all rounds so far or of the last ``window``.

        ``at`` says after how many rounds, if not after each; a function needs it, since it is
        called for each. How the model was on the way is said by ``snapshots``.

        Examples
        --------
        >>> from braided import OLSF, datasets, streams
        >>> from braided.evaluate import prequential
        >>> splice = datasets.load("splice")
        >>> result = prequential(OLSF(), streams.fixed(splice.X, splice.y))
        >>> early, late = result.curve("auc", window=500, at=[500, 3000])
        >>> bool(early < late)
        True
        """
        if window is not None:
            check_whole("window", window, 1)
        for last in () if at is None else at:
            check_whole("at", last, 1, self.rounds, " rounds")
        entry = as_entry(metric)
        self._refuse_meaningless(entry)
        return self._curve(entry, window, at)

    def _curve(self, metric: MetricEntry, window: int | None, at: Sequence[int] | None) -> Floats:
        return curve(metric, self.signs, self.scores, window, at)

    @property
    def left_out(self) -> tuple[str, ...]:
        """The chosen metrics that mean nothing here; ``metric_values`` leaves them out."""
        return tuple(e.name for e in chosen_entries(self.metrics) if not self._has(e))

    def _has(self, metric: MetricEntry) -> bool:
        """Whether a metric means something here."""
        return self.log_odds or metric.of != "log_odds"

    def _refuse_meaningless(self, metric: MetricEntry) -> None:
        if not self._has(metric):
            self._needs_probabilities(metric.name)

    @property
    def _baseline_rules(self) -> Mapping[str, Callable[[Floats, Any], Floats]]:
        return BASELINES

    @cached_property
    def _counts(self) -> Counts:
        return of_all_rounds(self.signs, self.scores)

    def _needs_probabilities(self, who: str) -> None:
        if not self.log_odds:
            raise InputError(f"{who} needs probabilities: the scores of this learner mean none")

    def _labelled(self, of_rounds: Floats) -> tuple[Floats, Floats]:
        """The signs of the rounds that have a label, and what belongs to these rounds."""
        if not self.unlabelled:
            return self.signs, of_rounds
        known = ~np.isnan(self.signs)
        return self.signs[known], of_rounds[known]

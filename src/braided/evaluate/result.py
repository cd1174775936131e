"""Result: labels and scores of one evaluation, and every metric that follows from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from braided.errors import InputError
from braided.evaluate.baselines import BASELINES
from braided.evaluate.confusion_matrix import ConfusionMatrix
from braided.evaluate.metrics.by_name import Metric, as_entry, chosen_entries, curve
from braided.evaluate.metrics.calibration import Reliability, reliability
from braided.evaluate.metrics.confusion import Counts, of_all_rounds
from braided.evaluate.snapshots import Snapshot
from braided.learner import platt
from braided.parameters import check_whole
from braided.registry import MetricEntry, resolve

__all__ = ["Result"]

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Result:
    """Labels and scores of one evaluation, and every metric that follows from them.

    Attributes
    ----------
    signs : ndarray of float
        The label of each round: +1 for the larger of the two labels, -1 for the other, NaN for no
        label. A round without a label counts in no metric.
    scores : ndarray of float
        The score of each round, from before its row was learned.
    snapshots : tuple of Snapshot
        The size of the model on the way, and at the end.
    observed : ndarray of int, optional
        How many features each row had.
    delay : int, default 0
        How many rounds late labels came.
    metrics : tuple of str or callable, optional
        The metrics in ``metric_values``; all that apply if None.
    log_odds : bool, default False
        Whether scores are the log odds of the positive label. If not, log odds are learned from
        them online, as ``braided.Calibrated`` does.
    learned_signs : ndarray of float, optional
        The labels of the rounds that were learned before a holdout; None if the evaluation was
        prequential.
    learned_scores : ndarray of float, optional
        The scores of these rounds, from before their rows were learned.
    classes : tuple, default (-1, 1)
        The labels: the negative one and the positive one; None for one that never occurred.

    Examples
    --------
    >>> from braided import OCO, evaluate, streams
    >>> stream = streams.given([{"a": 1.0}, {"b": 1.0}] * 50, ["yes", "no"] * 50)
    >>> result = evaluate.prequential(OCO(), stream)
    >>> result.mistakes, result.error_rate
    (2, 0.02)
    >>> result.metric("auc") > 0.9
    True
    >>> float(result.error_curve()[-1])
    0.02
    """

    signs: Floats
    scores: Floats
    snapshots: tuple[Snapshot, ...]
    observed: NDArray[np.int64] | None = None
    delay: int = 0
    metrics: tuple[Metric, ...] | None = None
    log_odds: bool = False
    learned_signs: Floats | None = None
    learned_scores: Floats | None = None
    classes: tuple[Any, ...] = (-1, 1)

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
        """How many rounds were predicted wrong: the score does not have the sign of the label."""
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
        """How many features were ever observed."""
        return self.snapshots[-1].features_seen

    @property
    def features_kept(self) -> int:
        """How many features have a weight at the end."""
        return self.snapshots[-1].features_kept

    @property
    def features_observed(self) -> float:
        """The mean number of features of a row; NaN if it is not known."""
        if self.observed is None or not self.observed.size:
            return np.nan
        return float(self.observed.sum() / self.observed.size)

    @property
    def sparsity(self) -> float:
        """The share of the features seen that have no weight at the end."""
        return self.snapshots[-1].sparsity

    @property
    def memory_bytes(self) -> int:
        """Bytes held by the model at the end."""
        return self.snapshots[-1].memory_bytes

    @property
    def seconds(self) -> float:
        """The time spent in the learner, without compiling kernels."""
        return self.snapshots[-1].seconds

    @property
    def has_probabilities(self) -> bool:
        """Whether there is a probability of the positive label in each round."""
        return self.log_odds or self.learned_signs is None or self.learned_scores is not None

    @cached_property
    def odds(self) -> Floats:
        """The log odds of the positive label in each round, as they were predicted."""
        if self.log_odds:
            return self.scores
        self._needs_probabilities("log odds")
        table = platt.new_table()
        if self.learned_signs is None or self.learned_scores is None:
            return platt.prequential_odds(table, self.signs, self.scores, self.delay)
        platt.prequential_odds(table, self.learned_signs, self.learned_scores, 0)
        return platt.log_odds(table, self.scores[:, None])[:, 0]

    @property
    def probabilities(self) -> Floats | None:
        """The probability of the positive label in each round; None if there is none."""
        if not self.has_probabilities:
            return None
        from scipy.special import expit

        probabilities: Floats = expit(self.odds)
        return probabilities

    @cached_property
    def metric_values(self) -> dict[str, float]:
        """The values of the chosen metrics, by name."""
        chosen = chosen_entries(self.metrics)
        return {entry.name: self._value(entry) for entry in chosen if self._has(entry)}

    @cached_property
    def baselines(self) -> dict[str, Result]:
        """The results of the baselines (majority class, last label) on the same rounds, by name."""
        if self.learned_signs is None:
            signs, known = self.signs, np.maximum(0, np.arange(self.rounds) - self.delay)
        else:
            signs = self.learned_signs
            known = np.full(self.rounds, signs.size)
        nothing = Snapshot(self.rounds, 0, 0, 0, 0.0)
        return {
            name: replace(
                self,
                scores=scores(signs, known),
                snapshots=(nothing,),
                log_odds=False,
                learned_scores=None,
            )
            for name, scores in self._baseline_rules.items()
        }

    def metric(self, metric: Metric) -> float:
        """Compute a metric.

        Parameters
        ----------
        metric : str or callable
            Its name, or a function of the signs and scores of the rounds that have a label.

        Returns
        -------
        float
            The value.

        Raises
        ------
        InputError
            If there is no such metric, or it means nothing here.

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
        return float(compute(*self._labelled(self._scores_for(metric))))

    def _scores_for(self, metric: MetricEntry) -> Floats:
        return self.odds if metric.of == "log_odds" else self.scores

    def reliability(self, groups: int = 10) -> Reliability:
        """Compute how often the positive label occurred, by its predicted probability.

        Parameters
        ----------
        groups : int, at least 1, default 10
            Into how many groups of equal width the probabilities are divided.

        Returns
        -------
        Reliability
            The mean predicted probability and the share of positive labels of each group.

        Raises
        ------
        InputError
            If there are no probabilities.

        Examples
        --------
        >>> from braided import Braid, datasets, streams
        >>> from braided.evaluate import prequential
        >>> spambase = datasets.load("spambase")
        >>> result = prequential(Braid(), streams.fixed(spambase.X, spambase.y))
        >>> result.reliability().calibration_error < 0.02
        True
        """
        check_whole("groups", groups, 1)
        self._needs_probabilities("reliability")
        return reliability(*self._labelled(cast("Floats", self.probabilities)), groups)

    def confusion_matrix(self) -> ConfusionMatrix:
        """Count how often each label was predicted as which.

        Returns
        -------
        ConfusionMatrix
            The counts, over all rounds that have a label.

        Examples
        --------
        >>> from braided import OLSF, datasets, streams
        >>> from braided.evaluate import prequential
        >>> german = datasets.load("german")
        >>> matrix = prequential(OLSF(), streams.given(german.X, german.y)).confusion_matrix()
        >>> matrix.classes, matrix.rounds.tolist()
        (('bad', 'good'), [300, 700])
        """
        return ConfusionMatrix.of(self.classes, *self._class_numbers(*self._labelled(self.scores)))

    @property
    def label_numbers(self) -> Whole:
        """The number of each round's label in ``classes``; -1 without a label."""
        unknown = np.isnan(self.signs)
        numbers, _ = self._class_numbers(np.where(unknown, 0.0, self.signs), self.scores)
        return np.where(unknown, -1, numbers)

    def _class_numbers(self, signs: Floats, scores: Floats) -> tuple[Whole, Whole]:
        """The numbers of labels and predictions in ``classes``; the number after them for none."""
        predicted = np.where(scores > 0, 1, np.where(scores < 0, 0, len(self.classes)))
        return (signs > 0).astype(np.int64), predicted.astype(np.int64)

    def error_curve(self, window: int | None = None) -> Floats:
        """Compute the error rate after each round.

        Parameters
        ----------
        window : int, at least 1, optional
            How many of the last rounds count; all rounds so far if left out.

        Returns
        -------
        ndarray of float
            The error rate after each round.
        """
        return self.curve("error_rate", window)

    def curve(
        self, metric: Metric, window: int | None = None, at: Sequence[int] | None = None
    ) -> Floats:
        """Compute a metric after each round.

        Metrics of the model, such as its memory, have no curve: ``snapshots`` has them.

        Parameters
        ----------
        metric : str or callable
            Its name, or a function of signs and scores.
        window : int, at least 1, optional
            How many of the last rounds count; all rounds so far if left out.
        at : sequence of int, optional
            After how many rounds; after each round if left out. A function needs it, since it is
            called for each of them.

        Returns
        -------
        ndarray of float
            The values.

        Raises
        ------
        InputError
            If the metric has no curve, or an argument is not allowed.

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
        return curve(metric, self.signs, self._scores_for(metric), window, at)

    @property
    def left_out(self) -> tuple[str, ...]:
        """The chosen metrics that mean nothing here; ``metric_values`` leaves them out."""
        return tuple(e.name for e in chosen_entries(self.metrics) if not self._has(e))

    def _has(self, metric: MetricEntry) -> bool:
        """Whether a metric means something here."""
        return self.has_probabilities or metric.of != "log_odds"

    def _refuse_meaningless(self, metric: MetricEntry) -> None:
        if not self._has(metric):
            self._needs_probabilities(metric.name)

    @property
    def _baseline_rules(self) -> Mapping[str, Callable[[Floats, Any], Floats]]:
        return BASELINES

    @cached_property
    def _counts(self) -> Counts:
        return of_all_rounds(self.signs, self.scores)

    def _needs_probabilities(self, metric: str) -> None:
        if not self.has_probabilities:
            raise InputError(
                f"{metric} needs probabilities, which do not follow from these scores alone"
            )

    def _labelled(self, of_rounds: Floats) -> tuple[Floats, Floats]:
        """The signs of the rounds that have a label, and what belongs to these rounds."""
        if not self.unlabelled:
            return self.signs, of_rounds
        known = ~np.isnan(self.signs)
        return self.signs[known], of_rounds[known]

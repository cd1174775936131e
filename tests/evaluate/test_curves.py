"""Metrics and curves of a result: each point is the metric of the rounds that it covers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from braided import OCO, OLSF, InputError, streams
from braided.evaluate import Result, Snapshot, metrics, prequential
from braided.evaluate.baselines import last_label, majority
from braided.registry import METRICS

LAST = (Snapshot(0, 4, 2, 100, 0.5),)
NAMES = [entry.name for entry in METRICS if entry.of != "result"]

rounds = st.lists(
    st.tuples(
        st.sampled_from([-1.0, 1.0, np.nan]),
        st.sampled_from([-2.0, -0.5, 0.0, 0.5, 1.0, np.nan, np.inf]),
    ),
    min_size=1,
    max_size=40,
)


def by_the_book(name, signs, scores):
    known = ~np.isnan(signs)
    if name == "log_loss":
        return metrics.log_loss(signs[known], 1 / (1 + np.exp(-scores[known])))
    return getattr(metrics, name)(signs[known], scores[known])


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=40, deadline=None)
@given(pairs=rounds, window=st.none() | st.integers(1, 45))
def test_every_point_is_the_metric_of_its_rounds(name, pairs, window):
    signs, scores = np.array(pairs).T
    result = Result(signs, scores, LAST, log_odds=True)
    curve = result.curve(name, window)
    for t in range(signs.size):
        span = slice(0 if window is None else max(0, t + 1 - window), t + 1)
        expected = by_the_book(name, signs[span], scores[span])
        assert curve[t] == pytest.approx(expected, nan_ok=True)
    assert result.metric(name) == pytest.approx(by_the_book(name, signs, scores), nan_ok=True)
    some = [1, signs.size]
    assert result.curve(name, window, some).tolist() == pytest.approx(
        curve[[0, -1]].tolist(), nan_ok=True
    )


def largest(signs, scores):
    return np.abs(scores).max()


def test_metrics_are_those_asked_for():
    stream = streams.given([{"a": 1.0}, {"b": -1.0}] * 6, [1, 0] * 6)
    result = prequential(OLSF(), stream, metrics=["auc", largest, "memory_bytes"])
    assert list(result.metric_values) == ["auc", "largest", "memory_bytes"]
    assert result.metric_values["largest"] == largest(result.signs, result.scores)
    assert result.curve(largest, at=[2, 12])[1] == result.metric_values["largest"]
    assert result.curve(largest, window=1, at=[1]).tolist() == [0.0]
    with pytest.raises(InputError, match="needs at"):
        result.curve(largest)
    with pytest.raises(InputError, match="at=13 is not allowed"):
        result.curve("auc", at=[13])
    with pytest.raises(InputError, match="window=0"):
        result.curve("auc", 0)
    with pytest.raises(InputError, match="sparsity has no curve"):
        result.curve("sparsity")
    with pytest.raises(InputError, match="no metric 'accuracy'"):
        prequential(OLSF(), stream, metrics=["accuracy"])


def test_all_metrics_by_default():
    stream = streams.given([{"a": 1.0, "b": 2.0}, {"b": -1.0}] * 6, [1, 0] * 6)
    plain, logistic = prequential(OLSF(), stream), prequential(OCO(), stream)
    assert list(logistic.metric_values) == list(plain.metric_values) == METRICS.names()
    assert plain.metric_values["features_observed"] == 1.5
    assert plain.metric_values["sparsity"] == 0.0
    assert plain.metric_values["memory_bytes"] == plain.memory_bytes > 0
    assert 0 < logistic.metric_values["log_loss"] < np.log(2)
    frozen = replace(plain, learned_signs=plain.signs)  # nothing is known of the scores before
    assert frozen.left_out == ("log_loss",)
    with pytest.raises(InputError, match="log_loss needs probabilities"):
        frozen.metric("log_loss")


def test_snapshots_are_exactly_where_they_were_asked_for():
    stream = streams.given([{"a": 1.0}, {"b": -1.0}] * 10, [1, 0] * 10)
    for block in (1, 3, 7, 100):
        result = prequential(OLSF(), stream, every=6, block=block, delay=1)
        assert [s.round for s in result.snapshots] == [6, 12, 18, 20]


def plain_baselines(signs, delay):
    """What is known in each round, one round at a time."""
    most, last = [], []
    for t in range(len(signs)):
        known = [s for s in signs[: max(0, t - delay)] if s == s]
        most.append(float(np.sign(sum(known))))
        last.append(known[-1] if known else 0.0)
    return most, last


@given(st.lists(st.sampled_from([-1.0, 1.0, np.nan]), min_size=1, max_size=30), st.integers(0, 40))
def test_baselines_know_what_the_learner_knows(signs, delay):
    result = Result(np.array(signs), np.zeros(len(signs)), LAST, delay=delay)
    most, last = plain_baselines(signs, delay)
    assert result.baselines["majority class"].scores.tolist() == most
    assert result.baselines["last label"].scores.tolist() == last
    if delay == 0:
        assert majority(np.array(signs)).tolist() == most
        assert last_label(np.array(signs)).tolist() == last


class Diverged(OLSF):
    """A test double whose scores are no numbers."""

    def prequential(self, X, y=None, *, feature_names=None):
        return super().prequential(X, y, feature_names=feature_names) * np.nan

    def interleaved(self, X, learned, due):
        return super().interleaved(X, learned, due) * np.nan


@pytest.mark.parametrize("delay", [0, 2])
def test_a_diverged_learner_is_always_wrong(delay):
    stream = streams.given([{"a": 1.0}] * 8, [1, -1] * 4)
    result = prequential(Diverged(), stream, delay=delay)
    assert result.diverged
    assert (result.mistakes, result.error_rate) == (8, 1.0)
    assert result.metric_values["auc"] == 0.0
    assert result.error_curve().tolist() == [1.0] * 8

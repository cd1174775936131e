"""Several learners on several sets."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from braided import datasets
from braided.evaluate import Comparison, Contender, Plan, compare
from braided.evaluate.compare import RunMetrics


def plan(*contenders, stream="capricious"):
    sets = {name: datasets.load(name) for name in ("wisconsin", "ionosphere")}
    return Plan({name: (s.X, s.y) for name, s in sets.items()}, contenders, stream)


def without_seconds(comparison):
    return {
        cell: [run._replace(seconds=0.0) for run in runs] for cell, runs in comparison.runs.items()
    }


@pytest.mark.parametrize("repeats", [1, 5])  # contenders apart, and together
def test_processes_change_nothing(repeats):
    contenders = [Contender("olsf-i"), Contender("olsf", {"selection": "random", "budget": 0.5})]
    alone, shared = (compare(plan(*contenders), repeats=repeats, jobs=jobs) for jobs in (1, 2))
    assert list(alone.runs) == list(shared.runs)
    assert without_seconds(alone) == without_seconds(shared)


def test_contenders_share_a_stream_and_each_learns_it_as_if_alone():
    names = ("olsf-i", "oco", "fsol")
    shared = compare(plan(*map(Contender, names)), repeats=2)
    for name in names:
        alone = compare(plan(Contender(name)), repeats=2)
        for data in alone.data:
            assert alone.errors(data, name).tolist() == shared.errors(data, name).tolist()


def test_baselines_are_always_there():
    comparison = compare(plan(Contender("olsf-i")), repeats=2)
    assert comparison.learners == ["olsf-i", "majority class", "last label"]
    labels = datasets.load("wisconsin").y
    smaller = min(np.unique(labels, return_counts=True)[1]) / labels.size
    assert comparison.errors("wisconsin", "majority class") == pytest.approx(smaller, abs=0.01)


def comparison_of(errors):
    """From {(data, learner): error rates}."""
    return Comparison(
        {cell: [RunMetrics(0, e, 0, 0, 0.0) for e in rates] for cell, rates in errors.items()}
    )


def test_statistics_against_scipy():
    rng = np.random.default_rng(0)
    a, b = rng.random(20), rng.random(20)
    comparison = comparison_of({("d", "a"): a, ("d", "b"): b})
    assert comparison.p_value("d", "a", "b") == pytest.approx(stats.ttest_rel(a, b).pvalue)
    assert comparison.p_value("d", "a", "a") == 1.0


def test_wins_ties_losses_and_ranks():
    noise = np.linspace(0, 0.01, 10)
    comparison = comparison_of(
        {
            ("one", "a"): 0.1 + noise,
            ("one", "b"): 0.2 + noise[::-1],
            ("two", "a"): 0.3 + noise,
            ("two", "b"): 0.2 + noise[::-1],
            ("three", "a"): 0.1 + noise,
            ("three", "b"): 0.1 + noise,
        }
    )
    assert comparison.wins_ties_losses("a", "b") == (1, 1, 1)
    assert comparison.average_ranks() == {"a": 1.5, "b": 1.5}
    assert comparison.best("one") == "a"


def test_a_difference_that_never_varies_is_significant():
    comparison = comparison_of({("d", "a"): [0.1, 0.2], ("d", "b"): [0.2, 0.3]})
    assert comparison.p_value("d", "a", "b") < 0.05

"""Bayesian logistic regression on the main view, with a diagonal covariance.

One step of Newton's method from the posterior so far (assumed density filtering); the logit is
moderated by its uncertainty, m / sqrt(1 + pi s / 8) (MacKay, Neural Computation 1992). The variance
of a new weight makes the prior variance of a margin about 3, for rows of any width.
"""

from __future__ import annotations

from braided.compiled.jit import Floats, inlined
from braided.learners.braid.experts.expert import Expert
from braided.learners.braid.experts.steps import (
    BeliefStep,
    Margin,
    bayes_logit,
    bayes_step,
    believe,
    believed,
    no_belief,
)
from braided.learners.braid.layout import (
    BAYES_VARIANCE,
    BAYES_WEIGHT,
    BIRTH_VARIANCE,
    SCALE,
    Experts,
    Value,
)

__all__ = ["EXPERT"]


@inlined
def add(margin: Margin, experts: Experts, facts: Floats, value: Value) -> Margin:
    """m + w v, s + S v^2"""
    weights, born = experts.weights, facts[BIRTH_VARIANCE]
    return believed(margin, weights, value.column, BAYES_WEIGHT, BAYES_VARIANCE, value.main, born)


@inlined
def logit(margin: Margin, own: Floats, facts: Floats) -> float:
    """b + m, moderated by S_b + s, when the row is scaled"""
    return bayes_logit(margin, own, facts[SCALE])


@inlined
def begin(own: Floats, facts: Floats, label: float, weight: float) -> BeliefStep:
    """A step of Newton's method."""
    return bayes_step(own, facts[SCALE], facts[BIRTH_VARIANCE], label, weight)


@inlined
def learn(step: BeliefStep, experts: Experts, value: Value) -> None:
    """w += step S v, S -= shrink (S v)^2"""
    believe(experts.weights, value.column, BAYES_WEIGHT, BAYES_VARIANCE, value.main, step)


EXPERT = Expert(
    no_belief, add, logit, begin, learn, linear_weight=BAYES_WEIGHT, intercept_spread=1.0
)

"""Compose: learners made of learners, for many classes, few labels and online scaling."""

from braided.compose.one_vs_one import OneVsOne
from braided.compose.one_vs_rest import OneVsRest
from braided.compose.pseudo_label import PseudoLabel
from braided.compose.river import ForRiver
from braided.compose.scaled import INTERCEPT, Scaled

__all__ = ["INTERCEPT", "ForRiver", "OneVsOne", "OneVsRest", "PseudoLabel", "Scaled"]

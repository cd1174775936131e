"""Compose: learners made of learners: probabilities, many classes, few labels, online scaling."""

from braided.compose.calibrated import Calibrated, with_probabilities
from braided.compose.matrix_form import MatrixForm
from braided.compose.one_vs_one import OneVsOne
from braided.compose.one_vs_rest import OneVsRest
from braided.compose.pseudo_label import PseudoLabel
from braided.compose.river import ForRiver
from braided.compose.scaled import INTERCEPT, Scaled

__all__ = [
    "INTERCEPT",
    "Calibrated",
    "ForRiver",
    "MatrixForm",
    "OneVsOne",
    "OneVsRest",
    "PseudoLabel",
    "Scaled",
    "with_probabilities",
]

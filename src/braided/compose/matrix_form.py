"""MatrixForm: many classes by one matrix, of which a row moves two classes at once."""

from __future__ import annotations

from typing import Any

from braided.compose.many_classes import ManyClasses
from braided.compose.one_vs_rest import OneVsRestEngine
from braided.errors import InputError
from braided.learner.algorithm import HasMatrixForm
from braided.learner.learner import Learner

__all__ = ["MatrixForm"]


class MatrixFormEngine(OneVsRestEngine):
    """One engine for all classes."""

    def _of_classes(self) -> Any:
        learner = self.algorithm.learner
        assert isinstance(learner, HasMatrixForm)  # checked before anything begins
        return learner.in_matrix_form()


class MatrixForm(ManyClasses):
    """Many classes in one matrix: a row moves its class and the rival with the largest score.

    A class may appear at any time. With more than two labels, scores have a column for each class,
    in the order of ``classes_``; that of a class which was not known yet is minus infinity. With
    two labels there is one score as in scikit-learn, half of the difference of both.

    Parameters
    ----------
    learner : Learner
        A learner that has a matrix form: ``OLSF`` without a budget, a radius or perceptron steps.

    Notes
    -----
    Zhang et al. name it beside one-vs-rest and one-vs-one and leave it open; steps are those of
    multi-class passive-aggressive learning. Only scores of two classes change in a round, so that
    an error costs what it costs with two labels, while ``OneVsRest`` moves all classes.

    References
    ----------
    Zhang et al., "Online Learning from Trapezoidal Data Streams", IEEE TKDE 28(10), 2016, section
    6.5. Crammer, Dekel, Keshet, Shalev-Shwartz and Singer, "Online Passive-Aggressive Algorithms",
    JMLR 7, 2006, section 8.

    Examples
    --------
    >>> from braided import OLSF
    >>> model = MatrixForm(OLSF(variant="hard"))
    >>> for x, y in [({"barks": 1}, "dog"), ({"meows": 1}, "cat"), ({"swims": 1}, "fish")]:
    ...     model.learn_one(x, y)
    >>> model.predict_one({"meows": 1})
    'cat'
    """

    engine_class = MatrixFormEngine

    def __init__(self, learner: Learner) -> None:
        super().__init__(learner)

    def check_parameters(self) -> None:
        """Refuse a learner without a matrix form."""
        super().check_parameters()
        if not isinstance(self.learner, HasMatrixForm):
            raise InputError(f"{self.learner} has no matrix form: OLSF has one")
        self.learner.in_matrix_form()

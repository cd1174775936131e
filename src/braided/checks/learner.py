"""check_learner: everything that Braided promises of a learner, for one that you wrote."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from braided.checks.inputs import (
    check_bad_values_are_refused,
    check_dicts_sparse_and_arrays_are_the_same,
    check_empty_rows_are_rows,
    check_extreme_sample_weights_never_poison,
    check_extreme_values_never_poison,
    check_frames_and_arrays_are_the_same,
    check_unobserved_is_left_out,
    check_x_is_never_changed,
)
from braided.checks.labels import (
    check_a_third_label_is_refused,
    check_any_two_labels,
    check_before_anything_was_learned,
)
from braided.checks.learning import (
    New,
    check_a_budget_is_never_exceeded,
    check_one_by_one_equals_in_blocks,
    check_one_by_one_scores_equal_prequential,
    check_predicting_changes_nothing,
    check_renaming_features_changes_only_names,
    check_reordering_a_row_changes_nothing,
    check_resuming_from_a_file,
    check_resuming_from_copies,
    check_the_same_seed_gives_the_same_result,
)
from braided.checks.model import (
    check_memory_is_reported_honestly,
    check_parameters_are_as_scikit_learn_expects,
)
from braided.checks.promises import Check, checks_of, run_all
from braided.errors import InputError
from braided.learner.estimator import clone
from braided.learner.learner import Learner

__all__ = ["LEARNER_CHECKS", "check_learner", "fresh", "learner_checks"]

LEARNER_CHECKS: tuple[Callable[[New], None], ...] = (
    check_parameters_are_as_scikit_learn_expects,
    check_before_anything_was_learned,
    check_x_is_never_changed,
    check_empty_rows_are_rows,
    check_unobserved_is_left_out,
    check_dicts_sparse_and_arrays_are_the_same,
    check_frames_and_arrays_are_the_same,
    check_bad_values_are_refused,
    check_any_two_labels,
    check_a_third_label_is_refused,
    check_one_by_one_equals_in_blocks,
    check_one_by_one_scores_equal_prequential,
    check_predicting_changes_nothing,
    check_the_same_seed_gives_the_same_result,
    check_resuming_from_copies,
    check_resuming_from_a_file,
    check_renaming_features_changes_only_names,
    check_reordering_a_row_changes_nothing,
    check_a_budget_is_never_exceeded,
    check_extreme_values_never_poison,
    check_extreme_sample_weights_never_poison,
    check_memory_is_reported_honestly,
)
"""All promises of a learner, the simplest first; each is called with what makes a fresh model.

Examples
--------
>>> from braided.checks import LEARNER_CHECKS
>>> LEARNER_CHECKS[2].__name__
'check_x_is_never_changed'
"""


def check_learner(model: Learner, *, skip: Sequence[str] = ()) -> dict[str, str]:
    """Check all promises of a learner, up to the first that is broken.

    Parameters
    ----------
    model : Learner
        The learner, with the parameters that it is to be checked with. It is not changed: checks
        work with clones of it.
    skip : sequence of str, default ()
        Names of checks to leave out, as in ``["check_memory_is_reported_honestly"]``.

    Returns
    -------
    dict
        By the name of each check "held", or "left out" and why.

    Raises
    ------
    BrokenPromiseError
        An AssertionError that says which promise is broken, on which rows, what was expected and
        what was found.

    Examples
    --------
    >>> from braided import OCO
    >>> from braided.checks import check_learner
    >>> outcome = check_learner(OCO(step=0.5))
    >>> outcome["check_one_by_one_equals_in_blocks"]
    'held'
    >>> outcome["check_a_budget_is_never_exceeded"]
    'left out: it has no parameter named budget'
    """
    return run_all(learner_checks(model), skip)


def learner_checks(model: Learner) -> list[Check]:
    """List the checks of a learner, for pytest to run each as a test of its own.

    Parameters
    ----------
    model : Learner
        The learner, with the parameters that it is to be checked with.

    Returns
    -------
    list of Check
        Pairs of name and function. A check raises BrokenPromiseError if the promise is broken, and
        ``unittest.SkipTest`` (which pytest knows) if it says nothing about this learner.

    Examples
    --------
    In a test file::

        @pytest.mark.parametrize("check", learner_checks(MyLearner()))
        def test_my_learner(check):
            check()

    >>> from braided import OCO
    >>> from braided.checks import learner_checks
    >>> name, run = learner_checks(OCO())[0]
    >>> name
    'check_parameters_are_as_scikit_learn_expects'
    >>> run()
    """
    if not isinstance(model, Learner):
        raise InputError(f"a learner is checked, as in check_learner(OCO()), not {model!r}")
    if model.new_labels().many:
        raise InputError(f"these are promises of learners for two labels, and {model} has more")
    return checks_of(LEARNER_CHECKS, repr(model), fresh(model))


def fresh(model: Learner) -> New:
    """Return what makes new models of the same parameters.

    Parameters
    ----------
    model : Learner
        A model; it is not changed.

    Returns
    -------
    callable
        Makes a model that has learned nothing; keyword arguments change its parameters.
    """

    def new(**changes: Any) -> Learner:
        made = clone(model)
        return type(made)(**{**made.get_params(deep=False), **changes}) if changes else made

    return new

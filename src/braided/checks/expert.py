"""check_expert: what Braided promises of an expert of a Braid."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from braided.checks.inputs import (
    check_extreme_sample_weights_never_poison,
    check_extreme_values_never_poison,
)
from braided.checks.learner import fresh
from braided.checks.learning import (
    New,
    check_one_by_one_equals_in_blocks,
    check_one_by_one_scores_equal_prequential,
    check_renaming_features_changes_only_names,
    check_reordering_a_row_changes_nothing,
    check_resuming_from_a_file,
    check_resuming_from_copies,
)
from braided.checks.promises import Check, broken, checks_of
from braided.checks.random_streams import columns_of, long_stream
from braided.errors import InputError
from braided.registry import EXPERTS, ExpertEntry

__all__ = ["EXPERT_CHECKS", "expert_checks", "told_of_experts"]

CHANCE = math.log(2.0)
"""The log loss of a coin."""


def check_expert_is_part_of_braid(name: str) -> None:
    """A Braid that has learned shows the expert, with a share and a loss that are numbers."""
    rows, labels = columns_of(long_stream(seed=7))
    told = told_of_experts(rows, labels)
    if name not in told:
        raise broken("Braid().experts()", expected=name, found=list(told))
    wrong = {figure: value for figure, value in told[name].items() if not math.isfinite(value)}
    if wrong:
        raise broken(f"what experts() tells of {name}", expected="finite numbers", found=wrong)


def check_expert_learns(name: str) -> None:
    """On rows that tell the label, its log loss is less than that of a coin."""
    rng = np.random.default_rng(0)
    values = rng.normal(size=(1000, 3))
    labels = np.where(values.sum(axis=1) > 0, 1, -1)
    loss = told_of_experts(values, labels)[name]["loss"]
    if not loss < CHANCE:
        raise broken(f"the loss of {name}", expected=f"less than {CHANCE:.3f}", found=loss)


EXPERT_CHECKS: tuple[Callable[[str], None], ...] = (
    check_expert_is_part_of_braid,
    check_expert_learns,
)
"""The promises of an expert itself; each is called with its name.

Examples
--------
>>> from braided.checks import EXPERT_CHECKS
>>> EXPERT_CHECKS[1].__name__
'check_expert_learns'
"""

BRAID_CHECKS: tuple[Callable[[New], None], ...] = (
    check_one_by_one_equals_in_blocks,
    check_one_by_one_scores_equal_prequential,
    check_renaming_features_changes_only_names,
    check_reordering_a_row_changes_nothing,
    check_resuming_from_copies,
    check_resuming_from_a_file,
    check_extreme_values_never_poison,
    check_extreme_sample_weights_never_poison,
)
"""The promises of Braid that an expert could break."""


def expert_checks(entry: ExpertEntry) -> list[Check]:
    """List the checks of an expert: its own, then those of a Braid that has it."""
    if entry not in list(EXPERTS):
        raise InputError(f"expert {entry.name!r} is not registered: call braided.register first")
    thing = f"expert {entry.name}"
    return [
        *checks_of(EXPERT_CHECKS, thing, entry.name),
        *checks_of(BRAID_CHECKS, f"Braid with {thing}", _braid()),
    ]


def told_of_experts(X: Any, y: Any) -> dict[str, dict[str, float]]:
    """Let a Braid learn rows, and ask it about its experts.

    Parameters
    ----------
    X : list of dict, sparse matrix, array, frame or Rows
        The rows.
    y : array-like
        A label for each row.

    Returns
    -------
    dict
        What ``Braid.experts`` tells of each expert.
    """
    from braided.learners.braid import Braid

    return Braid(experts="all").partial_fit(X, y).experts()


def _braid() -> New:
    """What makes a fresh Braid; importing it closes the table of experts."""
    from braided.learners.braid import Braid

    return fresh(Braid(experts="all"))

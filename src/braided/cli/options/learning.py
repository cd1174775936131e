"""Options of what learns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from braided.learner import Learner

__all__ = ["LEARNING", "ManyClasses", "Seed", "made"]

LEARNING = "What learns"

ManyClasses = Annotated[
    str | None,
    typer.Option(
        metavar="HOW",
        show_default="two labels",
        help="For more than two labels: rest (a learner for each label, against the rest) or one "
        "(a learner for each pair of labels).",
        rich_help_panel=LEARNING,
    ),
]
Seed = Annotated[int, typer.Option(min=0, help="Of the first run.")]


def made(name: str, many_classes: str | None, **parameters: Any) -> Learner:
    """A new learner of this name, for as many labels as were asked for."""
    from braided import registry
    from braided.parameters import check_choice

    learner = registry.create(name, **parameters)
    if many_classes is None:
        return learner
    check_choice("--many-classes", many_classes, ("rest", "one"))
    from braided import OneVsOne, OneVsRest

    return OneVsRest(learner) if many_classes == "rest" else OneVsOne(learner)

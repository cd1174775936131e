"""Options of what learns."""

from __future__ import annotations

from typing import Annotated

import typer

from braided.parameters import check_choice
from braided.registry import MANY_CLASSES

__all__ = ["LEARNING", "ManyClasses", "Seed"]

LEARNING = "What learns"


def _allowed(many_classes: str | None) -> str | None:
    if many_classes is not None:
        check_choice("--many-classes", many_classes, tuple(MANY_CLASSES))
    return many_classes


ManyClasses = Annotated[
    str | None,
    typer.Option(
        metavar="HOW",
        show_default="two labels",
        help="For more than two labels: rest (a learner for each label, against the rest) or one "
        "(a learner for each pair of labels).",
        callback=_allowed,
        rich_help_panel=LEARNING,
    ),
]
Seed = Annotated[int, typer.Option(min=0, help="Of the first run.")]

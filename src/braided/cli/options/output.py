"""Options of what is shown: figures and pictures."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["SHOWING", "Budgets", "Html", "Metrics", "metric_names"]

SHOWING = "What is drawn"

Html = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        show_default="none",
        help="Also write a page with pictures of the stream, the errors and the models. "
        "It is one file, and works offline.",
        rich_help_panel=SHOWING,
    ),
]
Budgets = Annotated[
    str | None,
    typer.Option(
        metavar="B,B,...",
        show_default="none",
        help="With --html: also draw error by budget, as in 0.05,0.1,0.5,1.0 (shares of the "
        "features seen) or 10,100,1000 (numbers of features). Runs every learner that has "
        "a budget anew for each.",
        rich_help_panel=SHOWING,
    ),
]
Metrics = Annotated[
    str | None,
    typer.Option(
        metavar="A,B,...",
        show_default="none",
        help="More figures: balanced_accuracy, f1, auc, kappa, log_loss (where there are "
        "probabilities), features_observed, sparsity, memory_bytes; or all.",
    ),
]


def metric_names(chosen: str | None) -> tuple[str, ...]:
    """The metrics that were asked for, each once."""
    from braided.registry import METRICS

    if chosen is None:
        return ()
    if chosen.strip() == "all":
        return tuple(METRICS.names())
    names = dict.fromkeys(name.strip().replace("-", "_") for name in chosen.split(","))
    return tuple(METRICS.find(name).name for name in names)

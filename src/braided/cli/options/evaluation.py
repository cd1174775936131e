"""EvaluationOptions: how often a stream is run, and what is measured."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from braided.cli.options.expand import HelpFrom
from braided.cli.options.panels import EVALUATION
from braided.registry import METRICS

__all__ = ["EvaluationOptions", "Jobs", "Seed"]

REPEATS = 20

Seed = Annotated[
    int,
    typer.Option(
        min=0, help="Seed of the first run; later runs add 1.", rich_help_panel=EVALUATION
    ),
]
Jobs = Annotated[
    int,
    typer.Option(
        min=1,
        help="Number of processes that share the runs; results stay the same.",
        rich_help_panel=EVALUATION,
    ),
]


def _metrics() -> str:
    return f"More metrics to report: {', '.join(METRICS.names())}; or all."


@dataclass(frozen=True)
class EvaluationOptions:
    """How often a stream is run, and what is measured."""

    repeats: Annotated[
        int | None,
        typer.Option(
            min=1,
            show_default=f"{REPEATS}, or 1 if the stream is not shuffled",
            help="Number of runs.",
            rich_help_panel=EVALUATION,
        ),
    ] = None
    seed: Seed = 0
    delay: Annotated[
        int,
        typer.Option(
            min=0,
            metavar="ROUNDS",
            help="Number of rounds by which labels come late: a row is learned after so many more "
            "were predicted.",
            rich_help_panel=EVALUATION,
        ),
    ] = 0
    metrics: Annotated[
        str | None,
        typer.Option(metavar="A,B,...", show_default="none", rich_help_panel=EVALUATION),
        HelpFrom(_metrics),
    ] = None

    def times(self, shuffled: bool) -> int:
        """Tell how many runs there are.

        Parameters
        ----------
        shuffled : bool
            Whether each run has a stream of its own.

        Returns
        -------
        int
            The number that was asked for, or the default.
        """
        return self.repeats or (REPEATS if shuffled else 1)

    def metric_names(self) -> tuple[str, ...]:
        """Tell which metrics were asked for, each once.

        Returns
        -------
        tuple of str
            Their names.

        Raises
        ------
        InputError
            If there is no such metric.
        """
        if self.metrics is None:
            return ()
        if self.metrics.strip() == "all":
            return tuple(METRICS.names())
        names = [name.strip().replace("-", "_") for name in self.metrics.split(",")]
        return tuple(METRICS.find(name).name for name in dict.fromkeys(names))

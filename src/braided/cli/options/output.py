"""OutputOptions: what is printed, and the pages and pictures that are written."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from braided.cli.options.expand import HelpFrom
from braided.cli.options.panels import OUTPUT
from braided.errors import InputError
from braided.registry import CHARTS

__all__ = ["AsJson", "Html", "OutputOptions"]

AsJson = Annotated[
    bool, typer.Option("--json", help="Print one JSON object.", rich_help_panel=OUTPUT)
]


def _charts() -> str:
    return f"Write a page, one file that works offline, with charts: {', '.join(CHARTS.names())}."


Html = Annotated[
    Path | None,
    typer.Option(metavar="FILE", show_default="none", rich_help_panel=OUTPUT),
    HelpFrom(_charts),
]


@dataclass(frozen=True)
class OutputOptions:
    """What is printed, and the page that is written."""

    as_json: AsJson = False
    html: Html = None
    budgets: Annotated[
        str | None,
        typer.Option(
            metavar="B,B,...",
            show_default="none",
            help="With --html, draw the error by budget, as in 0.05,0.1,0.5,1.0 (shares of the "
            "features seen) or 10,100,1000 (numbers of features). Every learner with a budget is "
            "run again for each.",
            rich_help_panel=OUTPUT,
        ),
    ] = None

    @property
    def for_programs(self) -> bool:
        """Whether a program reads stdout, so that notes for people go to stderr."""
        return self.as_json

    def check(self) -> None:
        """Refuse what can not be written, before anything is run.

        Raises
        ------
        InputError
            If a file can not be written, or budgets are not allowed.
        """
        if self.budgets is not None and self.html is None:
            raise InputError("--budgets is drawn on the page: give --html FILE as well")
        if self.html is not None:
            from braided.report.page import check_page

            check_page(self.html)
            self.budget_values()

    def budget_values(self) -> list[Any]:
        """Read the budgets.

        Returns
        -------
        list
            All numbers of features, or all shares.

        Raises
        ------
        InputError
            If one of them is no budget, or they are not all of one kind.
        """
        from braided.cli.parsing import value
        from braided.parameters import check_budget

        if self.budgets is None:
            return []
        budgets = [value(part) for part in self.budgets.split(",")]
        for budget in budgets:
            check_budget(budget)
        if len({isinstance(budget, float) for budget in budgets}) > 1:
            raise InputError(
                f"--budgets {self.budgets}: either all shares (0.1, 1.0) or all numbers (10, 100)"
            )
        return budgets

"""The Typer app, built from the commands when the tables have all their entries."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from braided.cli import (
    compare,
    datasets,
    demo,
    evaluate,
    learners,
    predict,
    reproduce,
    train,
    tune,
)
from braided.cli import inspect as inspection
from braided.cli.options import expanded
from braided.registry import load_plugins

__all__ = ["build"]

COMMANDS = (
    demo.demo,
    evaluate.evaluate,
    compare.compare,
    tune.tune,
    train.train,
    predict.predict,
    inspection.inspect,
    reproduce.reproduce,
    learners.learners,
    datasets.datasets,
)


def build(name: str | None = None) -> Any:
    """Load plugins, then build the commands with the flags and names that the tables have.

    Parameters
    ----------
    name : str, optional
        The command that is going to be run: only this one is built, if there is such a one.

    Returns
    -------
    click.Group
        The command ``braided``.
    """
    load_plugins()
    app = typer.Typer(
        help="Online learning from streams whose features come and go.",
        add_completion=False,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback(invoke_without_command=True)(_version)
    for command in [c for c in COMMANDS if c.__name__ == name] or COMMANDS:
        app.command()(expanded(command))
    return typer.main.get_command(app)


def _version(
    version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False,
) -> None:
    if version:
        from braided import __version__

        typer.echo(f"braided {__version__}")
        raise typer.Exit

"""The Typer app, built from the commands when the tables have all their entries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import typer

from braided.cli import (
    compare,
    datasets,
    demo,
    evaluate,
    learners,
    merge,
    predict,
    reproduce,
    serve,
    train,
    tune,
)
from braided.cli import compile as compilation
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
    serve.serve,
    merge.merge,
    inspection.inspect,
    reproduce.reproduce,
    learners.learners,
    datasets.datasets,
    compilation.compile,
)


def build(name: str | None = None) -> Any:
    """Build the command that is going to be run, with the flags and names that the tables have.

    Parameters
    ----------
    name : str, optional
        The name of the command. Plugins are loaded for it, and no other command is built. If there
        is no such command, all are listed, without their flags: that is quick.

    Returns
    -------
    click.Group
        The command ``braided``.
    """
    app = typer.Typer(
        help="Online learning from streams whose features come and go.",
        add_completion=False,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback(invoke_without_command=True)(_version)
    chosen = [command for command in COMMANDS if command.__name__ == name]
    if chosen:
        load_plugins()
    for command in chosen or COMMANDS:
        app.command()(expanded(command) if chosen else _listed(command))
    return typer.main.get_command(app)


def _listed(command: Callable[..., None]) -> Callable[[], None]:
    """The name of a command, and what it does."""

    def run() -> None: ...

    run.__name__, run.__doc__ = command.__name__, command.__doc__
    return run


def _version(
    version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False,
) -> None:
    if version:
        from braided import __version__

        typer.echo(f"braided {__version__}")
        raise typer.Exit

"""The command ``braided``: one file per command.

Modules here import Numba, NumPy and scikit-learn inside their functions only, so that
``braided --help`` answers at once.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from braided.cli import compare, datasets, demo, evaluate, learners, tune
from braided.cli.errors import USAGE_ERROR, one_line, usage
from braided.cli.options import with_joined_values
from braided.errors import InputError

__all__ = ["app", "main"]

WRONG = 2
INTERRUPTED = 130

app = typer.Typer(
    help="Online learning from streams whose features come and go.",
    add_completion=False,
    pretty_exceptions_enable=False,
)
COMMANDS = (
    demo.demo,
    evaluate.evaluate,
    compare.compare,
    tune.tune,
    learners.learners,
    datasets.datasets,
)
for command in COMMANDS:
    app.command()(command)


@app.callback(invoke_without_command=True)
def _version(
    version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False,
) -> None:
    if version:
        from braided import __version__

        typer.echo(f"braided {__version__}")
        raise typer.Exit


def main(args: Sequence[str] | None = None) -> int:
    """Run the command; the exit code. What was wrong is said in one line, without a traceback."""
    given = with_joined_values(sys.argv[1:] if args is None else args)
    try:
        code = app(given or ["--help"], prog_name="braided", standalone_mode=False, obj=given)
    except (InputError, OSError) as error:
        message = one_line(error)
    except USAGE_ERROR as error:
        message = usage(error)
    except typer.Abort:
        return INTERRUPTED
    else:
        return code if isinstance(code, int) else 0
    print(f"error: {message}", file=sys.stderr)
    return WRONG

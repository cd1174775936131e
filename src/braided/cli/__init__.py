"""The command ``braided``: one file per command.

Modules here import Numba, NumPy and scikit-learn inside their functions only, so that
``braided --help`` answers at once.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import typer

from braided.cli.app import build
from braided.cli.errors import USAGE_ERROR, flags_of, one_line, show_warnings, usage
from braided.cli.options.reading import with_joined_values
from braided.errors import InputError

__all__ = ["main"]

WRONG = 2
INTERRUPTED = 130


def main(args: Sequence[str] | None = None) -> int:
    """Run the command; what was wrong is said in one line, without a traceback.

    Parameters
    ----------
    args : sequence of str, optional
        The arguments; by default those of the process.

    Returns
    -------
    int
        The exit code: 0, 2 if something was wrong, 130 if it was interrupted.
    """
    given = with_joined_values(sys.argv[1:] if args is None else args)
    app = None
    try:
        app = build(given[0] if given else None)
        show_warnings(flags_of(app, given))
        code = app(given or ["--help"], prog_name="braided", standalone_mode=False, obj=given)
    except (InputError, OSError) as error:
        message = one_line(error, flags_of(app, given))
    except USAGE_ERROR as error:
        message = usage(error)
    except typer.Abort:
        return INTERRUPTED
    else:
        return code if isinstance(code, int) else 0
    print(f"error: {message}", file=sys.stderr)
    return WRONG

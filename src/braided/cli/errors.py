"""Errors and warnings as single lines for people to read, with flags in place of arguments."""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import typer

from braided.errors import DataWarning, InputError

__all__ = [
    "USAGE_ERROR",
    "WARNINGS",
    "flags_of",
    "in_flags",
    "one_line",
    "show_warnings",
    "usage",
]

WARNINGS: list[str] = []
"""The warnings that were shown, in their order; the report has them, too."""

# Typer's own class for wrong options and arguments has no public name, but a public child.
USAGE_ERROR: Any = typer.BadParameter.__mro__[1]

# What braided.errors.argument writes, and a value that needs no quotes in a shell.
_ARGUMENT = re.compile(
    r"argument (?:'(?P<alone>\w+)'|(?P<name>\w+)=(?P<value>False|'[^']*'|\"[^\"]*\"))"
)
_PLAIN, _INSIDE = re.compile(r"'([\w.+-]+)'"), r"\1"


def one_line(error: Exception, flags: Mapping[str, str]) -> str:
    """Write the message of an error on one line.

    Parameters
    ----------
    error : Exception
        An error for people to read, or one of the system, which names the file it is about.
    flags : mapping
        The flag of each argument.

    Returns
    -------
    str
        The message.
    """
    if isinstance(error, OSError) and error.filename and error.strerror:
        return f"{error.filename}: {error.strerror}"
    message = in_flags(error, flags) if isinstance(error, InputError) else str(error)
    return " ".join(message.split())


def in_flags(error: InputError, flags: Mapping[str, str]) -> str:
    """Write a message with the flags of the command line in place of arguments.

    Parameters
    ----------
    error : InputError
        The error of a function of the library.
    flags : mapping
        The flag of each argument; an argument that has none is left as it is.

    Returns
    -------
    str
        The message.

    Examples
    --------
    >>> from braided.errors import InputError, argument
    >>> flags = {"null": "--null", "on_error": "--on-error"}
    >>> in_flags(InputError(f"'?' is no number ({argument('null', '?')})"), flags)
    "'?' is no number (--null '?')"
    >>> in_flags(InputError("on_error='x' is not allowed", argument="on_error"), flags)
    "--on-error='x' is not allowed"
    """

    def flag(found: re.Match[str]) -> str:
        if found["value"] == "False":
            return flags.get(f"no_{found['name']}", found[0])
        flag = flags.get(found["alone"] or found["name"])
        if flag is None:
            return found[0]
        return flag if found["alone"] else f"{flag} {_PLAIN.sub(_INSIDE, found['value'])}"

    message = _ARGUMENT.sub(flag, str(error))
    if error.argument is not None and message.startswith(f"{error.argument}="):
        message = flags.get(error.argument, error.argument) + message[len(error.argument) :]
    return message


def flags_of(app: Any, given: Sequence[str]) -> dict[str, str]:
    """Find the flags of the command that was run.

    Parameters
    ----------
    app : click.Group or None
        All commands; None if they could not be built.
    given : sequence of str
        The arguments, of which the first is the name of the command.

    Returns
    -------
    dict
        The flag of each of its options, by the name of the argument.
    """
    command = getattr(app, "commands", {}).get(given[0]) if given else None
    options = [] if command is None else command.params
    return {each.name: each.opts[0] for each in options if each.opts[0].startswith("--")}


def usage(error: Any) -> str:
    """Say what was wrong with the options, and where to read what is allowed.

    Parameters
    ----------
    error : click.UsageError
        What Typer raised.

    Returns
    -------
    str
        The message, on one line.
    """
    message = " ".join(error.format_message().split()).rstrip(".")
    context = error.ctx
    if context is None:
        return f"{message}; see 'braided --help'"
    commands = getattr(context.command, "commands", ())
    if commands and "command" in message:
        return f"{message}; choose one of {', '.join(commands)}"
    return f"{message}; see '{context.command_path} --help'"


def show_warnings(flags: Mapping[str, str]) -> None:
    """Show warnings about data as single lines on standard error, each once.

    Parameters
    ----------
    flags : mapping
        The flag of each argument of the command that runs.
    """
    WARNINGS.clear()
    usual = warnings.showwarning

    def show(message: Any, category: Any, *place: Any, **more: Any) -> None:
        if not issubclass(category, DataWarning):
            usual(message, category, *place, **more)
            return
        line = one_line(InputError(str(message)), flags)
        if line not in WARNINGS:
            WARNINGS.append(line)
            print(f"warning: {line}", file=sys.stderr)

    warnings.showwarning = show
    warnings.simplefilter("always", DataWarning)

"""Errors as one line for people to read."""

from __future__ import annotations

from typing import Any

import typer

__all__ = ["USAGE_ERROR", "one_line", "usage"]

# Typer's own class for wrong options and arguments has no public name, but a public child.
USAGE_ERROR: Any = typer.BadParameter.__mro__[1]


def one_line(error: Exception) -> str:
    """The message of an error, on one line; of the system's errors, which file it is about."""
    if isinstance(error, OSError) and error.filename and error.strerror:
        return f"{error.filename}: {error.strerror}"
    return " ".join(str(error).split())


def usage(error: Any) -> str:
    """What was wrong with the options or arguments, and where to read what is allowed."""
    message = " ".join(error.format_message().split()).rstrip(".")
    context = error.ctx
    if context is None:
        return f"{message}; see 'braided --help'"
    commands = getattr(context.command, "commands", ())
    if commands and "command" in message:
        return f"{message}; choose one of {', '.join(commands)}"
    return f"{message}; see '{context.command_path} --help'"

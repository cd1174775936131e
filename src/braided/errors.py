"""The errors of Braided, with messages for people."""

from __future__ import annotations

import warnings

__all__ = ["DataWarning", "InputError", "InputTypeError", "ModelFileError", "argument", "warn"]


class InputError(ValueError):
    """Data, a label or a parameter that is not allowed.

    The message says what was wrong, where (row, feature, value) and what is allowed. Whatever
    raised it has changed nothing: a model is as it was before the refused input.

    Parameters
    ----------
    message : str
        What was wrong.
    argument : str, optional
        The argument with the refused value, if the message begins with ``argument=value``. The
        command line shows its flag instead.
    """

    def __init__(self, message: str = "", *, argument: str | None = None) -> None:
        super().__init__(message)
        self.argument = argument


class InputTypeError(InputError, TypeError):
    """A value in an array or a table that is of no kind that could be a number.

    Parameters
    ----------
    message : str
        What was wrong.
    argument : str, optional
        The argument with the refused value, as in ``InputError``.
    """


class ModelFileError(InputError):
    """A file without a model, with a damaged model, or with another model than was asked for.

    The message names the file and says what is wrong with it. Nothing was loaded.

    Parameters
    ----------
    message : str
        What was wrong.
    argument : str, optional
        The argument with the refused value, as in ``InputError``.
    """


class DataWarning(UserWarning):
    """Data that can be learned, but may not be what was meant."""


def warn(message: str) -> None:
    """Warn of something in the data; the command line shows it as one line, with flags.

    Parameters
    ----------
    message : str
        What was seen, and what can be done about it.
    """
    warnings.warn(message, DataWarning, stacklevel=3)


def argument(name: str, value: str | bool | None = None) -> str:
    """Name an argument inside a message; the command line shows its flag instead.

    Parameters
    ----------
    name : str
        The argument of a function of this package.
    value : str or bool, optional
        The value to give.

    Returns
    -------
    str
        The words for the message.

    Examples
    --------
    >>> argument("null")
    "argument 'null'"
    >>> argument("null", "?")
    "argument null='?'"
    """
    return f"argument {name!r}" if value is None else f"argument {name}={value!r}"

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

    Examples
    --------
    >>> from braided import OLSF
    >>> model = OLSF()
    >>> try:
    ...     model.learn_one({"age": 31, "height": float("inf")}, "yes")
    ... except InputError as error:
    ...     print(str(error).partition(" (")[0])
    row 0, feature 'height': inf is not allowed
    >>> model.rounds
    0
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

    Examples
    --------
    >>> from braided import load
    >>> try:
    ...     load("pyproject.toml")
    ... except ModelFileError as error:
    ...     print(type(error).__name__)
    ModelFileError
    """


class DataWarning(UserWarning):
    """Data that can be learned, but may not be what was meant.

    Examples
    --------
    >>> import warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("error", DataWarning)  # as an error: nothing is overlooked
    ...     try:
    ...         warn("3 values of 'age' are no numbers")
    ...     except DataWarning as warning:
    ...         print(warning)
    3 values of 'age' are no numbers
    """


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

"""Optional imports with a clear error: packages that only reports need."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from braided.errors import InputError

__all__ = ["import_optional"]


def import_optional(module: str, purpose: str) -> Any:
    """Import a module of the extra ``report``.

    Parameters
    ----------
    module : str
        The name of the module.
    purpose : str
        What needs it, as the error begins.

    Returns
    -------
    module
        The module.

    Raises
    ------
    InputError
        If it is not installed; the message says how to install it.
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        package = module.partition(".")[0]
        if error.name is None or error.name.partition(".")[0] != package:
            raise  # the package is installed, and something else is wrong
        raise InputError(
            f"{purpose} needs {package}, which is not installed; "
            'install it with: pip install "braided[report]"'
        ) from None

"""The errors that Braided raises for people to read."""

from __future__ import annotations

__all__ = ["InputError", "ModelFileError"]


class InputError(ValueError):
    """Data, a label or a parameter that is not allowed.

    The message says what was wrong, where (row, feature, value) and what is allowed. Whatever
    raised it has changed nothing: a model is as it was before the refused input.
    """


class ModelFileError(InputError):
    """A file that holds no model, or not the one that was written to it, or not the one asked for.

    The message names the file and says what is wrong with it. Nothing was loaded.
    """

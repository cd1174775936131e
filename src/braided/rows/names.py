"""Names of features: any that differ and can be looked up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence

import numpy as np

from braided.errors import InputError

__all__ = ["NO_NAME", "check_names", "holds_nan", "own_names"]

NO_NAME = "NaN can not be the name of a feature: it is not equal to itself"


def own_names(names: Sequence[Hashable] | None, width: int) -> list[Hashable] | None:
    """The names that were given for the columns of an array, if any were."""
    if names is None:
        return None
    own: list[Hashable] = names.tolist() if hasattr(names, "tolist") else list(names)
    check_names(own, width)
    return own


def check_names(names: Sequence[Hashable], width: int) -> None:
    """Refuse names that are not one for each column, or not different from one another."""
    if len(names) != width:
        raise InputError(f"{len(names)} feature names for {width} columns")
    try:
        distinct = len(set(names))
    except TypeError as error:
        raise InputError(f"a feature name that can not be looked up ({error})") from None
    if holds_nan(names):
        raise InputError(NO_NAME)
    if distinct != width:
        twice = next(name for name, n in Counter(names).items() if n > 1)
        raise InputError(f"feature names must differ from one another: {twice!r} is there twice")


def holds_nan(names: Iterable[Hashable]) -> bool:
    """Whether NaN is among the names."""
    return any(isinstance(name, float | np.floating) and name != name for name in names)

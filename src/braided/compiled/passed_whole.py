"""Named tuples of this package reach a kernel as one value, not as all numbers in them.

Numba passes a tuple to a compiled function as all that is in it, one by one: seven numbers for each
array. The caller takes a state apart for each call, and the kernel puts it together again. After
all is optimised nothing is left of this, but for states of a hundred arrays it was half of what had
to be translated and optimised.

It depends on the type alone, so a caller and what it calls always agree. Types of other packages
are passed as Numba does it, since Numba may have compiled functions for them before.
"""

from __future__ import annotations

from typing import Any

from numba.core.datamodel import registry
from numba.core.datamodel.models import DataModel, TupleModel, UniTupleModel
from numba.core.types.containers import BaseNamedTuple, NamedTuple, NamedUniTuple

__all__ = ["install", "is_passed_whole"]

_PACKAGE = __name__.partition(".")[0]


def is_passed_whole(kind: Any) -> bool:
    """Whether a type is a named tuple of this package."""
    if not isinstance(kind, BaseNamedTuple):
        return False
    return str(kind.instance_class.__module__).partition(".")[0] == _PACKAGE


class _Whole(DataModel):  # type: ignore[misc]
    """How a named tuple is passed: as it is, if it is of this package."""

    def __init__(self, models: Any, kind: Any) -> None:
        super().__init__(models, kind)
        self.whole = is_passed_whole(kind)

    def get_argument_type(self) -> Any:
        """The type of what is passed."""
        return self.get_value_type() if self.whole else super().get_argument_type()

    def as_argument(self, builder: Any, value: Any) -> Any:
        """What is passed for a value."""
        return value if self.whole else super().as_argument(builder, value)

    def from_argument(self, builder: Any, value: Any) -> Any:
        """The value of what was passed."""
        return value if self.whole else super().from_argument(builder, value)


class _NamedTuple(_Whole, TupleModel):  # type: ignore[misc]
    """Of several types."""


class _NamedUniTuple(_Whole, UniTupleModel):  # type: ignore[misc]
    """Of one type."""


def install() -> None:
    """Let Numba pass them so; it must be done before a kernel is compiled."""
    registry.register_default(NamedTuple)(_NamedTuple)
    registry.register_default(NamedUniTuple)(_NamedUniTuple)

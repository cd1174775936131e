"""Braid: the default learner, without parameters to tune."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from braided.learners.braid.braid import Braid

__all__ = ["Braid"]


def __getattr__(name: str) -> Any:
    # The kernels of Braid are made when it is first used; until then experts can be added.
    if name == "Braid":
        from braided.learners.braid.braid import Braid

        return Braid
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

"""Everything that a model has learned, to be compared bit for bit."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from braided.learner.engine import Engine
from braided.learner.learner import Learner
from braided.learner.state import arrays

__all__ = ["Learned", "difference", "is_finite", "learned"]


class Bits(NamedTuple):
    """An array as it was."""

    dtype: str
    shape: tuple[int, ...]
    data: bytes

    def array(self) -> NDArray[Any]:
        """The array once more."""
        return np.frombuffer(self.data, self.dtype).reshape(self.shape)


Learned = dict[str, Bits | str]


def learned(model: Learner | Engine, prefix: str = "") -> Learned:
    """Copy what a model has learned: its state, its names and its labels.

    Parameters
    ----------
    model : Learner or Engine
        The model; engines inside of it are copied as well.
    prefix : str, optional
        What the name of each part begins with.

    Returns
    -------
    dict
        Each part by name. Two models have learned the same, bit for bit, if these are equal. It is
        empty before anything was learned.
    """
    engine = model if isinstance(model, Engine) else model.engine
    if engine is None:
        return {}
    parts: Learned = {
        f"{prefix}{path}": Bits(array.dtype.str, array.shape, array.tobytes())
        for path, array in engine.learned_arrays().items()
    }
    parts[f"{prefix}names of features"] = repr(engine.space.names)
    parts[f"{prefix}labels"] = repr(engine.labels.codes)
    for number, inside in enumerate(engine.inside()):
        parts |= learned(inside, f"{prefix}inside {number}: ")
    return parts


def difference(expected: Learned, found: Learned) -> tuple[str, str, str] | None:
    """Find the first part in which two models differ.

    Parameters
    ----------
    expected, found : dict
        What both have learned, see ``learned``.

    Returns
    -------
    tuple of three str, or None
        The part, as it should be, and as it is; None if all is the same, bit for bit.
    """
    for part in [*expected, *(part for part in found if part not in expected)]:
        one, other = expected.get(part, "nothing"), found.get(part, "nothing")
        if one == other:
            continue
        if isinstance(one, Bits) and isinstance(other, Bits) and one[:2] == other[:2]:
            first, second = one.array(), other.array()
            differs = first.view(np.uint8).reshape(*first.shape, -1)
            differs = (differs != second.view(np.uint8).reshape(*second.shape, -1)).any(axis=-1)
            place = tuple(int(i) for i in np.argwhere(differs)[0])
            where = f"{part}[{', '.join(map(str, place))}]"
            return where, repr(first[place].item()), repr(second[place].item())
        return part, _shown(one), _shown(other)
    return None


def is_finite(engine: Engine) -> bool:
    """Tell whether all numbers of a state are finite, those of engines inside as well.

    Parameters
    ----------
    engine : Engine
        What was learned.

    Returns
    -------
    bool
        False if a float of it is infinite or NaN.
    """
    own = all(np.isfinite(a).all() for a in arrays(engine.state) if a.dtype.kind == "f")
    return own and all(is_finite(inside) for inside in engine.inside())


def _shown(part: Bits | str) -> str:
    return part if isinstance(part, str) else f"{part.dtype} of shape {part.shape}"

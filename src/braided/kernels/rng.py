"""Random numbers with explicit state: SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).

One 64-bit word is the whole state, so that a model's randomness is saved, copied and resumed with
its other arrays.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from braided.compiled.jit import compiled

__all__ = ["as_uniform", "new_rng", "next_word", "scrambled", "uniform", "word_at"]

_STRIDE = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)


def new_rng(seed: int) -> NDArray[np.uint64]:
    """The state for a seed; neighbouring seeds give unrelated numbers."""
    return np.random.SeedSequence(seed).generate_state(1, np.uint64).astype(np.uint64)


@compiled
def uniform(rng: NDArray[np.uint64]) -> float:
    """The next number of [0, 1)."""
    return as_uniform(next_word(rng))


@compiled
def next_word(rng: NDArray[np.uint64]) -> np.uint64:
    """The next 64 bits."""
    rng[0] += _STRIDE
    return scrambled(rng[0])


@compiled
def word_at(rng: NDArray[np.uint64], position: int) -> np.uint64:
    """The 64 bits at a position of the stream from here on, which is not moved by asking."""
    return scrambled(rng[0] + _STRIDE * (np.uint64(position) + np.uint64(1)))


@compiled
def scrambled(z: np.uint64) -> np.uint64:
    """Neighbouring words become unrelated ones, different words different ones."""
    z = (z ^ (z >> np.uint64(30))) * _MIX_1
    z = (z ^ (z >> np.uint64(27))) * _MIX_2
    return z ^ (z >> np.uint64(31))


@compiled
def as_uniform(word: np.uint64) -> float:
    """64 bits as a number of [0, 1)."""
    return float(word >> np.uint64(11)) / 9007199254740992.0

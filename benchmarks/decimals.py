"""Decimals for the compiled parser: each must be Python's float of the same text, bit for bit.

``python -m benchmarks.fuzz 10000000 decimals``. What the parser leaves to Python is counted.
"""

from __future__ import annotations

import math
import random
import struct
from collections import Counter
from collections.abc import Callable, Sequence
from decimal import Context, Decimal

import numpy as np
from numpy.typing import NDArray

from braided.compiled.jit import cached_parser
from braided.readers.number_parser import Bytes, parse_number

BATCH = 50_000
EXACT = Context(prec=1100)


def _any_double(draws: random.Random) -> str:
    """A double of random bits, as Python prints it."""
    while not math.isfinite(number := struct.unpack("d", draws.randbytes(8))[0]):
        pass
    return repr(number)


def _digits(draws: random.Random) -> str:
    """Digits in any number, a point and an exponent, as people and programs may write them."""
    text = str(draws.getrandbits(draws.randrange(1, 76)))
    if draws.random() < 0.7:
        point = draws.randrange(len(text) + 1)
        text = f"{text[:point]}.{text[point:]}"
    if draws.random() < 0.1:
        text = (
            "0" * draws.randrange(1, 9) + text + ("0" * draws.randrange(9) if "." in text else "")
        )
    if draws.random() < 0.5:
        text += f"{draws.choice('eE')}{draws.choice(('', '+', '-'))}{draws.randrange(40)}"
    return draws.choice(("", "", "-", "+")) + text


def _long(draws: random.Random) -> str:
    """17 to 19 digits, with exponents up to both ends of what doubles can hold."""
    digits = draws.randrange(10 ** draws.randrange(16, 19), 10 ** draws.randrange(19, 20))
    return f"{digits}e{draws.randrange(-345, 300)}"


def _halfway_integer(draws: random.Random) -> str:
    """A whole number exactly between two doubles, or right next to it."""
    odd = 2 * draws.randrange(2**52, 2**53) + 1
    return str((odd << draws.randrange(11)) + draws.choice((-1, 0, 0, 1)))


def _nearly_halfway(draws: random.Random) -> str:
    """17 to 19 digits of a number that lies between two doubles, of any size."""
    bits = draws.getrandbits(52) | draws.randrange(1, 2046) << 52
    if draws.random() < 0.5:  # of a size that people use
        bits = draws.getrandbits(52) | draws.randrange(983, 1123) << 52
    one = struct.unpack("d", struct.pack("Q", bits))[0]
    other = math.nextafter(one, math.inf)
    if math.isinf(other):
        return repr(one)
    middle = EXACT.divide(EXACT.add(Decimal(one), Decimal(other)), Decimal(2))
    return f"{middle:.{draws.randrange(16, 19)}e}"


def _at_an_end(draws: random.Random) -> str:
    """Next to the ends of doubles, of subnormal ones, and of what the parser handles."""
    power = draws.choice(
        (-343, -324, -308, -307, -240, -220, -201, 23, 22, 100, 101, 120, 289, 308)
    )
    return f"{draws.getrandbits(draws.randrange(1, 65))}e{power + draws.randrange(-2, 3)}"


KINDS: tuple[Callable[[random.Random], str], ...] = (
    _any_double,
    _digits,
    _long,
    _halfway_integer,
    _nearly_halfway,
    _at_an_end,
)


@cached_parser
def _parse_all(data: Bytes, count: int) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """The numbers of texts, each followed by a newline, and which of them are plain."""
    numbers, plain = np.zeros(count), np.zeros(count, np.bool_)
    i = 0
    for number in range(count):
        is_plain, value, end = parse_number(data, i)
        while data[i] != 10:
            i += 1
        plain[number], numbers[number] = is_plain and end == i, value
        i += 1
    return numbers, plain


def check_decimals(texts: Sequence[str]) -> int:
    """How many of these were parsed; they are Python's numbers, to the last bit."""
    data = np.frombuffer("".join(f"{text}\n" for text in texts).encode(), np.uint8)
    found, plain = _parse_all(data, len(texts))
    expected = np.array([float(text) for text in texts])
    same = found.view(np.uint64) == expected.view(np.uint64)
    wrong = np.flatnonzero(plain & ~same)
    assert wrong.size == 0, [texts[i] for i in wrong[:10].tolist()]
    return int(plain.sum())


def fuzz_decimals(count: int, seed: int = 0) -> Counter[str]:
    """Parse so many decimals of all kinds."""
    draws, counts = random.Random(f"decimals {seed}"), Counter[str]()
    while counts["decimals"] < count:
        size = min(BATCH, count - counts["decimals"])
        texts = [draws.choice(KINDS)(draws) for _ in range(size)]
        counts["decimals"] += size
        counts["parsed"] += check_decimals(texts)
    counts["left to Python"] = counts["decimals"] - counts["parsed"]
    return counts

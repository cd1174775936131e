"""The compiled parser of decimal numbers, which all compiled readers share.

Numbers are those that Python's ``float`` makes of the same text, to the last bit: small ones as in
Clinger, How to read floating point numbers accurately (1990), the others as in Lemire, Number
parsing at a gigabyte per second (2021). What it is not sure of is left to Python.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from braided.compiled.jit import compiled

__all__ = ["Bytes", "parse_number"]

Bytes = NDArray[np.uint8]

MOST_DIGITS = 19  # that always fit into 64 bits
LOWEST_POWER, HIGHEST_POWER = -220, 120
"""The powers of ten that the parser can handle."""


def _powers_of_five() -> NDArray[np.uint64]:
    """The leading 128 bits of each power of five, rounded up where it is a fraction."""
    halves = []
    for power in range(LOWEST_POWER, HIGHEST_POWER + 1):
        if power >= 0:
            exact = 5**power
            bits = (exact << 128) >> exact.bit_length()
        else:
            divisor = 5**-power
            bits = (1 << (127 + divisor.bit_length())) // divisor + 1
        halves.append((bits >> 64, bits & (2**64 - 1)))
    return np.array(halves, np.uint64)


_FIVES = _powers_of_five()
_TENS = np.array([float(f"1e{power}") for power in range(23)])

_1, _2, _3, _9, _32, _64, _63 = (np.uint64(n) for n in (1, 2, 3, 9, 32, 64, 63))
_LOW = np.uint64(0xFFFFFFFF)
_WIDE = np.uint64(2**53)
_10, _48 = np.uint64(10), np.uint64(48)

PLUS, MINUS, POINT = b"+-."


@compiled
def _product(a: np.uint64, b: np.uint64) -> tuple[np.uint64, np.uint64]:
    """The high and the low half of the product of two numbers of 64 bits."""
    a_high, a_low, b_high, b_low = a >> _32, a & _LOW, b >> _32, b & _LOW
    low = a_low * b_low
    middle = a_high * b_low + (low >> _32)
    other = a_low * b_high + (middle & _LOW)
    return a_high * b_high + (middle >> _32) + (other >> _32), a * b


@compiled
def _times_power_of_ten(mantissa: np.uint64, power: int) -> float:
    """The double nearest to mantissa times ten to the power, by Lemire's algorithm."""
    zeros = np.uint64(0)
    for step in (np.uint64(32), np.uint64(16), np.uint64(8), np.uint64(4), _2, _1):
        if (mantissa >> (_64 - step)) == 0:
            mantissa <<= step
            zeros += step
    row = power - LOWEST_POWER
    high, low = _product(mantissa, _FIVES[row, 0])
    if (high & np.uint64(0x1FF)) == np.uint64(0x1FF):
        more, _ = _product(mantissa, _FIVES[row, 1])
        low += more
        if more > low:
            high += _1
    upper = high >> _63
    shift = upper + _9
    significand = high >> shift
    exponent = ((217706 * power) >> 16) + 63 + np.int64(upper) - np.int64(zeros) + 1023
    if (
        low <= _1
        and -4 <= power <= 23
        and (significand & _3) == _1
        and (significand << shift) == high
    ):  # exactly between two doubles: the even one
        significand -= _1
    significand = (significand + (significand & _1)) >> _1
    # It may have been rounded up to 2^53, which the sum carries over into the exponent.
    bits = ((np.uint64(exponent) - _1) << np.uint64(52)) + significand
    return np.uint64(bits).view(np.float64)


@compiled
def parse_number(data: Bytes, i: int) -> tuple[bool, float, int]:
    """Whether there is a plain number at i, the number, and where it ends."""
    negative = data[i] == MINUS
    if negative or data[i] == PLUS:
        i += 1
    start, mantissa = i, np.uint64(0)
    digit = np.uint64(data[i]) - _48
    while digit <= _9:
        mantissa = mantissa * _10 + digit
        i += 1
        digit = np.uint64(data[i]) - _48
    digits, power = i - start, 0
    if data[i] == POINT:
        i += 1
        after = i
        digit = np.uint64(data[i]) - _48
        while digit <= _9:
            mantissa = mantissa * _10 + digit
            i += 1
            digit = np.uint64(data[i]) - _48
        power = after - i
        digits -= power
    if digits == 0:
        return False, 0.0, i
    if digits > MOST_DIGITS:  # perhaps of zeros that lead
        while data[start] == _48 or data[start] == POINT:
            digits -= data[start] == _48
            start += 1
        if digits > MOST_DIGITS:
            return False, 0.0, i
    if data[i] | 32 == 101:  # an exponent
        i += 1
        below = data[i] == MINUS
        if below or data[i] == PLUS:
            i += 1
        exponent: Any = 0
        start = i
        digit = np.uint64(data[i]) - _48
        while digit <= _9 and exponent < 10_000:
            exponent = exponent * 10 + np.int64(digit)
            i += 1
            digit = np.uint64(data[i]) - _48
        if i == start:
            return False, 0.0, i
        power += -exponent if below else exponent
    if mantissa < _WIDE and -22 <= power <= 22:
        value: Any = np.float64(mantissa)
        value = value * _TENS[power] if power >= 0 else value / _TENS[-power]
    elif mantissa == 0:
        value = 0.0
    elif LOWEST_POWER <= power <= HIGHEST_POWER - MOST_DIGITS:
        value = _times_power_of_ten(mantissa, power)
    else:
        return False, 0.0, i
    return True, -value if negative else value, i

"""Eight bytes at a time, for compiled code that reads texts: a word has its first byte lowest."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

__all__ = ["ask_for", "first_bit", "folded_product", "load_word", "reversed_word", "store_word"]

_BYTE, _WORD, _FLAG = ir.IntType(8), ir.IntType(64), ir.IntType(32)
_TWO_WORDS = ir.IntType(128)
_UNALIGNED = 1


def _address(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """The address of an item of an array; the first two arguments are the array and the place."""
    kind, kind_of_place = signature.args[:2]
    array = context.make_array(kind)(context, builder, arguments[0])
    place = context.cast(builder, arguments[1], kind_of_place, types.intp)
    return cgutils.get_item_pointer(context, builder, kind, array, [place])


def _in_order(builder: Any, word: Any) -> Any:
    return word if sys.byteorder == "little" else builder.bswap(word)


@intrinsic  # type: ignore[untyped-decorator]
def load_word(typing_context: Any, data: Any, place: Any) -> Any:
    """The eight bytes from a place on, all of which must be there."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address = _address(context, builder, signature, arguments)
        address = builder.bitcast(address, _WORD.as_pointer())
        return _in_order(builder, builder.load(address, align=_UNALIGNED))

    return types.uint64(data, place), generate


@intrinsic  # type: ignore[untyped-decorator]
def store_word(typing_context: Any, data: Any, place: Any, word: Any) -> Any:
    """Write the eight bytes from a place on."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address = _address(context, builder, signature, arguments)
        address = builder.bitcast(address, _WORD.as_pointer())
        builder.store(_in_order(builder, arguments[2]), address, align=_UNALIGNED)
        return context.get_dummy_value()

    return types.void(data, place, types.uint64), generate


@intrinsic  # type: ignore[untyped-decorator]
def ask_for(typing_context: Any, array: Any, place: Any) -> Any:
    """Prefetch the cache line of an item: it is fetched while the processor computes."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address = _address(context, builder, signature, arguments)
        address = builder.bitcast(address, _BYTE.as_pointer())
        kind = ir.FunctionType(ir.VoidType(), [_BYTE.as_pointer(), _FLAG, _FLAG, _FLAG])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        builder.call(function, [address, _FLAG(0), _FLAG(3), _FLAG(1)])  # to read, keep, data
        return context.get_dummy_value()

    return types.void(array, place), generate


def _of_words(count: int, compute: Callable[..., Any]) -> Any:
    """An instruction on so many words."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return compute(builder, *arguments)

    signature = types.uint64(*[types.uint64] * count)
    return signature, generate


@intrinsic  # type: ignore[untyped-decorator]
def reversed_word(typing_context: Any, word: Any) -> Any:
    """The word with its first byte highest, so that words compare as texts do."""
    return _of_words(1, lambda builder, word: builder.bswap(word))


@intrinsic  # type: ignore[untyped-decorator]
def first_bit(typing_context: Any, word: Any) -> Any:
    """The number of the lowest bit that is set; 64 if none is."""
    return _of_words(1, lambda builder, word: builder.cttz(word, ir.Constant(ir.IntType(1), 0)))


@intrinsic  # type: ignore[untyped-decorator]
def folded_product(typing_context: Any, word: Any, other: Any) -> Any:
    """Both halves of the product of two words, one xor the other."""

    def fold(builder: Any, word: Any, other: Any) -> Any:
        wide = [builder.zext(each, _TWO_WORDS) for each in (word, other)]
        product = builder.mul(*wide)
        high = builder.lshr(product, _TWO_WORDS(64))
        return builder.xor(builder.trunc(product, _WORD), builder.trunc(high, _WORD))

    return _of_words(2, fold)

"""Python's C API in compiled code: objects are addresses, and functions hold the GIL.

Compiled functions can so read a dict or a list without a Python object per item. They run no Python
code and call documented functions only; the one thing that they must know is where an object has
its type (``WORKS`` tells whether that is so in this Python).
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array

from braided.compiled.jit import kept_on_disk, named_by_sources

__all__ = [
    "WORKS",
    "as_float",
    "as_int",
    "bytes_at",
    "clear_error",
    "compare_texts",
    "failed",
    "int_at",
    "item_of_dict",
    "item_of_list",
    "next_item",
    "type_of",
    "utf8_of",
    "with_gil",
]

_TYPE_OFFSET = 8  # bytes from the beginning of an object to the address of its type


def _has_type_at_offset(value: object) -> bool:
    """Whether the type of an object is where the compiled code looks for it."""
    found = ctypes.c_void_p.from_address(id(value) + _TYPE_OFFSET).value
    return found == id(type(value)) and ctypes.sizeof(ctypes.c_void_p) == 8


WORKS = all(map(_has_type_at_offset, (1.5, 12345, "text")))

_address = types.intp
next_item = types.ExternalFunction(
    "PyDict_Next", types.intc(_address, _address, _address, _address)
)
item_of_dict = types.ExternalFunction("PyDict_GetItemWithError", _address(_address, _address))
item_of_list = types.ExternalFunction("PyList_GetItem", _address(_address, types.intp))
as_float = types.ExternalFunction("PyFloat_AsDouble", types.float64(_address))
as_int = types.ExternalFunction("PyLong_AsSsize_t", types.intp(_address))
compare_texts = types.ExternalFunction("PyUnicode_Compare", types.intc(_address, _address))
utf8_of = types.ExternalFunction("PyUnicode_AsUTF8AndSize", _address(_address, _address))
"""The address of the UTF-8 bytes of a text, 0 if it has none; the size is written to an address."""
failed = types.ExternalFunction("PyErr_Occurred", _address())
clear_error = types.ExternalFunction("PyErr_Clear", types.void())


@intrinsic  # type: ignore[untyped-decorator]
def type_of(context: Any, address: Any) -> Any:
    """The address of the type of an object."""

    def generate(_: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = builder.add(arguments[0], ir.Constant(ir.IntType(64), _TYPE_OFFSET))
        return builder.load(builder.inttoptr(place, ir.IntType(64).as_pointer()))

    return types.int64(types.int64), generate


@intrinsic  # type: ignore[untyped-decorator]
def int_at(context: Any, address: Any) -> Any:
    """The int64 at an address."""

    def generate(_: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.load(builder.inttoptr(arguments[0], ir.IntType(64).as_pointer()))

    return types.int64(types.int64), generate


@intrinsic  # type: ignore[untyped-decorator]
def bytes_at(context: Any, address: Any, size: Any) -> Any:
    """The bytes at an address, as an array that nobody owns."""
    kind = types.Array(types.uint8, 1, "C")

    def generate(code: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array, one = code.make_array(kind)(code, builder), code.get_constant(types.intp, 1)
        data = builder.inttoptr(arguments[0], ir.IntType(8).as_pointer())
        populate_array(array, data, [arguments[1]], [one], one, meminfo=None)
        return array._getvalue()

    return kind(types.int64, types.int64), generate


def with_gil(function: Callable[..., Any]) -> Any:
    """Compile a function that uses Python's C API, and cache it on disk."""
    named = named_by_sources(function)
    return kept_on_disk(named, _nrt=False, no_cfunc_wrapper=True, error_model="numpy")

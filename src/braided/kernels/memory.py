"""Memory inside a kernel: vectors on the stack, and prefetching of cache lines.

Kernels allocate nothing on the heap. A vector on the stack belongs to one call: it leaves the state
alone, and threads do not share it. A prefetched line is fetched while the processor computes.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array

__all__ = ["MOST_ON_STACK", "prefetch", "vector_on_stack"]

MOST_ON_STACK = 1024
"""The largest size of a vector: 8 KB, which every thread's stack has to spare."""

_ITEM_BYTES = 8


def _vector_on_stack(typing_context: Any, size: Any) -> Any:
    """A vector of at most MOST_ON_STACK floats, not set to anything.

    It is gone when the function that asked for it returns.
    """
    vector = types.Array(types.float64, 1, "C")

    def reserve(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        item = context.get_data_type(types.float64)
        data = cgutils.alloca_once(builder, item, size=MOST_ON_STACK)
        array = make_array(vector)(context, builder)
        item_bytes = context.get_constant(types.intp, _ITEM_BYTES)
        populate_array(
            array,
            data=data,
            shape=[context.cast(builder, arguments[0], size, types.intp)],
            strides=[item_bytes],
            itemsize=item_bytes,
            meminfo=None,
        )
        return array._getvalue()

    return vector(size), reserve


vector_on_stack: Any = intrinsic(_vector_on_stack)


_READ, _KEEP, _DATA = 0, 3, 1


def _prefetch(typing_context: Any, table: Any, record: Any, field: Any) -> Any:
    """Ask for the cache line that holds a field of a record of a table."""

    def ask(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(table)(context, builder, arguments[0])
        places = [
            context.cast(builder, place, kind, types.intp)
            for place, kind in zip(arguments[1:], (record, field), strict=True)
        ]
        item = cgutils.get_item_pointer(context, builder, table, array, places)
        byte = ir.IntType(8)
        address = builder.bitcast(item, byte.as_pointer())
        flag = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [byte.as_pointer(), flag, flag, flag])
        name = "llvm.prefetch.p0"
        function = cgutils.get_or_insert_function(builder.module, kind, name)
        builder.call(function, [address, flag(_READ), flag(_KEEP), flag(_DATA)])
        return context.get_dummy_value()

    return types.void(table, record, field), ask


prefetch: Any = intrinsic(_prefetch)

"""To ask for memory before it is needed: the processor fetches it while it computes."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

__all__ = ["prefetch"]

_READ, _KEEP, _DATA = 0, 3, 1


def _prefetch(typing_context: Any, table: Any, record: Any) -> Any:
    """Ask for the cache line in which a record of a table begins."""

    def ask(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(table)(context, builder, arguments[0])
        number = context.cast(builder, arguments[1], record, types.intp)
        stride = cgutils.unpack_tuple(builder, array.strides)[0]
        byte = ir.IntType(8)
        start = builder.bitcast(array.data, byte.as_pointer())
        address = builder.gep(start, [builder.mul(number, stride)])
        flag = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [byte.as_pointer(), flag, flag, flag])
        name = "llvm.prefetch.p0"
        function = cgutils.get_or_insert_function(builder.module, kind, name)
        builder.call(function, [address, flag(_READ), flag(_KEEP), flag(_DATA)])
        return context.get_dummy_value()

    return types.void(table, record), ask


prefetch: Any = intrinsic(_prefetch)

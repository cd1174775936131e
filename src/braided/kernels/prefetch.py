"""To ask for memory before it is needed: the processor fetches it while it computes."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

__all__ = ["prefetch"]

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

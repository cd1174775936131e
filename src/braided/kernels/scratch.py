"""Room for a vector while a kernel runs, on the stack: kernels allocate nothing on the heap.

Being the call's own, it leaves the state alone, and threads do not meet in it.
"""

from __future__ import annotations

from typing import Any

from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array

__all__ = ["MOST_ON_STACK", "vector_on_stack"]

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

"""How kernels are translated to LLVM: as Numba does it, with less to optimise away again.

Numba keeps a variable that several blocks use in memory: it is written at its assignment, read at
each use, and overwritten with zeros where it ends, so that its references can be counted. A kernel
counts no references (``_nrt=False``), and a state of a hundred arrays is a long value to write and
read. What is assigned once, at the start of a kernel, is therefore kept as a value.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from numba.core import ir
from numba.core.analysis import must_use_alloca
from numba.core.compiler_machinery import register_pass
from numba.core.lowering import Lower
from numba.core.typed_passes import NativeLowering

__all__ = ["LeanLowering"]


class _Lean(Lower):  # type: ignore[misc]
    """Translates a function."""

    def init(self) -> None:
        """Find the variables that are assigned once, at the start: they are values."""
        super().init()
        self.lasting: set[str] = set()
        self.values: dict[str, Any] = {}
        if self.context.enable_nrt or self.func_ir.func_id.is_generator or self.flags.debuginfo:
            return
        assigned = Counter(
            statement.target.name
            for block in self.blocks.values()
            for statement in block.find_insts(ir.Assign)
        )
        in_memory = must_use_alloca(self.blocks)
        for statement in self.blocks[min(self.blocks)].find_insts(ir.Assign):
            name = statement.target.name
            if assigned[name] == 1 and name not in in_memory:
                self.lasting.add(name)

    def storevar(self, value: Any, name: str, argidx: int | None = None) -> None:
        """Assign a variable."""
        if name in self.lasting:
            self.values[name] = value
        else:
            super().storevar(value, name, argidx)

    def loadvar(self, name: str) -> Any:
        """The value of a variable."""
        return self.values[name] if name in self.values else super().loadvar(name)

    def delvar(self, name: str) -> None:
        """End a variable: nothing has to be done if references are not counted."""
        if self.context.enable_nrt:
            super().delvar(name)


@register_pass(mutates_CFG=True, analysis_only=False)
class LeanLowering(NativeLowering):  # type: ignore[misc]
    """The step of Numba's compiler."""

    _name = "braided_lowering"

    @property
    def lowering_class(self) -> Any:
        """What translates."""
        return _Lean

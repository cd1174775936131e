"""Kernels as parts of loops: compiled when a loop is, optimised only there.

Numba makes each function ready to run: it optimises it with all that it calls, and generates
machine code. A kernel that is called by kernels that are called by a loop would be optimised at
each level; for Braid that took half of the compile time. A part is typed and translated as usual,
and then only linked into what calls it.

This replaces steps of Numba's class for compiled code that Numba does not document. Where they are
missing, kernels are compiled as Numba does it, which takes longer.
"""

from __future__ import annotations

from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.environment import lookup_environment
from numba.core.types.containers import BaseNamedTuple

from braided.compiled.notice import compiling

__all__ = ["PART", "WHOLE"]

_ENVIRONMENT = "_ZN08NumbaEnv"  # how Numba begins the name of a function's environment


class _NoEngine:
    """Stands for the engine that runs compiled code, in which parts are not loaded."""

    def set_env(self, name: str, environment: Any) -> None:
        """Do nothing: ``_WholeCompiler`` does it, when the code is loaded."""


class _PartLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The code of a part."""

    codegen = _NoEngine()

    def _optimize_final_module(self) -> None:
        """Leave it to the loop: its optimisation sees the parts and their callers together."""

    def _finalize_final_module(self) -> None:
        """Make the code ready to be linked; it is not loaded."""
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """Return 0, as Numba does for a function that Python can not call."""
        if not self._finalized:
            self.finalize()
        return 0


class _PartCompiler(Compiler):  # type: ignore[misc]
    """Compiles a part."""

    def __init__(self, typing: Any, target: Any, library: Any, *rest: Any) -> None:
        super().__init__(typing, target, _PartLibrary(target.codegen(), "part"), *rest)


class _WholeCompiler(Compiler):  # type: ignore[misc]
    """Compiles a function that Python calls, and gives its parts what they need to print."""

    def compile_extra(self, function: Any) -> Any:
        """Compile a function."""
        with compiling(_title(function, self.state.args)):
            result = super().compile_extra(function)
        some = next(iter(result.library.get_defined_functions()))
        for variable in some.module.global_variables:
            if variable.name.startswith(_ENVIRONMENT):
                environment = lookup_environment(variable.name)
                if environment is not None:
                    result.codegen.set_env(variable.name, environment)
        return result


_ROOMS = {"readers": "the reader of files", "features": "the table of names"}


def _title(function: Any, types: Any) -> str:
    """What is being compiled, for people: the learner, the room, or the function."""
    package, _, room = function.__module__.rpartition(".")[0].partition(".")
    if package == "braided" and room in _ROOMS:
        return _ROOMS[room]
    for each in types or ():
        if isinstance(each, BaseNamedTuple):
            state = each.instance_class
            name, path = state.__name__.removesuffix("State"), state.__module__.split(".")
            family = path[2] if path[:2] == ["braided", "learners"] else ""
            return name if family in name.lower() else f"{family} ({name})"
    return str(function.__name__.strip("_").replace("_", " "))


_USED = ("_optimize_final_module", "_finalize_final_module")
_WORKS = all(hasattr(JITCodeLibrary, name) for name in _USED)

PART: dict[str, Any] = {"pipeline_class": _PartCompiler} if _WORKS else {}
"""Options for Numba that make a function a part."""

WHOLE: dict[str, Any] = {"pipeline_class": _WholeCompiler} if _WORKS else {}
"""Options for Numba that make a function of parts."""

"""Kernels as parts of loops: compiled when a loop is, optimised only there.

Numba makes each function ready to run: it optimises it with all that it calls, and generates
machine code. A kernel that is called by kernels that are called by a loop would be optimised at
each level; for Braid that took half of the compile time. A part is typed and translated as usual,
and then only linked into the loop, once.

This replaces steps of Numba's class for compiled code that Numba does not document. Where they are
missing, kernels are compiled as Numba does it, which takes longer.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import llvmlite.binding as llvm
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.environment import lookup_environment
from numba.core.typed_passes import NativeLowering
from numba.core.types.containers import BaseNamedTuple

from braided.compiled import passed_whole
from braided.compiled.lowering import LeanLowering
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
    _with_parts: Any = None

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.called: list[Any] = []

    def add_linking_library(self, library: Any) -> None:
        """Note what this part calls."""
        super().add_linking_library(library)
        self.called.append(library)

    def _optimize_functions(self, module: Any) -> None:
        """Only make the code small, so that less is linked and optimised in the loop."""
        if not _CAN_SHRINK:
            super()._optimize_functions(module)
            return
        passes = llvm.create_new_module_pass_manager()
        passes.add_sroa_pass()
        passes.add_instruction_combine_pass()
        passes.add_simplify_cfg_pass()
        passes.run(module, _pass_builder())

    def finalize(self) -> None:
        """Make the code ready to be linked; it is neither optimised nor loaded."""
        self._finalized = True

    def own_module(self) -> Any:
        """The code without that of the parts it calls."""
        return super()._get_module_for_linking()

    def _get_module_for_linking(self) -> Any:
        """The code with that of all parts it calls, each linked once."""
        if self._with_parts is None:
            module = self.own_module().clone()
            for library in _called_by(self):
                part = isinstance(library, _PartLibrary)
                own = library.own_module() if part else library._get_module_for_linking()  # noqa: SLF001 - of Numba
                module.link_in(own, preserve=True)
            self._with_parts = module
        return self._with_parts

    def get_pointer_to_function(self, name: str) -> int:
        """Return 0, as Numba does for a function that Python can not call."""
        if not self._finalized:
            self.finalize()
        return 0


def _pass_builder() -> Any:
    return llvm.create_pass_builder(_any_machine(), llvm.create_pipeline_tuning_options())


@lru_cache(maxsize=1)
def _any_machine() -> Any:
    """A machine, which LLVM asks what is cheap."""
    return llvm.Target.from_default_triple().create_target_machine()


def _called_by(library: Any) -> dict[Any, None]:
    """All libraries that a part calls, and those that these call."""
    found: dict[Any, None] = {}
    ahead = [library]
    while ahead:
        for each in ahead.pop().called:
            if each not in found:
                found[each] = None
                if isinstance(each, _PartLibrary):
                    ahead.append(each)
    return found


class _LeanCompiler(Compiler):  # type: ignore[misc]
    """Compiles as Numba does, but for the translation."""

    def define_pipelines(self) -> Any:
        """The steps."""
        pipelines = super().define_pipelines()
        for pipeline in pipelines:
            pipeline.passes = [
                (LeanLowering, about) if step is NativeLowering else (step, about)
                for step, about in pipeline.passes
            ]
            pipeline.finalize()
        return pipelines


class _PartCompiler(_LeanCompiler):
    """Compiles a part."""

    def __init__(self, typing: Any, target: Any, library: Any, *rest: Any) -> None:
        super().__init__(typing, target, _PartLibrary(target.codegen(), "part"), *rest)


class _WholeCompiler(_LeanCompiler):
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


_USED = ("_optimize_functions", "_get_module_for_linking", "finalize")
_CAN_SHRINK = hasattr(llvm, "create_pass_builder")  # else llvmlite is old
_WORKS = all(hasattr(JITCodeLibrary, name) for name in _USED)

passed_whole.install()

PART: dict[str, Any] = {"pipeline_class": _PartCompiler} if _WORKS else {}
"""Options for Numba that make a function a part."""

WHOLE: dict[str, Any] = {"pipeline_class": _WholeCompiler} if _WORKS else {}
"""Options for Numba that make a function of parts."""

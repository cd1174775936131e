"""What numpydoc finds wrong with the docstrings of public classes, functions and methods.

``python -m tests.support.docstrings`` prints all of it.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from types import FunctionType
from typing import Any

from numpydoc.docscrape import get_doc_object
from numpydoc.validate import Validator, validate

from braided.learner import algorithm

# What users import from, and what authors of learners read.
MODULES = (
    "braided",
    "braided.checks",
    "braided.compose",
    "braided.datasets",
    "braided.evaluate",
    "braided.learner.algorithm",
    "braided.model_files",
    "braided.readers",
    "braided.registry",
    "braided.report",
    "braided.streams",
)

# Not asked: a first word in the imperative (a noun phrase will do), an extended summary, examples
# everywhere, "See Also".
ASKED = {
    "GL01",  # text starts in the line of the quotes
    "GL03",  # no two blank lines
    "GL06",  # sections that numpydoc knows
    "GL07",  # in its order
    "GL08",  # a docstring at all
    "GL10",  # directives with two colons
    "SS01",  # a summary
    "SS02",  # that starts with a capital
    "SS03",  # ends with a period
    "SS06",  # and is one line
    "PR01",  # every parameter is documented
    "PR02",  # and no other
    "PR03",  # in the order of the signature
    "PR04",  # with its type
    "PR05",  # which ends without a period
    "PR06",  # and is called as in Python
    "PR07",  # with a description
    "PR08",  # that starts with a capital
    "PR09",  # and ends with a period
    "PR10",  # with a space before the colon
    "RT01",  # what is returned
    "RT03",  # with a description
    "RT04",  # that starts with a capital
    "RT05",  # and ends with a period
    "YD01",  # the same for what is yielded
}

# A method that does what the class above it, or a protocol, says need not say it again.
SAID_ABOVE = {"GL08", "PR01", "PR03", "RT01", "YD01"}


def public() -> dict[str, Any]:
    """Every public class and function, and the public methods that these have, by name.

    A name tells the room and not the file: ``braided.learners.OLSF``.
    """
    found: dict[str, Any] = {}
    for module in (import_module(name) for name in MODULES if find_spec(name)):
        for name in module.__all__:
            thing = getattr(module, name)
            if inspect.isclass(thing):
                found.update(_named(thing))
                for kind in thing.__mro__:
                    found.update(_methods(kind))
            elif inspect.isfunction(thing):
                found.update(_named(thing))
    return {name: found[name] for name in sorted(found)}


def faults(thing: Any) -> dict[str, str]:
    """What is wrong with a docstring, by numpydoc's code."""
    asked = ASKED - SAID_ABOVE if _is_said_above(thing) else ASKED
    if inspect.isclass(thing) and issubclass(thing, Exception) and "__init__" not in vars(thing):
        asked = asked - {"PR01"}  # nobody but the package makes one
    found = validate(thing, validator_cls=_Checked)["errors"]
    return {code: text for code, text in found if code in asked}


def _methods(kind: type) -> Iterator[tuple[str, Any]]:
    for name, member in vars(kind).items():
        member = getattr(member, "__func__", member)  # of a class method or a static one
        if not name.startswith("_") and isinstance(member, (property, FunctionType)):
            yield from _named(member)


def _named(thing: Any) -> Iterator[tuple[str, Any]]:
    function = _function(thing)
    if function.__module__.startswith("braided."):
        room = ".".join(function.__module__.split(".")[:2])
        yield f"{room}.{function.__qualname__}", thing


def _function(thing: Any) -> Any:
    return thing.fget if isinstance(thing, property) else thing


def _is_said_above(thing: Any) -> bool:
    """Whether this is a method that a class above its own, or an optional protocol, documents."""
    function = _function(thing)
    owner, _, method = function.__qualname__.rpartition(".")
    kind = vars(import_module(function.__module__)).get(owner)
    if not inspect.isclass(kind):
        return False
    protocols = [vars(algorithm)[each] for each in algorithm.__all__]
    above = (*kind.__mro__[1:], *(protocol for protocol in protocols if protocol is not kind))
    return any(
        getattr(vars(each).get(method), "__doc__", None)
        for each in above
        if each.__module__.startswith("braided.")  # what river says is there only if river is
    )


class _Checked(Validator):
    """Knows what returns something from its annotation, and that a record has attributes."""

    def __init__(self, obj_name: Any) -> None:
        super().__init__(get_doc_object(obj_name, config={"show_class_members": False}))

    @property
    def signature_parameters(self) -> tuple[str, ...]:
        # Classes without parameters have these two from object, or from Protocol.
        found: tuple[str, ...] = super().signature_parameters
        return () if inspect.isclass(self.obj) and found == ("*args", "**kwargs") else found

    @property
    def doc_all_parameters(self) -> dict[str, tuple[str, list[str]]]:
        """A record may call what it is made of Attributes: it is read more often than made."""
        found: dict[str, tuple[str, list[str]]] = dict(super().doc_all_parameters)
        if dataclasses.is_dataclass(self.obj) or hasattr(self.obj, "_fields"):
            fields = self.signature_parameters
            for names, kind, text in self.doc["Attributes"]:
                found |= {name: (kind, text) for name in names.split(", ") if name in fields}
        return found

    @property
    def method_returns_something(self) -> bool:
        answer = getattr(self.obj, "__annotations__", {}).get("return")
        return answer not in (None, "None", "NoReturn") and not self.is_generator_function


if __name__ == "__main__":
    for each, found in public().items():
        codes = sorted(faults(found))
        if codes:
            print(each, *codes)

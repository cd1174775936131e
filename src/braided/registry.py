"""The learners by name: one line each.

The command line, the docs' table and the generic tests read this list. It names classes without
importing them: the command line shows its help before Numba is loaded.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from importlib import import_module
from typing import TYPE_CHECKING, Any

from braided.errors import InputError
from braided.parameters import check_choice

if TYPE_CHECKING:
    from braided.learner.learner import Learner

__all__ = [
    "COMPOSITES",
    "DEFAULT",
    "ENTRIES",
    "MANY_CLASSES",
    "Entry",
    "completed",
    "create",
    "find",
    "homes",
    "names",
    "parameters",
]


@dataclass(frozen=True)
class Entry:
    """A name, the class behind it (``"module:Class"``) and the parameters that the name settles.

    An alias belongs to the family whose head it names.
    """

    name: str
    home: str
    description: str
    preset: Mapping[str, Any] = field(default_factory=dict)
    alias_of: str | None = None


_OLSF = "braided.learners.olsf:OLSF"
_OFS = "braided.learners.ofs"
_OFSP = f"{_OFS}:OFSPartial"
_SOL = "braided.learners.sol"
_FOBOS = "braided.learners.fobos"
_ADAPTIVE = "braided.learners.adaptive"
_OCO = "braided.learners.oco:OCO"
_GLSC = "braided.learners.glsc:GLSC"
_FESL = "braided.learners.fesl:FESL"
_BRAID = "braided.learners.braid:Braid"

_READS_AT_RANDOM = {"exploration": 1.0, "update": "perceptron", "step": 1.0, "radius": math.inf}
_KEEPS_AT_RANDOM = {**_READS_AT_RANDOM, "selection": "random"}

ENTRIES = (
    Entry("braid", _BRAID, "No knobs: six experts on three views of a value, mixed twice"),
    Entry("olsf", _OLSF, "Passive-aggressive, for a growing space; Zhang et al. 2016"),
    Entry("olsf-i", _OLSF, "OLSF with limited steps", {"variant": "I"}, "olsf"),
    Entry("olsf-ii", _OLSF, "OLSF with softened steps", {"variant": "II"}, "olsf"),
    Entry("stsd", _OLSF, "OLSF with full steps; Zhang et al. 2015", {"variant": "hard"}, "olsf"),
    Entry("stsd-i", _OLSF, "OLSF-I under its first name", {"variant": "I"}, "olsf"),
    Entry("stsd-ii", _OLSF, "OLSF-II under its first name", {"variant": "II"}, "olsf"),
    Entry("ofs", f"{_OFS}:OFS", "Gradient steps, the largest weights kept; Wang et al. 2014"),
    Entry("petrun", f"{_OFS}:PETrun", "Perceptron, the largest weights kept; Wang et al. 2014"),
    Entry("rand", f"{_OFS}:RAND", "Perceptron, random weights kept; Wang et al. 2014"),
    Entry("ofsp", _OFSP, "OFS that reads few features of a row; Wang et al. 2014"),
    Entry("ofsrand", _OFSP, "OFS_P that always explores", {"exploration": 1.0}, "ofsp"),
    Entry("perand", _OFSP, "Perceptron that reads at random", _READS_AT_RANDOM, "ofsp"),
    Entry("randp", _OFSP, "PE_rand that keeps at random", _KEEPS_AT_RANDOM, "ofsp"),
    Entry("fsol", f"{_SOL}:FSOL", "First-order sparse online learning; Wang et al. 2014"),
    Entry("ssol", f"{_SOL}:SSOL", "Second-order sparse online learning; Wang et al. 2014"),
    Entry("stg", f"{_FOBOS}:STG", "Truncated gradient; Langford et al. 2009"),
    Entry("fobos", f"{_FOBOS}:FOBOS", "Forward-backward splitting; Duchi and Singer 2009"),
    Entry("ada-fobos", f"{_ADAPTIVE}:AdaFOBOS", "FOBOS with adaptive steps; Duchi et al. 2011"),
    Entry("ada-rda", f"{_ADAPTIVE}:AdaRDA", "Dual averaging, adaptive steps; Duchi et al. 2011"),
    Entry("oco", _OCO, "Gradient descent on what is observed, logistic loss; Zinkevich 2003"),
    Entry("glsc", _GLSC, "Reconstructs what is not observed; He et al. 2020"),
    Entry("fesl", _FESL, "Recovers features that gave way to new ones; Hou et al. 2017"),
)


DEFAULT = "braid"
"""The learner of those who do not choose one: it has nothing to choose."""

MANY_CLASSES = {
    "rest": "braided.compose.one_vs_rest:OneVsRest",
    "one": "braided.compose.one_vs_one:OneVsOne",
}
"""What tells more than two labels apart: a learner for each against the rest, or for each pair."""

COMPOSITES = (
    *MANY_CLASSES.values(),
    "braided.compose.pseudo_label:PseudoLabel",
    "braided.compose.scaled:Scaled",
)
"""The classes that are made of a learner."""


def homes() -> list[str]:
    """All classes, as ``"module:Class"``."""
    return [*dict.fromkeys(entry.home for entry in ENTRIES), *COMPOSITES]


def names() -> list[str]:
    """All names, aliases included, each family together.

    Examples
    --------
    >>> names()[:3]
    ['braid', 'olsf', 'olsf-i']
    """
    return [entry.name for entry in ENTRIES]


def find(name: str) -> Entry:
    """The entry of this name."""
    for entry in ENTRIES:
        if entry.name == name:
            return entry
    raise InputError(_unknown("learner", name, names()))


def parameters(name: str) -> dict[str, Any]:
    """The parameters of this learner, with their defaults."""
    entry = find(name)
    signature = inspect.signature(_class(entry.home))
    defaults = {p.name: p.default for p in signature.parameters.values()}
    return {**defaults, **entry.preset}


def create(name: str, many_classes: str | None = None, /, **chosen: Any) -> Learner:
    """A new learner, for two labels or for many (one of ``MANY_CLASSES``).

    Examples
    --------
    >>> create("olsf-ii", budget=0.1)
    OLSF(budget=0.1, variant='II')
    >>> create("olsf-ii", "rest")
    OneVsRest(learner=OLSF(variant='II'))
    """
    entry = find(name)
    known = parameters(name)
    for parameter, value in chosen.items():
        if parameter not in known:
            raise InputError(f"{name}: {_unknown('parameter', parameter, list(known))}")
        if parameter in entry.preset and value != entry.preset[parameter]:
            raise InputError(
                f"{name} means {parameter}={entry.preset[parameter]!r}: "
                f"use {entry.alias_of} to choose another"
            )
    learner: Learner = _class(entry.home)(**{**entry.preset, **chosen})
    if many_classes is None:
        return learner
    check_choice("many_classes", many_classes, tuple(MANY_CLASSES))
    of_many: Learner = _class(MANY_CLASSES[many_classes])(learner)
    return of_many


def completed(name: str, chosen: Mapping[str, Any], *, seed: int, delay: int = 0) -> dict[str, Any]:
    """The parameters that were chosen, and those that follow from how the learner is run.

    Who draws gets the run's seed; who remembers labels does without them where they come late.

    Examples
    --------
    >>> completed("braid", {}, seed=1, delay=10), completed("oco", {"step": 5}, seed=1)
    ({'seed': 1, 'label_memory': False}, {'step': 5})
    """
    known = parameters(name)
    following = {"seed": seed} if "seed" in known else {}
    if delay and "label_memory" in known:
        following["label_memory"] = False
    return {**following, **chosen}


def _class(home: str) -> Any:
    module, _, name = home.partition(":")
    return getattr(import_module(module), name)


def _unknown(kind: str, name: str, allowed: list[str]) -> str:
    close = get_close_matches(name.lower(), allowed, n=1)
    hint = f" (did you mean {close[0]!r}?)" if close else ""
    return f"no {kind} {name!r}{hint}: choose one of {', '.join(allowed)}"

"""The learners: one entry for each name, and how a learner is made from its name.

Classes are named without importing them: the command line shows its help before Numba is loaded.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from braided.errors import InputError
from braided.parameters import check_choice
from braided.registry.table import Home, Table, resolve, unknown

if TYPE_CHECKING:
    from braided.learner.learner import Learner

__all__ = [
    "COMPOSITES",
    "DEFAULT",
    "LEARNERS",
    "MANY_CLASSES",
    "WRAPPERS",
    "LearnerEntry",
    "classes",
    "completed",
    "create",
    "parameters",
]


@dataclass(frozen=True)
class LearnerEntry:
    """A learner by name.

    Parameters
    ----------
    name : str
        Its name, as in ``--learner olsf``.
    home : str or class
        The class, as ``"module:Class"`` or itself.
    about : str
        What it is, in a few words.
    preset : mapping, default {}
        Parameters that the name settles.
    alias_of : str, optional
        The name of the learner that this is a preset of.

    Examples
    --------
    >>> home = "braided.learners.olsf:OLSF"
    >>> LearnerEntry("olsf-10", home, "OLSF with ten features", {"budget": 10}).class_name
    'OLSF'
    """

    name: str
    home: Home
    about: str
    preset: Mapping[str, Any] = field(default_factory=dict)
    alias_of: str | None = None

    @property
    def class_name(self) -> str:
        """The name of the class."""
        return self.home.partition(":")[2] if isinstance(self.home, str) else self.home.__name__


_OLSF = "braided.learners.olsf:OLSF"
_OFS = "braided.learners.ofs"
_OFSP = f"{_OFS}:OFSPartial"
_SOL = "braided.learners.sol"
_FOBOS = "braided.learners.fobos"
_ADAGRAD = "braided.learners.adagrad"
_OCO = "braided.learners.oco:OCO"
_GLSC = "braided.learners.glsc:GLSC"
_FESL = "braided.learners.fesl:FESL"
_BRAID = "braided.learners.braid.braid:Braid"

_READS_AT_RANDOM = {"exploration": 1.0, "update": "perceptron", "step": 1.0, "radius": math.inf}
_KEEPS_AT_RANDOM = {**_READS_AT_RANDOM, "selection": "random"}

_entry = LearnerEntry  # short, so that a learner is one line
_ENTRIES = (
    _entry("braid", _BRAID, "No knobs: six experts on three views of a value, mixed twice"),
    _entry("olsf", _OLSF, "Passive-aggressive, for a growing space; Zhang et al. 2016"),
    _entry("olsf-i", _OLSF, "OLSF with limited steps", {"variant": "I"}, "olsf"),
    _entry("olsf-ii", _OLSF, "OLSF with softened steps", {"variant": "II"}, "olsf"),
    _entry("stsd", _OLSF, "OLSF with full steps; Zhang et al. 2015", {"variant": "hard"}, "olsf"),
    _entry("stsd-i", _OLSF, "OLSF-I under its first name", {"variant": "I"}, "olsf"),
    _entry("stsd-ii", _OLSF, "OLSF-II under its first name", {"variant": "II"}, "olsf"),
    _entry("ofs", f"{_OFS}:OFS", "Gradient steps, the largest weights kept; Wang et al. 2014"),
    _entry("petrun", f"{_OFS}:PETrun", "Perceptron, the largest weights kept; Wang et al. 2014"),
    _entry("rand", f"{_OFS}:RAND", "Perceptron, random weights kept; Wang et al. 2014"),
    _entry("ofsp", _OFSP, "OFS that reads few features of a row; Wang et al. 2014"),
    _entry("ofsrand", _OFSP, "OFS_P that always explores", {"exploration": 1.0}, "ofsp"),
    _entry("perand", _OFSP, "Perceptron that reads at random", _READS_AT_RANDOM, "ofsp"),
    _entry("randp", _OFSP, "PE_rand that keeps at random", _KEEPS_AT_RANDOM, "ofsp"),
    _entry("fsol", f"{_SOL}:FSOL", "First-order sparse online learning; Wang et al. 2014"),
    _entry("ssol", f"{_SOL}:SSOL", "Second-order sparse online learning; Wang et al. 2014"),
    _entry("stg", f"{_FOBOS}:STG", "Truncated gradient; Langford et al. 2009"),
    _entry("fobos", f"{_FOBOS}:FOBOS", "Forward-backward splitting; Duchi and Singer 2009"),
    _entry("ada-fobos", f"{_ADAGRAD}:AdaFOBOS", "FOBOS with adaptive steps; Duchi et al. 2011"),
    _entry("ada-rda", f"{_ADAGRAD}:AdaRDA", "Dual averaging, adaptive steps; Duchi et al. 2011"),
    _entry("oco", _OCO, "Gradient descent on what is observed, logistic loss; Zinkevich 2003"),
    _entry("glsc", _GLSC, "Reconstructs what is not observed; He et al. 2020"),
    _entry("fesl", _FESL, "Recovers features that gave way to new ones; Hou et al. 2017"),
)

LEARNERS = Table("learner", _ENTRIES)
"""All learners by name.

Examples
--------
>>> from braided.registry import LEARNERS
>>> LEARNERS.find("olsf-ii").preset
{'variant': 'II'}
"""

DEFAULT = "braid"
"""The learner of commands if none is named.

Examples
--------
>>> from braided.registry import DEFAULT
>>> DEFAULT
'braid'
"""

MANY_CLASSES = {
    "rest": "braided.compose.one_vs_rest:OneVsRest",
    "one": "braided.compose.one_vs_one:OneVsOne",
    "matrix": "braided.compose.matrix_form:MatrixForm",
}
"""How more than two labels are told apart: a learner per label, one per pair, or one matrix.

Examples
--------
>>> from braided.registry import MANY_CLASSES
>>> sorted(MANY_CLASSES)
['matrix', 'one', 'rest']
"""

WRAPPERS = {
    "calibrated": "braided.compose.calibrated:Calibrated",
    "scaled": "braided.compose.scaled:Scaled",
}
"""What can be written before the name of a learner, as in ``scaled+olsf``, the outer one first.

Examples
--------
>>> from braided.registry import WRAPPERS
>>> list(WRAPPERS)
['calibrated', 'scaled']
"""

COMPOSITES = (
    *MANY_CLASSES.values(),
    *WRAPPERS.values(),
    "braided.compose.pseudo_label:PseudoLabel",
)
"""The classes that wrap a learner.

Examples
--------
>>> from braided.registry import COMPOSITES
>>> "braided.compose.scaled:Scaled" in COMPOSITES
True
"""


def classes() -> dict[str, Home]:
    """Return all classes of learners, those that are made of learners included.

    Returns
    -------
    dict
        The home of each class by its name.

    Examples
    --------
    >>> classes()["OneVsRest"]
    'braided.compose.one_vs_rest:OneVsRest'
    """
    composites = {home.partition(":")[2]: home for home in COMPOSITES}
    return {**{entry.class_name: entry.home for entry in LEARNERS}, **composites}


def parameters(name: str) -> dict[str, Any]:
    """Return the parameters of a learner, with their defaults.

    Parameters
    ----------
    name : str
        The name of the learner; those of its wrappers may stand before it, as in ``scaled+olsf``.

    Returns
    -------
    dict
        The default of each parameter by its name: those of the learner, then those of wrappers
        whose names the learner does not have.

    Examples
    --------
    >>> list(parameters("scaled+fobos"))
    ['step', 'penalty', 'decay', 'how', 'intercept']
    """
    wrappers, entry = _parsed(name)
    found = {**_defaults(entry.home), **entry.preset}
    for wrapper in wrappers:
        found = {**_defaults(WRAPPERS[wrapper]), **found}
    return {key: found[key] for key in [*_defaults(entry.home), *found]}


def _defaults(home: Home) -> dict[str, Any]:
    """The parameters of a class, without the learner that it wraps."""
    signature = inspect.signature(resolve(home))
    return {p.name: p.default for p in signature.parameters.values() if p.name != "learner"}


def _parsed(name: str) -> tuple[list[str], LearnerEntry]:
    """The wrappers in the name of a learner, the outer one first, and the entry of the learner."""
    if not isinstance(name, str) or "+" not in name:
        return [], LEARNERS.find(name)
    *wrappers, last = (part.strip() for part in name.split("+"))
    order = list(WRAPPERS)
    how = f"write a learner after {', '.join(order)} or both, as in {'+'.join([*order, 'olsf'])}"
    if last in WRAPPERS or not last:
        raise InputError(f"{name!r} does not end with a learner: {how}")
    for place, wrapper in enumerate(wrappers):
        if wrapper not in WRAPPERS:
            raise InputError(f"{name!r}: {wrapper!r} can not stand before +: {how}")
        if wrapper in wrappers[:place]:
            raise InputError(f"{name!r}: {wrapper} is written twice: {how}")
    if wrappers != [wrapper for wrapper in order if wrapper in wrappers]:
        raise InputError(f"{name!r}: {' comes before '.join(order)}: {how}")
    return wrappers, LEARNERS.find(last)


def create(name: str, many_classes: str | None = None, /, **chosen: Any) -> Learner:
    """Make a learner.

    Parameters
    ----------
    name : str
        The name of the learner; those of its wrappers may stand before it, as in ``scaled+olsf``.
    many_classes : str, optional
        One of ``MANY_CLASSES``, for more than two labels.
    **chosen : Any
        Parameters; the others have their defaults. One that both the learner and a wrapper have is
        the learner's.

    Returns
    -------
    Learner
        A new learner.

    Examples
    --------
    >>> create("olsf-ii", budget=0.1)
    OLSF(budget=0.1, variant='II')
    >>> create("olsf-ii", "rest")
    OneVsRest(learner=OLSF(variant='II'))
    >>> create("calibrated+scaled+olsf", how="maxabs")
    Calibrated(learner=Scaled(how='maxabs', learner=OLSF()))
    """
    wrappers, entry = _parsed(name)
    known = parameters(name)
    for parameter, value in chosen.items():
        if parameter not in known:
            raise InputError(f"{name}: {unknown('parameter', parameter, list(known))}")
        if parameter in entry.preset and value != entry.preset[parameter]:
            raise InputError(
                f"{name} means {parameter}={entry.preset[parameter]!r}: "
                f"use {entry.alias_of} to choose another"
            )
    own = {key: chosen[key] for key in chosen if key in _defaults(entry.home)}
    learner: Learner = resolve(entry.home)(**{**entry.preset, **own})
    if many_classes is not None:
        check_choice("many_classes", many_classes, tuple(MANY_CLASSES))
        learner = resolve(MANY_CLASSES[many_classes])(learner)
    learner.check_parameters()  # now, before any data is read
    for wrapper in reversed(wrappers):
        home = WRAPPERS[wrapper]
        theirs = {key: chosen[key] for key in _defaults(home) if key in chosen.keys() - own.keys()}
        try:
            learner = resolve(home)(learner, **theirs)
            learner.check_parameters()
        except InputError as error:
            raise error if theirs else InputError(f"{name}: {error}") from None
    return learner


def completed(name: str, chosen: Mapping[str, Any], *, seed: int, delay: int = 0) -> dict[str, Any]:
    """Add the parameters that follow from how a learner is run.

    Adds the seed; sets ``label_memory=False`` under delay.

    Parameters
    ----------
    name : str
        The name of the learner.
    chosen : mapping
        The parameters that were chosen.
    seed : int
        The seed of the run.
    delay : int, default 0
        How many rounds late labels come.

    Returns
    -------
    dict
        The parameters; those chosen are as they were.

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

"""LearnerOptions: which learner, with which parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from braided.cli.options.expand import HelpFrom
from braided.cli.options.panels import LEARNER
from braided.errors import InputError
from braided.registry import DEFAULT, LEARNERS, MANY_CLASSES, WRAPPERS, completed, create

if TYPE_CHECKING:
    from braided.cli.parsing import Value
    from braided.learner.learner import Learner

__all__ = ["LearnerOptions", "ManyClasses", "create_from_flags", "learner_names", "told_apart"]

_WAYS = {
    "rest": "a learner for each label, against the rest",
    "one": "a learner for each pair of labels",
    "matrix": "one matrix of weights, for olsf",
}
"""What each of ``MANY_CLASSES`` means."""


def told_apart(many_classes: str) -> str:
    """Say how more than two labels are told apart.

    Parameters
    ----------
    many_classes : str
        The name of the way.

    Returns
    -------
    str
        What it means, for people to read.
    """
    return _WAYS.get(many_classes, many_classes)


def learner_names() -> str:
    """List the learners, without their aliases, for help.

    Returns
    -------
    str
        The names, and where to read more.
    """
    names = ", ".join(entry.name for entry in LEARNERS if entry.alias_of is None)
    wrapped = " or ".join(f"{wrapper}+NAME" for wrapper in WRAPPERS)
    return f"{names}; {wrapped} wraps one; 'braided learners' says more"


def _learner() -> str:
    return f"Learner: {learner_names()}."


def _many_classes() -> str:
    ways = [f"{name} ({told_apart(name)})" for name in MANY_CLASSES]
    return (
        f"How to tell labels apart from the first one on: {' or '.join(ways)}. If left out, two "
        "labels have one learner, and more are told apart one against the rest."
    )


ManyClasses = Annotated[
    str | None,
    typer.Option(metavar="HOW", show_default="by itself", rich_help_panel=LEARNER),
    HelpFrom(_many_classes),
]


@dataclass(frozen=True)
class LearnerOptions:
    """Which learner, with which parameters."""

    learner: Annotated[
        str | None,
        typer.Option(metavar="NAME", show_default=DEFAULT, rich_help_panel=LEARNER),
        HelpFrom(_learner),
    ] = None
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=VALUE",
            help="Parameter of the learner, as in budget=0.1 (repeatable). budget=1 is one "
            "feature, budget=1.0 all of them.",
            rich_help_panel=LEARNER,
        ),
    ] = None
    many_classes: ManyClasses = None

    @property
    def name(self) -> str:
        """The name of the learner."""
        return self.learner or DEFAULT

    @property
    def chosen(self) -> bool:
        """Whether anything was chosen."""
        return bool(self.learner or self.settings or self.many_classes)

    def parameters(self) -> dict[str, Value]:
        """Read the parameters that were set.

        Returns
        -------
        dict
            Their values by name.
        """
        from braided.cli.parsing import settings

        return settings(self.settings) if self.settings else {}

    def create(self, seed: int | None = None, delay: int = 0) -> Learner:
        """Make a new learner.

        Parameters
        ----------
        seed : int, optional
            The seed of a run: parameters that were not set then follow from the run.
        delay : int, default 0
            How many rounds late labels come in that run.

        Returns
        -------
        Learner
            The learner, for any number of labels.

        Raises
        ------
        InputError
            If there is no such learner, or a parameter is not allowed.
        """
        chosen: dict[str, Any] = dict(self.parameters())
        if seed is None:
            parameters = chosen
        else:
            parameters = completed(self.name, chosen, seed=seed, delay=delay)
        flags = dict.fromkeys(chosen, "--set")
        return create_from_flags(self.name, self.many_classes, parameters, flags)


def create_from_flags(
    name: str, many_classes: str | None, parameters: Mapping[str, Any], flags: Mapping[str, str]
) -> Learner:
    """Make a learner; if a parameter is not allowed, say which flag gave it.

    Parameters
    ----------
    name : str
        The name of the learner.
    many_classes : str or None
        How to tell more than two labels apart.
    parameters : mapping
        The parameters by name.
    flags : mapping
        For each parameter that came from the command line, what to say before ``name=value``.

    Returns
    -------
    Learner
        A new one.

    Raises
    ------
    InputError
        If there is no such learner, or a parameter is not allowed.
    """
    try:
        return create(name, many_classes, **parameters).allow_any_labels()
    except InputError as error:
        for parameter, flag in flags.items():
            if str(error).startswith(f"{parameter}="):
                raise InputError(f"{flag} {error}") from None
        raise

"""Commands take dataclasses of options; Typer sees a flag for each of their fields."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import MISSING, dataclass, fields, is_dataclass
from inspect import Parameter
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from typer.models import ParameterInfo

from braided.errors import InputError

__all__ = ["FlagsFrom", "HelpFrom", "expanded"]


@dataclass(frozen=True)
class HelpFrom:
    """The help of an option that lists names; stands beside ``typer.Option`` in ``Annotated``.

    Parameters
    ----------
    text : callable
        Gives the help. It is called when the commands are built: after plugins were loaded.
    """

    text: Callable[[], str]


@dataclass(frozen=True)
class FlagsFrom:
    """The flags of a field that has one for each entry of a table; stands in ``Annotated``.

    The field is a mapping of those flags that were given.

    Parameters
    ----------
    flags : callable
        Gives ``Annotated[type, typer.Option(...)]`` by name. It is called when the commands are
        built.
    """

    flags: Callable[[], Mapping[str, Any]]


def expanded(command: Callable[..., None]) -> Callable[..., None]:
    """Make a function that Typer can read from a command that takes dataclasses.

    Parameters
    ----------
    command : callable
        Its parameters are dataclasses of options, or what Typer knows by itself. The default of
        such a parameter, if it has one, is an instance with the defaults of this command.

    Returns
    -------
    callable
        The same command with one keyword for each field.

    Examples
    --------
    >>> @dataclass(frozen=True)
    ... class Size:
    ...     width: int = 1
    ...     height: int = 1
    >>> def show(size: Size) -> None:
    ...     print(size)
    >>> list(inspect.signature(expanded(show)).parameters)
    ['width', 'height']
    >>> expanded(show)(width=3, height=2)
    Size(width=3, height=2)
    """
    groups: dict[str, _Group] = {}
    flags: list[Parameter] = []
    parameters = inspect.signature(command, eval_str=True).parameters
    for name, parameter in parameters.items():
        if is_dataclass(parameter.annotation):
            groups[name] = _Group(parameter.annotation, parameter.default)
            flags += groups[name].flags
        else:
            flags.append(_flag(name, parameter.annotation, parameter.default))
    names = [flag.name for flag in flags]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"two options of {command.__name__!r} have the name {name!r}")

    def run(**given: Any) -> None:
        own = {name: given[name] for name in parameters if name not in groups}
        command(**own, **{name: group.build(given) for name, group in groups.items()})

    run.__name__, run.__doc__, run.__annotations__ = command.__name__, command.__doc__, {}
    run.__dict__["__signature__"] = inspect.Signature(flags)  # which is what Typer reads
    return run


class _Group:
    """The flags of one dataclass, and the dataclass from their values."""

    def __init__(self, kind: Any, default: Any) -> None:
        self.kind = kind
        self.flags: list[Parameter] = []
        self.many: dict[str, list[str]] = {}  # the flags of fields that have many
        kinds = get_type_hints(kind, include_extras=True)
        for field in fields(kind):
            table = next((a for a in get_args(kinds[field.name]) if isinstance(a, FlagsFrom)), None)
            if table is None:
                usual = Parameter.empty if field.default is MISSING else field.default
                chosen = usual if default is Parameter.empty else getattr(default, field.name)
                self.flags.append(_flag(field.name, kinds[field.name], chosen, chosen != usual))
            else:
                found = table.flags()
                self.many[field.name] = list(found)
                self.flags += [_flag(name, found[name], None) for name in found]

    def build(self, given: Mapping[str, Any]) -> Any:
        """The dataclass from the values of all flags."""
        single = {f.name: given[f.name] for f in fields(self.kind) if f.name not in self.many}
        several = {
            field: {name: given[name] for name in names if given[name] is not None}
            for field, names in self.many.items()
        }
        return self.kind(**single, **several)


def _flag(name: str, kind: Any, default: Any, show_default: bool = False) -> Parameter:
    """A parameter as Typer reads it; ``show_default`` if the usual words for it are wrong."""
    if get_origin(kind) is Annotated:
        base, *notes = get_args(kind)
        infos = [copy(note) for note in notes if isinstance(note, ParameterInfo)]
        for info in infos:
            info.show_default = True if show_default else info.show_default
            info.help = next((n.text() for n in notes if isinstance(n, HelpFrom)), info.help)
            info.help = info.help and info.help.replace("[", r"\[")  # no markup, but what it says
        kind = Annotated[(base, *infos)]
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=kind)

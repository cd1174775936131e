"""Dataclasses of options, and the flags that Typer makes of them."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import FrozenInstanceError, dataclass, field
from typing import Annotated, Any

import pytest
import typer
from typer.testing import CliRunner

from braided.cli import options
from braided.cli.app import COMMANDS, build
from braided.cli.options import panels
from braided.cli.options.expand import FlagsFrom, HelpFrom, expanded
from braided.errors import InputError

PANELS = {getattr(panels, name) for name in panels.__all__}


def deep():
    return {"depth": Annotated[int | None, typer.Option(help="How deep.")]}


@dataclass(frozen=True)
class Size:
    width: Annotated[int, typer.Option(help="How wide.")]
    names: Annotated[list[str] | None, typer.Option("--name", metavar="NAME")] = None
    how: Annotated[
        str | None, typer.Option(show_default="as ever"), HelpFrom(lambda: "One of [a], b.")
    ] = None
    more: Annotated[Mapping[str, Any], FlagsFrom(deep)] = field(default_factory=dict)


@dataclass(frozen=True)
class Colour:
    colour: Annotated[str, typer.Option(help="Its colour.")] = "red"


def run(command, *args):
    app = typer.Typer()
    app.command()(expanded(command))
    return CliRunner().invoke(app, args, env={"COLUMNS": "100"})


def paint(
    what: Annotated[str, typer.Argument(help="What is painted.")], *, size: Size, colour: Colour
) -> None:
    """Paint something."""
    print(what, size, colour)


def test_a_command_gets_the_dataclasses_that_were_built_from_flags():
    ran = run(paint, "--width", "3", "wall", "--name", "a", "--name", "b", "--colour", "blue")
    assert ran.output == (
        "wall Size(width=3, names=['a', 'b'], how=None, more={}) Colour(colour='blue')\n"
    )
    ran = run(paint, "wall", "--width", "3", "--depth", "7")
    assert ran.output == (
        "wall Size(width=3, names=None, how=None, more={'depth': 7}) Colour(colour='red')\n"
    )


def test_a_field_without_a_default_is_a_flag_that_must_be_given():
    ran = run(paint, "wall")
    assert ran.exit_code == 2
    assert "--width" in ran.output


def test_help_is_that_of_the_command_its_fields_and_the_tables():
    shown = run(paint, "--help").output
    for words in ("Paint something.", "How wide.", "How deep.", "One of [a], b.", "(as ever)"):
        assert words in shown


def test_a_command_may_have_other_defaults():
    def draw(*, size: Size = Size(1, how="thin"), colour: Colour) -> None:
        print(size)

    assert run(draw).output == "Size(width=1, names=None, how='thin', more={})\n"
    shown = run(draw, "--help").output
    assert "[default: thin]" in shown
    assert "as ever" not in shown


def test_two_options_of_one_name_are_refused():
    def draw(colour: Annotated[str, typer.Option()], size: Colour) -> None: ...

    with pytest.raises(InputError, match="two options of 'draw' have the name 'colour'"):
        expanded(draw)


def dataclasses():
    named = {getattr(options, name) for name in options.__all__}
    for command in COMMANDS:
        named |= set(inspect.get_annotations(command, eval_str=True).values())
    kinds = [kind for kind in named if isinstance(kind, type) and hasattr(kind, "__match_args__")]
    return sorted(kinds, key=lambda kind: kind.__name__)  # in the same order in all processes


@pytest.mark.parametrize("kind", dataclasses(), ids=lambda kind: kind.__name__)
def test_options_are_frozen(kind):
    values = [None] * sum(p.default is p.empty for p in inspect.signature(kind).parameters.values())
    made = kind(*values)
    with pytest.raises(FrozenInstanceError):
        made.html = None


@pytest.mark.parametrize("name", build().commands)
def test_every_option_has_help_and_one_of_the_usual_panels(name):
    for option in build(name).commands[name].params:
        assert option.help.endswith(".")
        assert option.rich_help_panel in PANELS

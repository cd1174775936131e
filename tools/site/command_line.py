"""The page of the command line, made from the program: every command, every flag."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from braided.cli.app import COMMANDS, build

_TYPES = {int: "number", float: "number", str: "text"}

INTRO = """# Command line

Made from the program; `braided COMMAND --help` shows the same. A flag that is *repeatable* may be
written more than once. Exit codes: 0, all went well; 2, something was wrong (one line on standard
error says what); 130, stopped by Ctrl-C.

| command | what it does |
|---|---|
"""


def commands() -> dict[str, Any]:
    """Every command by its name, as Click has it."""
    names = [command.__name__ for command in COMMANDS]
    return {name: build(name).commands[name] for name in names}


def page() -> str:
    """The page."""
    found = commands()
    rows = [f"| [`{name}`](#braided-{name}) | {_cell(_first(c))} |\n" for name, c in found.items()]
    return INTRO + "".join(rows) + "".join(_section(name, c) for name, c in found.items())


def flags(parameter: Any) -> list[str]:
    """All ways to write a flag."""
    return [*parameter.opts, *parameter.secondary_opts]


def _section(name: str, command: Any) -> str:
    text = [f"\n## braided {name}\n\n{(command.help or '').strip()}\n"]
    options = [p for p in command.params if p.param_type_name == "option" and p.name != "help"]
    arguments = [p for p in command.params if p.param_type_name == "argument"]
    call = " ".join(["braided", name, *map(_argument, arguments), "[OPTIONS]" if options else ""])
    text.append(f"\n```text\n{call.strip()}\n```\n")
    if arguments:
        text.append("\n| argument | meaning |\n|---|---|\n")
        text += [
            f"| `{p.metavar or p.name.upper()}` | {_cell(p.help or '')} |\n" for p in arguments
        ]
    for panel, members in _panels(options):
        text.append(f"\n**{panel}**\n\n| flag | value | meaning | default |\n|---|---|---|---|\n")
        text += [_row(p) for p in members]
    return "".join(text)


def _argument(parameter: Any) -> str:
    shown = (parameter.metavar or parameter.name.upper()).strip("{}[]")
    shown += "..." if parameter.nargs == -1 and not shown.endswith("...") else ""
    return shown if parameter.required else f"[{shown}]"


def _panels(options: list[Any]) -> Iterator[tuple[str, list[Any]]]:
    names = dict.fromkeys(p.rich_help_panel or "Options" for p in options)
    for name in names:
        yield name, [p for p in options if (p.rich_help_panel or "Options") == name]


def _row(option: Any) -> str:
    shown = ", ".join(f"`{flag}`" for flag in flags(option))
    value = "" if option.is_flag else f"`{_value(option)}`".replace("|", "\\|")
    return f"| {shown} | {value} | {_cell(option.help or '')} | {_cell(_default(option))} |\n"


def _value(option: Any) -> str:
    return str(option.metavar or _TYPES.get(option.bare_type, "value"))


def _default(option: Any) -> str:
    if option.required:
        return "required"
    if isinstance(option.show_default, str):
        return option.show_default
    if option.default in (None, False, (), []) or option.show_default is False:
        return ""
    return str(option.default)


def _first(command: Any) -> str:
    return (command.help or "").strip().split("\n\n")[0]


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")

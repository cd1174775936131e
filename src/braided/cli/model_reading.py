"""How the data of a model was read: kept in its file, so that tomorrow's needs no flags."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from braided.cli.options import ReadingOptions
from braided.errors import InputError, argument

__all__ = ["LAYOUT", "layout_note", "reading_of", "with_declarations"]

LAYOUT = "layout"
"""The note of a model file that says how the columns of its data are laid out."""

_KEPT = ("format", "separator", "no_header", "columns")


def layout_note(reading: ReadingOptions) -> dict[str, str]:
    """Describe how columns are laid out, as a note for a model file.

    Parameters
    ----------
    reading : ReadingOptions
        The options of the command.

    Returns
    -------
    dict
        The note by its name; empty if the files need no options.
    """
    kept = {name: value for name in _KEPT if (value := getattr(reading, name))}
    return {LAYOUT: json.dumps(kept, sort_keys=True)} if kept else {}


def reading_of(notes: Mapping[str, str], reading: ReadingOptions) -> ReadingOptions:
    """Add to the options of a command what the model file says about its data.

    Parameters
    ----------
    notes : mapping
        The notes of the model file.
    reading : ReadingOptions
        The options of the command, which go before.

    Returns
    -------
    ReadingOptions
        The options together.
    """
    try:
        kept: Any = json.loads(notes.get(LAYOUT, "{}"))
    except ValueError:
        kept = {}
    if not isinstance(kept, dict):
        return reading
    allowed = {
        name: value
        for name, value in kept.items()
        if name in _KEPT and isinstance(value, bool if name == "no_header" else str)
    }
    missing: dict[str, Any] = {
        name: value for name, value in allowed.items() if not getattr(reading, name)
    }
    return replace(reading, **missing)


def with_declarations(schema: Any, reading: ReadingOptions) -> None:
    """Add what the options of a command declare to the schema of a model that goes on.

    Parameters
    ----------
    schema : Schema
        The schema of the model; it is changed.
    reading : ReadingOptions
        The options of the command.
    """
    declared = reading.schema()
    for role, name in (("label", declared.label), ("weight", declared.weight)):
        if name is not None:
            setattr(schema, role, name)
    schema.null = tuple(dict.fromkeys((*schema.null, *declared.null)))
    schema.strict = schema.strict or declared.strict
    for kind, names in declared.declared.items():
        for name in names:
            known = schema.kind(name)
            if known not in (None, kind):
                raise InputError(
                    f"{argument(kind)}: the model knows field {name!r} as {known}, which can not "
                    "be changed"
                )
        schema.declared[kind] = tuple(dict.fromkeys((*schema.declared.get(kind, ()), *names)))

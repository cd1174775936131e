"""The schema of a model, as it is shown: each field, its kind, and how often it is observed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from braided.learner.learner import Learner
    from braided.records.observed import Observed

__all__ = ["OBSERVED", "as_json", "coverage", "observed_note", "show"]

OBSERVED = "observed"
"""The note of a model file that says in how many rows each field was observed."""

MOST_SHOWN = 40


def observed_note(notes: Mapping[str, str]) -> Observed:
    """Read in how many rows each field was observed, as a model file says.

    Parameters
    ----------
    notes : mapping
        The notes of the file.

    Returns
    -------
    Observed
        The counts; nothing if the file does not say.
    """
    from braided.records.observed import Observed

    try:
        return Observed.from_json(json.loads(notes.get(OBSERVED, "null")))
    except ValueError:
        return Observed()


def coverage(model: Learner, seen: Observed) -> list[Any]:
    """List the fields of the records that a model has learned.

    Parameters
    ----------
    model : Learner
        The model.
    seen : Observed
        What was seen of each field.

    Returns
    -------
    list of FieldCoverage
        The fields, in the order of their names; those with a role first.
    """
    from braided.report.schema import FieldCoverage

    schema = model.schema
    roles = [FieldCoverage(name, role, seen.rows, seen.rows) for name, role in schema.roles.items()]
    names = sorted({*map(str, schema.kinds), *map(str, seen.fields)} - schema.roles.keys())
    return roles + [
        FieldCoverage(name, schema.kind(name) or "number", seen.fields[name], seen.rows)
        for name in names
    ]


def as_json(fields: list[Any]) -> list[dict[str, Any]]:
    """Return the fields as values that JSON can represent.

    Parameters
    ----------
    fields : list of FieldCoverage
        The fields.

    Returns
    -------
    list of dict
        A dict for each.
    """
    return [field._asdict() for field in fields]


def show(fields: list[Any]) -> None:
    """Print the fields as a table.

    Parameters
    ----------
    fields : list of FieldCoverage
        The fields.
    """
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    if not fields:
        return
    table = Table("field", "kind", "observed")
    for name, kind, observed, rows in fields[:MOST_SHOWN]:
        share = f"{100 * observed / rows:.0f} % of {rows} rows" if rows else ""
        table.add_row(Text(name), kind, share)
    if len(fields) > MOST_SHOWN:
        table.add_row(f"and {len(fields) - MOST_SHOWN} more", "", "")
    Console().print(table)

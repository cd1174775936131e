"""Fields: whether a file has the column of labels."""

from __future__ import annotations

from difflib import get_close_matches

from braided.errors import InputError, argument
from braided.readers.formats import Reading
from braided.records.values import as_number

__all__ = ["close_match", "find_label"]


def find_label(columns: list[str], reading: Reading) -> None:
    """Refuse a file without the column of labels, if it must have one.

    Parameters
    ----------
    columns : list of str
        The columns of the file.
    reading : Reading
        Knows the label and the file.
    """
    label = reading.schema.label
    if label is None or label in columns:
        return
    close = close_match(label, columns)
    if not reading.labelled and not close:
        return
    some = ", ".join(map(repr, columns[:20])) + (", ..." if len(columns) > 20 else "")
    looks_like_data = reading.layout.has_header and any(map(as_number, columns))
    no_header = (
        f"; if its first line has no names, say {argument('header', False)}"
        if looks_like_data
        else ""
    )
    raise InputError(
        f"{reading.bad_lines.file} has no column {label!r}{close}; say which of its columns is the "
        f"label ({argument('label')}): {some}{no_header}"
    )


def close_match(name: str, columns: list[str]) -> str:
    """Ask whether another name was meant, if one is near."""
    close = get_close_matches(name, columns, n=1)
    return f" (did you mean {close[0]!r}?)" if close else ""

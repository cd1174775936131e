"""Batches become rows, all at once if they can; what can not is found and reported."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from braided.errors import InputError
from braided.readers.bad_lines import BadLine, BadLines
from braided.readers.columns import label_array
from braided.rows import Rows, as_rows

__all__ = ["Record", "converted", "converted_records", "from_dicts"]


class Record(NamedTuple):
    """What stands on a line (or on several: a field may hold newlines), or the BadLine of it."""

    line: int
    text: bytes
    content: Any
    lines: int = 1


def converted(
    batch: Any,
    convert: Callable[[Any], Rows],
    report: Callable[[Any, int, str], None],
    start: int = 0,
) -> Iterator[Rows]:
    """The rows that ``convert`` makes of a batch, which is anything that can be sliced.

    When it refuses, each half is tried by itself, until a single element is left. That is
    reported, with its number and the reason.
    """
    try:
        rows = convert(batch)
    except (BadLine, InputError) as error:
        middle = len(batch) // 2
        if middle:
            yield from converted(batch[:middle], convert, report, start)
            yield from converted(batch[middle:], convert, report, start + middle)
        else:
            report(batch, start, str(error).removeprefix("row 0, ").removeprefix("row 0: "))
    else:
        yield rows


def converted_records(
    records: Sequence[Record], convert: Callable[[list[Any]], Rows], bad_lines: BadLines
) -> Iterator[Rows]:
    """The rows that ``convert`` makes of records; bad lines are reported in order."""

    def convert_some(some: Sequence[Record]) -> Rows:
        return convert([record.content for record in some])

    def report(one: Sequence[Record], _: int, reason: str) -> None:
        line, text, _, lines = one[0]
        bad_lines.report(line, reason, text, lines)

    for faulty, group in groupby(records, lambda record: isinstance(record.content, BadLine)):
        if faulty:
            for record in group:
                report([record], 0, str(record.content))
        else:
            yield from converted(list(group), convert_some, report)


def from_dicts(pairs: list[tuple[dict[str, Any], Any]]) -> Rows:
    """Rows from dicts of features, and their labels."""
    return as_rows([x for x, _ in pairs], label_array([label for _, label in pairs]))

"""ARFF, as Weka and OpenML write it: lines that declare attributes, ``@data``, a line for each row.

Rows may be sparse, as in ``{0 5.1, 3 yes}``. As in other sparse formats, what is not written is
unobserved; only the label is then 0, or the first of its values, as the format says.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import chain, islice
from typing import Any, NamedTuple

from braided.errors import InputError
from braided.readers.bad_lines import BadLine, Record, convert_records, too_many
from braided.readers.csv import header_of
from braided.readers.csv_lines import TextLines
from braided.readers.formats import Reading
from braided.records.convert import Converter
from braided.records.kinds import CATEGORY, FLAG, NUMBER, kind_of_texts
from braided.rows.rows import Rows

__all__ = ["read_rows"]

_QUOTED = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
_ATTRIBUTE = re.compile(rf"@attribute\s+({_QUOTED}|[^\s'\"{{]+)\s*(.*)", re.IGNORECASE)
_CELL = re.compile(rf"[^\S\t]*({_QUOTED}|(?!['\"])[^,\t]*?)[^\S\t]*(?:[,\t]|$)")
_SPARSE = re.compile(rf"\s*(\d+)\s+({_QUOTED}|(?!['\"])[^,]*?)\s*(?:,|$)")
_ESCAPED = re.compile(r"\\(.)")
_NUMBERS = ("numeric", "real", "integer")


class _Attribute(NamedTuple):
    """What the header says of a field."""

    name: str
    kind: str | None  # None: its texts decide
    default: str  # what a sparse row means by leaving it out


def read_rows(file: Any, reading: Reading) -> Iterator[Rows]:
    """The rows of a file, up to ``reading.size`` at a time."""
    source = TextLines(file, reading)
    attributes = _attributes(source, reading)
    records = _records(source, attributes, reading)
    first = list(islice(records, reading.sample))
    _decide(attributes, first, reading)

    def convert(contents: list[Any]) -> Rows:
        return reading.convert(lambda converter: converter.rows(contents))

    for batch in reading.batches(chain(first, records), source):
        yield from convert_records(batch, convert, reading.bad_lines)


def _attributes(source: TextLines, reading: Reading) -> list[_Attribute]:
    """The attributes that the header declares; ``source`` is then at the first row."""
    found: list[_Attribute] = []
    file = reading.bad_lines.file
    try:
        for line in source:
            source.held.clear()
            text = line.strip()
            if text.lower().startswith("@data"):
                break
            if text.lower().startswith("@attribute"):
                found.append(_attribute(text))
            elif text and not text.lower().startswith(("%", "@relation")):
                raise BadLine(f"{text!r:.60} is neither an @attribute nor @data")
        else:
            raise InputError(f"{file} has no line @data, after which the rows of ARFF come")
    except BadLine as error:
        raise InputError(f"{file}, line {source.number}: {error}") from None
    if len(found) > reading.limits.features + 1:
        raise InputError(f"{file}: {too_many(len(found) - 1, reading.limits)}")
    names = header_of([attribute.name for attribute in found], (), reading)
    reading.check_label(names)
    return [each._replace(name=name) for each, name in zip(found, names, strict=True)]


def _attribute(text: str) -> _Attribute:
    match = _ATTRIBUTE.fullmatch(text)
    if match is None:
        raise BadLine(f"{text!r:.60} is no attribute (@attribute name numeric, or {{a,b,c}})")
    name, kind = _bare(match[1]).strip(), match[2].strip()
    if kind.startswith("{") and kind.endswith("}"):
        values = _cells(kind[1:-1])
        is_flag = any(values) and kind_of_texts(filter(None, values)) == FLAG
        return _Attribute(name, FLAG if is_flag else CATEGORY, values[0])
    word = kind.lower().split(" ")[0]
    if word in _NUMBERS:
        return _Attribute(name, NUMBER, "0")
    if word not in ("string", "date"):
        raise BadLine(f"attribute {name!r} is {kind!r:.60}, which is not read")
    return _Attribute(name, None, "")


def _records(source: TextLines, attributes: list[_Attribute], reading: Reading) -> Iterator[Record]:
    """The fields of each row, by name."""
    names = [attribute.name for attribute in attributes]
    defaults = {each.name: each.default for each in attributes if each.name in reading.schema.roles}
    while True:
        source.held.clear()
        content: Any
        try:
            line = next(source).strip()
            if not line or line.startswith("%"):
                continue
            if line.startswith("{") and line.endswith("}"):
                content = defaults | _sparse(line[1:-1], names)
            else:
                cells = _cells(line)
                if len(cells) != len(names):
                    raise BadLine(f"{len(cells)} values; there are {len(names)} attributes")
                content = dict(zip(names, cells, strict=True))
        except StopIteration:
            return
        except BadLine as bad_line:
            content = bad_line
        yield Record(source.number, source.held[0].data, content)


def _cells(line: str) -> list[str]:
    """The values of a line, without quotes."""
    found, place = [], 0
    while True:
        match = _CELL.match(line, place)
        if match is None:
            raise BadLine(f"a quote in {line[place:]!r:.60} encloses no whole value")
        found.append(_bare(match[1]))
        place = match.end()
        if match[0][-1:] not in (",", "\t"):
            return found


def _sparse(line: str, names: list[str]) -> dict[str, str]:
    """The values of a sparse row: the number of an attribute, from 0, and its value."""
    found, place = dict[str, str](), 0
    while line[place:].strip():
        match = _SPARSE.match(line, place)
        if match is None or int(match[1]) >= len(names):
            raise BadLine(
                f"{line[place:]!r:.60}: expected the number of an attribute and its value"
            )
        if names[int(match[1])] in found:
            raise BadLine(f"attribute {match[1]} is there twice")
        found[names[int(match[1])]] = _bare(match[2])
        place = match.end()
    return found


def _bare(text: str) -> str:
    """A text without its quotes."""
    if text[:1] in ("'", '"'):
        return _ESCAPED.sub(r"\1", text[1:-1])
    return text


def _decide(attributes: list[_Attribute], first: list[Record], reading: Reading) -> None:
    """Decide the kinds of fields: those of the header, else by the first rows."""
    converter = Converter(reading.schema)
    whole = [record.content for record in first if isinstance(record.content, dict)]
    for name, kind, _ in attributes:
        if name in reading.schema.roles or converter.known_kind(name) is not None:
            continue
        texts = Counter(row[name].strip() for row in whole if name in row)
        for text in [text for text in texts if converter.is_missing(text)]:
            del texts[text]
        if kind is not None:
            reading.sampled[name] = kind
        elif texts:
            reading.sampled[name] = kind_of_texts(texts)

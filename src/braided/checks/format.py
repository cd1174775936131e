"""check_format: what Braided promises of a file format."""

from __future__ import annotations

import io
from collections.abc import Callable, Hashable
from typing import Any
from unittest import SkipTest

import numpy as np

from braided.checks.promises import broken, refused
from braided.errors import InputError
from braided.readers.bad_lines import BadLines, Limits
from braided.readers.formats import format_by_name
from braided.readers.reader import Reader, read
from braided.records.schema import Schema
from braided.registry import FORMATS, FormatEntry, resolve

__all__ = ["FORMAT_CHECKS"]

Pairs = list[tuple[dict[Hashable, float], Any]]

MOST_CUTS = 300
"""At how many places a file is cut off, or damaged."""


def _example(entry: FormatEntry) -> bytes:
    """The content of the entry's example file."""
    if isinstance(entry.example, bytes):
        content = entry.example
    else:
        try:
            content = resolve(entry.example)()
        except ImportError as error:
            raise SkipTest(f"it needs a package that is not installed: {error}") from None
    if not content:
        raise broken("the entry's example", expected="the content of a small file", found=content)
    return content


def _reader(entry: FormatEntry, content: bytes) -> Reader:
    sources = [io.BytesIO(content)]
    return Reader(sources, [entry], Schema(label="label"), BadLines(), Limits())


def _pairs(reader: Reader, size: int = 1024) -> Pairs:
    pairs: Pairs = []
    for block in reader.blocks(size):
        if block.labels is None:
            raise broken("a block", expected="labelled rows", found=block)
        pairs += zip(block.dicts(), block.labels.tolist(), strict=True)
    return pairs


def check_format_example_has_both_labels(entry: FormatEntry) -> None:
    """The entry's example is a file of two rows with two labels and a feature at least."""
    pairs = _pairs(_reader(entry, _example(entry)))
    if len(pairs) != 2:
        raise broken("rows of the example", expected=2, found=len(pairs))
    if len({label for _, label in pairs}) != 2:
        raise broken("labels of the example", expected="two", found=[y for _, y in pairs])
    if not any(x for x, _ in pairs):
        raise broken("features of the example", expected="at least one", found="none")


def check_format_blocks_do_not_matter(entry: FormatEntry) -> None:
    """However a file is cut into blocks, and however often it is read, its rows are the same."""
    reader = _reader(entry, _example(entry))
    expected = _pairs(reader)
    for size in (1, 2, 3, 1024):
        found = _pairs(reader, size)
        if found != expected:
            raise broken(f"rows in blocks of {size}", expected=expected, found=found)


def check_format_is_found_by_its_suffixes(entry: FormatEntry) -> None:
    """The names of such files end in a dot and a word that no other format has."""
    if not entry.suffixes:
        raise broken("suffixes", expected="at least one, as in ('.csv',)", found=entry.suffixes)
    for suffix in entry.suffixes:
        if not suffix.startswith(".") or suffix != suffix.lower():
            raise broken("a suffix", expected="a dot and small letters", found=suffix)
        if entry.name in FORMATS:
            for name in (f"rows{suffix}", f"rows{suffix}.gz"):
                found = format_by_name(name, None)
                if found is not entry:
                    raise broken(
                        f"the format of {name}", expected=entry.name, found=found and found.name
                    )


def check_format_refuses_options_it_has_no_use_for(entry: FormatEntry) -> None:
    """An option that means nothing for the format is refused with InputError."""
    given: dict[str, dict[str, Any]] = {
        "fields": {"category": "x"},
        "layout": {"separator": ";"},
    }
    unknown = [option for option in entry.options if option not in given]
    if unknown:
        raise broken("options", expected=f"among {', '.join(given)}", found=unknown)
    if entry.name not in FORMATS:
        return
    for option, arguments in given.items():
        if option in entry.options:
            read(io.BytesIO(), format=entry.name, **arguments)
        else:
            with refused(f"the option {option}", next(iter(arguments))):
                read(io.BytesIO(), format=entry.name, **arguments)


def check_format_cut_off_is_refused_or_shorter(entry: FormatEntry) -> None:
    """A file that ends too soon gives fewer rows or an InputError, and no other error."""
    content = _example(entry)
    whole = _pairs(_reader(entry, content))
    step = max(1, len(content) // MOST_CUTS)
    for end in range(0, len(content), step):
        found = _pairs_or_none(entry, content[:end], f"the first {end} bytes of the example")
        if found is not None and len(found) > len(whole):
            what = f"rows of the first {end} bytes of the example"
            raise broken(what, expected=f"at most {len(whole)}", found=len(found))


def check_format_damage_is_refused(entry: FormatEntry) -> None:
    """A file that is damaged, or no such file, gives rows or an InputError, and no other error."""
    content, rng = _example(entry), np.random.default_rng(0)
    for _ in range(MOST_CUTS):
        damaged = bytearray(content)
        for place in rng.integers(0, len(content), int(rng.integers(1, 4))):
            damaged[place] = int(rng.integers(256))
        _pairs_or_none(entry, bytes(damaged), f"the file {bytes(damaged)!r:.200}")
    for size in (1, 10, 1000):
        noise = rng.bytes(size)
        _pairs_or_none(entry, noise, f"the file {noise!r:.200}")


def _pairs_or_none(entry: FormatEntry, content: bytes, what: str) -> Pairs | None:
    """The rows of a file; None if it is refused."""
    try:
        return _pairs(_reader(entry, content))
    except InputError:
        return None
    except Exception as error:
        found = f"{type(error).__name__}: {error}"
        raise broken(what, expected="rows or InputError", found=found) from error


FORMAT_CHECKS: tuple[Callable[[FormatEntry], None], ...] = (
    check_format_example_has_both_labels,
    check_format_blocks_do_not_matter,
    check_format_is_found_by_its_suffixes,
    check_format_refuses_options_it_has_no_use_for,
    check_format_cut_off_is_refused_or_shorter,
    check_format_damage_is_refused,
)
"""All promises of a file format; each is called with its entry.

Examples
--------
>>> from braided.checks import FORMAT_CHECKS
>>> FORMAT_CHECKS[1].__name__
'check_format_blocks_do_not_matter'
"""

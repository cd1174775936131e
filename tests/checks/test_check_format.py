"""check_entry finds each mistake that the reader of a format can make."""

from __future__ import annotations

from dataclasses import replace

import pytest

from braided.checks import FORMAT_CHECKS, check_entry, entry_checks
from braided.readers.bad_lines import BadLine
from braided.records import as_rows
from braided.registry import FORMATS, FormatEntry
from tests.support.failing_checks import failing
from tests.support.registered import registered

EXAMPLE = b"yes height=1.5\nno height=2;width=3\n"


def parsed(line):
    label, _, fields = line.decode("ascii").partition(" ")
    cells = (field.partition("=") for field in fields.split(";"))
    return {name: float(value) for name, _, value in cells}, label


def read_mine(file, reading):
    """A reader that is right, of lines as in EXAMPLE."""
    for number, line in enumerate(file.read().splitlines(), start=1):
        try:
            x, label = parsed(line)
            yield as_rows([x], [label])
        except (ValueError, BadLine) as error:
            reading.bad_lines.report(number, str(error), line)


def crashes(file, reading):
    for line in file.read().splitlines():
        x, label = parsed(line)
        yield as_rows([x], [label])


def reads_only_whole_lines(file, reading):
    """Crashes where a file is cut off, but not where it is damaged."""
    content = file.read()
    if content[-1:] != b"\n" and len(content) < len(EXAMPLE):
        raise IndexError("the file ends within a line")
    yield from read_mine(_Bytes(content), reading)


def reads_only_ascii(file, reading):
    content = file.read()
    assert all(byte < 128 for byte in content)
    yield from read_mine(_Bytes(content), reading)


class _Bytes:
    def __init__(self, content):
        self.content = content

    def read(self):
        return self.content


def knows_the_size_of_blocks(file, reading):
    for rows in read_mine(file, reading):
        x = next(rows.dicts())
        yield as_rows([{**x, "size": reading.size}], rows.labels)


def one_label(file, reading):
    for rows in read_mine(file, reading):
        yield as_rows(list(rows.dicts()), ["yes"] * len(rows))


def invents_rows(file, reading):
    """Makes more of a part of a file than of the whole."""
    content = file.read()
    for rows in read_mine(_Bytes(content), reading):
        yield rows
        if len(content) < len(EXAMPLE):
            yield rows
            yield rows


RIGHT = FormatEntry("mine", read_mine, "a format of mine", (".mine",), example=EXAMPLE)

BROKEN = [
    (replace(RIGHT, example=b""), "check_format_example_has_both_labels"),
    (replace(RIGHT, example=b"yes height=1.5\n"), "check_format_example_has_both_labels"),
    (replace(RIGHT, home=one_label), "check_format_example_has_both_labels"),
    (replace(RIGHT, home=knows_the_size_of_blocks), "check_format_blocks_do_not_matter"),
    (replace(RIGHT, suffixes=("mine",)), "check_format_is_found_by_its_suffixes"),
    (replace(RIGHT, suffixes=()), "check_format_is_found_by_its_suffixes"),
    (replace(RIGHT, options=("colour",)), "check_format_refuses_options_it_has_no_use_for"),
    (replace(RIGHT, home=reads_only_whole_lines), "check_format_cut_off_is_refused_or_shorter"),
    (replace(RIGHT, home=invents_rows), "check_format_cut_off_is_refused_or_shorter"),
    (replace(RIGHT, home=reads_only_ascii), "check_format_damage_is_refused"),
]


@pytest.mark.parametrize(("broken", "check"), BROKEN)
def test_a_mistake_is_found_by_the_check_for_it(broken, check):
    with pytest.raises(AssertionError, match=f"format mine breaks a promise: .*\n  check: {check}"):
        check_entry(broken)


def test_a_reader_that_crashes_is_found_twice():
    told = failing(entry_checks(replace(RIGHT, home=crashes)))
    assert list(told) == [
        "check_format_cut_off_is_refused_or_shorter",
        "check_format_damage_is_refused",
    ]
    assert "expected: rows or InputError\n  found:    ValueError: could not" in told.popitem()[1]


def test_every_check_can_fail():
    assert {check for _, check in BROKEN} == {check.__name__ for check in FORMAT_CHECKS}


def test_a_format_that_is_right():
    assert set(check_entry(RIGHT).values()) == {"held"}
    with registered(RIGHT):
        assert set(check_entry(FORMATS.find("mine")).values()) == {"held"}


def test_a_suffix_that_is_taken():
    told = pytest.raises(AssertionError, match=r"the format of rows\.csv\n  expected: mine")
    with registered(replace(RIGHT, suffixes=(".csv",))), told:
        check_entry(FORMATS.find("mine"))


def test_a_package_that_is_missing():
    def needs_a_package():
        raise ImportError("No module named 'orc'")

    outcome = check_entry(replace(RIGHT, example=needs_a_package))
    assert outcome["check_format_damage_is_refused"] == (
        "left out: it needs a package that is not installed: No module named 'orc'"
    )

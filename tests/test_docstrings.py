"""Docstrings that are public have numpydoc's sections, complete and true to the signature."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.docstrings import faults, public

TO_DO = Path(__file__).with_name("docstrings_to_do.txt")


def to_do() -> dict[str, set[str]]:
    """What is known to be missing, by name; nothing may be added."""
    lines = [line.split() for line in TO_DO.read_text().splitlines() if not line.startswith("#")]
    return {name: set(codes) for name, *codes in lines}


def test_every_public_docstring_is_complete():
    known = to_do()
    found = {name: faults(thing) for name, thing in public().items()}
    new = [
        f"{name}: {code} {text}"
        for name, codes in found.items()
        for code, text in codes.items()
        if code not in known.get(name, ())
    ]
    done = [
        f"{name} {code}"
        for name, codes in known.items()
        for code in sorted(codes)
        if code not in found.get(name, ())
    ]
    told = {"docstrings with faults:": new, f"no longer needed in {TO_DO.name}:": done}
    wrong = [line for heading, lines in told.items() if lines for line in (heading, *lines)]
    assert not wrong, "\n".join(wrong)


# ------------------------------------------------------------------------ the check itself


def whole(rows: int, *, seed: int = 0) -> int:
    """Sum two numbers.

    Parameters
    ----------
    rows : int
        The first.
    seed : int, at least 0, default 0
        The second.

    Returns
    -------
    int
        The sum.
    """
    return rows + seed


def bare(rows: int) -> int:
    """Return the number."""
    return rows


def wrong(rows: int) -> None:
    """do nothing

    Parameters
    ----------
    row
        none
    """


@dataclass
class Record:
    """Two numbers.

    Attributes
    ----------
    rows : int
        The first.
    seed : int
        The second.
    sum : int
        Of both.
    """

    rows: int
    seed: int

    @property
    def sum(self) -> int:
        return self.rows + self.seed


@pytest.mark.parametrize(
    ("thing", "codes"),
    [
        (whole, ""),
        (Record, ""),
        (bare, "PR01 RT01"),
        (wrong, "PR01 PR02 PR04 PR08 PR09 SS02 SS03"),
        (Record.sum, "GL08"),
    ],
)
def test_faults_are_found(thing, codes):
    assert sorted(faults(thing)) == codes.split()

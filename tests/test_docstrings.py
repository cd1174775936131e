"""Docstrings that are public have numpydoc's sections, complete and true to the signature."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from tests.support.docstrings import faults, public


def test_every_public_docstring_is_complete():
    wrong = [
        f"{name}: {code} {text}"
        for name, thing in public().items()
        for code, text in faults(thing).items()
    ]
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

"""The stream shapes: one entry for each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from braided.registry.table import Home, Table

__all__ = ["SHAPES", "ShapeEntry", "ShapeOption", "listed_numbers", "number"]


def number(text: str) -> int | float | str:
    """Read an int or a float, whichever is written.

    Parameters
    ----------
    text : str
        What is written.

    Returns
    -------
    int, float or str
        The number, or the text if it is none: whoever gets it refuses it.

    Examples
    --------
    >>> number("5"), number("0.5"), number("x")
    (5, 0.5, 'x')
    """
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def listed_numbers(text: str) -> list[int | float | str]:
    """Read numbers with commas between them.

    Parameters
    ----------
    text : str
        What is written.

    Returns
    -------
    list
        The numbers; a text for each that is none.

    Examples
    --------
    >>> listed_numbers("0.1, 0.4,1")
    [0.1, 0.4, 1]
    """
    return [number(part.strip()) for part in text.split(",")]


@dataclass(frozen=True)
class ShapeOption:
    """An option of a stream shape.

    Parameters
    ----------
    name : str
        The argument of the function that makes the stream; ``--name`` on the command line.
    kind : type or callable
        ``int``, ``float``, ``str``, or a function that makes the value of a text.
    default : Any
        The default, as help shows it.
    about : str
        What it is, in a few words.
    metavar : str, optional
        How help calls the value.

    Examples
    --------
    >>> ShapeOption("chunks", int, 10, "Number of steps").kind("5")
    5
    """

    name: str
    kind: Callable[[str], Any]
    default: Any
    about: str
    metavar: str | None = None


@dataclass(frozen=True)
class ShapeEntry:
    """A stream shape: a rule which features each round observes.

    Parameters
    ----------
    name : str
        Its name, as in ``--stream trapezoidal``.
    home : str or callable
        The function ``(X, y, *, [options], [seed], feature_names=None) -> Stream`` that makes it.
    about : str
        What it does, in a few words.
    picture : str, default ""
        One sentence on what the rows went through, for the report.
    options : tuple of ShapeOption, default ()
        Its options.
    shuffles : bool, default True
        Whether the function takes a ``seed``.

    Examples
    --------
    >>> from braided.registry import SHAPES
    >>> [option.name for option in SHAPES.find("evolvable").options]
    ['generations', 'overlap', 'vanish', 'map']
    """

    name: str
    home: Home
    about: str
    picture: str = ""
    options: tuple[ShapeOption, ...] = ()
    shuffles: bool = True


SHAPES = Table(
    "stream shape",
    (
        ShapeEntry(
            "given",
            "braided.streams.shapes:given",
            "rows in their own order",
            "The rows came in their own order.",
            shuffles=False,
        ),
        ShapeEntry(
            "fixed",
            "braided.streams.shapes:fixed",
            "rows are shuffled, nothing is hidden",
            "The rows were shuffled; nothing was hidden.",
        ),
        ShapeEntry(
            "trapezoidal",
            "braided.streams.shapes:trapezoidal",
            "features are added over time",
            "The rows were shuffled, and features came in one group after another.",
            (
                ShapeOption("chunks", int, 10, "Number of steps in which features are added"),
                ShapeOption(
                    "shares",
                    listed_numbers,
                    None,
                    "Share of the features in each step, as in 0.1,0.4,0.7,1; default: equal steps",
                    "SHARE,...",
                ),
                ShapeOption("late", bool, False, "Each step but the first comes one step late"),
            ),
        ),
        ShapeEntry(
            "capricious",
            "braided.streams.shapes:capricious",
            "each row loses features at random",
            "The rows were shuffled, and each lost some of its features at random.",
            (ShapeOption("missing", float, 0.5, "Largest share of a row that is hidden"),),
        ),
        ShapeEntry(
            "evolvable",
            "braided.streams.shapes:evolvable",
            "one generation of features replaces another",
            "The rows were shuffled, and one generation of features gave way to the next.",
            (
                ShapeOption("generations", int, 2, "Number of generations of features"),
                ShapeOption(
                    "overlap",
                    number,
                    0.05,
                    "Time in which two generations are both observed: a share of a generation's "
                    "rounds (float) or a number of rounds (int)",
                    "SHARE|ROUNDS",
                ),
                ShapeOption(
                    "vanish", str, "abrupt", "How old features end: abrupt or gradual", "HOW"
                ),
                ShapeOption(
                    "map",
                    str,
                    "split",
                    "What a generation is: split (a part of the features) or gaussian (random "
                    "sums of the last generation)",
                    "HOW",
                ),
            ),
        ),
    ),
)
"""All shapes of streams.

Examples
--------
>>> from braided.registry import SHAPES
>>> SHAPES.names()[:3]
['given', 'fixed', 'trapezoidal']
"""

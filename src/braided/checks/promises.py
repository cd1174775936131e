"""How a broken promise is found and told: the error, the check as an object, the failing rows."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from unittest import SkipTest

from braided.checks.random_streams import Stream
from braided.errors import InputError
from braided.parameters import check_choice

__all__ = [
    "BrokenPromiseError",
    "Check",
    "broken",
    "checks_of",
    "hold_on_stream",
    "refused",
    "run_all",
]

MOST_ROWS_SHOWN = 8
LONGEST_LINEAR_SEARCH = 64


class BrokenPromiseError(AssertionError):
    """A promise that was not kept; the message says which, on which rows, and what was found.

    Examples
    --------
    >>> from braided.checks import check_entry
    >>> from braided.registry import MetricEntry
    >>> try:
    ...     check_entry(MetricEntry("text", lambda signs, scores: "good", "no number"))
    ... except BrokenPromiseError as error:
    ...     print(str(error).partition(",")[0])
    metric text breaks a promise: A metric is a number or NaN
    """


@dataclass(frozen=True)
class Check:
    """A promise about one thing, ready to be called.

    It can be taken apart into name and function. pytest shows it by its name, so that a list of
    them can be given to ``pytest.mark.parametrize``.

    Parameters
    ----------
    name : str
        The name of the check, as in ``"check_memory"``.
    run : callable
        Raises BrokenPromiseError if the promise is broken, ``unittest.SkipTest`` if it says nothing
        about this thing.

    Examples
    --------
    >>> from braided.checks import entry_checks
    >>> from braided.registry import METRICS
    >>> check = entry_checks(METRICS.find("kappa"))[0]
    >>> check.name
    'check_metric_is_a_number'
    >>> check()
    """

    name: str
    run: Callable[[], None]

    def __call__(self) -> None:
        """Run the check."""
        self.run()

    def __iter__(self) -> Iterator[Any]:
        return iter((self.name, self.run))

    @property
    def __name__(self) -> str:  # what pytest calls it
        return self.name


def checks_of(functions: Sequence[Callable[..., None]], thing: str, *arguments: Any) -> list[Check]:
    """Make the checks of one thing: errors name the thing, the promise and the check.

    Parameters
    ----------
    functions : sequence of callable
        Functions ``check_...``; the first line of a docstring is the promise.
    thing : str
        What is checked, as errors call it.
    *arguments : Any
        What the functions are called with.

    Returns
    -------
    list of Check
        The checks. Whatever one raises is a BrokenPromiseError (or SkipTest): an error of any other
        kind breaks the promise as well.
    """
    return [_check_of(function, thing, arguments) for function in functions]


def _check_of(check: Callable[..., None], thing: str, arguments: tuple[Any, ...]) -> Check:
    name = check.__name__

    def run() -> None:
        try:
            check(*arguments)
        except SkipTest:
            raise
        except Exception as error:
            told = str(error) if isinstance(error, BrokenPromiseError) else _raised(error)
            raise BrokenPromiseError(
                f"{thing} breaks a promise: {_promise(check)}\n  check: {name}\n{told}"
            ) from error

    return Check(name, run)


def run_all(checks: Sequence[Check], skip: Sequence[str]) -> dict[str, str]:
    """Run checks in their order, up to the first that fails.

    Parameters
    ----------
    checks : sequence of Check
        The checks.
    skip : sequence of str
        Names of checks that are left out.

    Returns
    -------
    dict
        "held" for each check by name, or why it was left out.
    """
    for name in skip:
        check_choice("skip", name, [check.name for check in checks])
    outcome = {}
    for check in checks:
        if check.name in skip:
            outcome[check.name] = "left out: in skip"
            continue
        try:
            check()
        except SkipTest as reason:
            outcome[check.name] = f"left out: {reason}"
        else:
            outcome[check.name] = "held"
    return outcome


def broken(what: str, *, expected: object, found: object) -> BrokenPromiseError:
    """Make the error that says what was expected and found.

    Parameters
    ----------
    what : str
        What was looked at, as in ``"the score of row 3"``.
    expected, found : object
        What it should have been, and what it was.

    Returns
    -------
    BrokenPromiseError
        The error, to be raised.
    """
    return BrokenPromiseError(
        f"  {what}\n  expected: {_shown(expected)}\n  found:    {_shown(found)}"
    )


@contextmanager
def refused(what: str, naming: str, error: type[Exception] = InputError) -> Iterator[None]:
    """Expect the block to raise an error whose message names something.

    Parameters
    ----------
    what : str
        What is to be refused.
    naming : str
        What the message must contain.
    error : type, optional
        The class of the error.
    """
    expected = f"{error.__name__} that says {naming!r}" if naming else error.__name__
    try:
        yield
    except error as raised:
        if naming not in str(raised):
            raise broken(what, expected=expected, found=str(raised)) from raised
    else:
        raise broken(what, expected=expected, found="it was accepted")


def hold_on_stream(stream: Stream, problem: Callable[[Stream], BrokenPromiseError | None]) -> None:
    """Raise what ``problem`` finds on the stream, for the fewest first rows that show it.

    Parameters
    ----------
    stream : list of (dict, label)
        The rows.
    problem : callable
        Is given a stream; returns the error, or None if all is well.
    """
    found = problem(stream)
    if found is None:
        return
    least = stream
    for size in _sizes(len(stream), lambda n: problem(stream[:n]) is not None):
        smaller = problem(stream[:size])
        if smaller is not None:
            found, least = smaller, stream[:size]
            break
    raise BrokenPromiseError(f"{found}\n{_rows_shown(least)}")


def _sizes(size: int, fails: Callable[[int], bool]) -> Iterator[int]:
    """Numbers of rows that may fail, the smallest first; few of them where there are many rows."""
    if size <= LONGEST_LINEAR_SEARCH:
        yield from range(1, size)
        return
    low, high = 0, size  # an error rarely goes away with more rows: halve the rest
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if fails(middle) else (middle, high)
    yield high


def _rows_shown(stream: Stream) -> str:
    rows = [f"    {number}: {x}, {y!r}" for number, (x, y) in enumerate(stream)]
    many = len(rows) > MOST_ROWS_SHOWN
    title = f"  rows (the last {MOST_ROWS_SHOWN} of {len(rows)}):" if many else "  rows:"
    return "\n".join([title, *rows[-MOST_ROWS_SHOWN:]])


def _promise(check: Callable[..., None]) -> str:
    return (inspect.getdoc(check) or check.__name__).partition("\n")[0]


def _raised(error: Exception) -> str:
    return f"  it raised {type(error).__name__}: {error}"


def _shown(value: object) -> str:
    return value if isinstance(value, str) else repr(value)

"""Labels: any two values <-> the signs -1 and +1 that kernels see, and labels that are missing."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from braided.errors import InputError, argument

__all__ = [
    "Labels",
    "first_rows",
    "if_no_label",
    "is_missing",
    "labelled",
    "plain_value",
    "plain_values",
    "refuse_no_label",
    "sign_of_first",
]

_NEGATIVE_BY_CUSTOM = (-1, 0)  # and False, which equals 0
_PLAIN = (str, int, bool)
_MEANT_AS_NONE = ("nan", "na", "n/a", "none", "null", "nil", "missing", "unknown", "?", "-")
_ONLY_TWO = (
    "Only binary classification is supported. For more than two labels call allow_any_labels() of "
    "the learner, use braided.Braid, or put the learner into braided.OneVsRest or braided.OneVsOne"
)


class Labels:
    """The two label values of a stream, of which the second may appear late.

    The larger value is the positive one, as in scikit-learn. A kernel must be given a sign before
    the second value is known, and it can not be changed later. So the code of a label (1 or -1) is
    settled with the first value, and ``orientation`` (1 or -1) turns a kernel's score into one
    whose positive side is the larger value. Only the engine sees codes.

    Examples
    --------
    >>> labels = Labels()
    >>> labels.signs(np.array(["spam", "mail", "spam"])), labels.orientation
    (array([ 1., -1.,  1.]), 1.0)
    >>> labels.names(np.array([0.3, -2.0])).tolist()
    ['spam', 'mail']
    """

    many: bool = False
    """Whether codes are class numbers, and scores have a column for each class."""

    grows: bool = False
    """Whether a third label is learned, see ``GrowingLabels``; if not it is refused."""

    def __init__(self) -> None:
        self.codes: dict[Hashable, float] = {}  # the sign that kernels see of each value
        self._by_side: tuple[Any, Any] = (None, None)
        self.orientation = 1.0

    def __len__(self) -> int:
        return len(self.codes)

    @classmethod
    def of(cls, values: Iterable[Any]) -> Labels:
        """Make the labels that were seen in this order."""
        values = list(values)
        labels = cls()
        labels.check(np.array([], dtype=object), values)
        if len(set(values)) < len(values):
            raise InputError(f"the same label twice: {values[0]!r}")
        for value in values:
            labels.add(value)
        return labels

    @property
    def values(self) -> list[Any]:
        """The values in the order in which they were first seen."""
        return list(self.codes)

    @property
    def classes(self) -> NDArray[Any]:
        """The values known so far, the negative one first."""
        ordered = _ordered(self.codes)
        if not any(isinstance(value, Sequence) and not isinstance(value, str) for value in ordered):
            plain = np.array(ordered)
            if plain.tolist() == ordered:
                return plain
        mixed = np.empty(len(ordered), dtype=object)
        mixed[:] = ordered
        return mixed

    def check(
        self,
        y: NDArray[Any],
        classes: Iterable[Any] | None = None,
        numbers: Sequence[int] | NDArray[np.int64] | None = None,
    ) -> None:
        """Refuse labels that are missing or would be a third value; nothing is changed.

        Parameters
        ----------
        y : ndarray
            A label for each row.
        classes : iterable, optional
            Values that are declared beforehand.
        numbers : sequence of int, optional
            The numbers of the rows for errors, if they are not 0, 1, 2 ...
        """
        declared = [] if classes is None else plain_values(classes)
        for value in declared:
            refuse_no_label("classes", value)
        known = dict.fromkeys([*self.codes, *declared])
        if len(known) > 2:
            if self.grows:
                self.check_more(y, declared, numbers)
                return
            values = ", ".join(map(repr, known))
            raise InputError(f"more than two labels: {values}. {_ONLY_TWO}")
        for value, place in first_rows(y):
            row = place if numbers is None else int(numbers[place])
            refuse_no_label(f"row {row}", value)
            if value not in known and len(known) == 2:
                if self.grows:
                    self.check_more(y, declared, numbers)
                    return
                seen = " and ".join(map(repr, known))
                raise InputError(
                    f"row {row}: a third label, {value!r}, after {seen}. {_hint(value)}{_ONLY_TWO}"
                )
            known[value] = None

    def check_more(
        self, y: NDArray[Any], classes: list[Any], numbers: Sequence[int] | NDArray[np.int64] | None
    ) -> None:
        """Refuse labels of which there are more than two; only if ``grows``."""
        raise NotImplementedError

    def grow(self) -> None:
        """Be ready for a third label; only if ``grows``."""
        raise NotImplementedError

    def third_row(self, y: NDArray[Any]) -> int | None:
        """The first row with a third label; None if there is none."""
        known = set(self.codes)
        for value, row in first_rows(y):
            known.add(value)
            if len(known) > 2:
                return row
        return None

    def declare(self, classes: Iterable[Any]) -> None:
        """Make values known before they are seen."""
        for value in _ordered(plain_values(classes)):
            self.add(value)

    def signs(self, y: NDArray[Any]) -> NDArray[np.float64]:
        """The code of each label; a value that is new becomes known."""
        if y.size == 0:
            return np.empty(0)
        if self.grows and self.third_row(y) is not None:
            self.grow()
            return self.signs(y)
        if y.dtype.kind == "O":
            values = plain_values(y)
            for value in dict.fromkeys(values):
                self.add(value)
            return np.array([self.codes[value] for value in values])
        if not self.codes:
            self.add(plain_value(y[0]))
        first, sign = next(iter(self.codes.items()))
        is_first = y == first
        if len(self.codes) < 2 and not is_first.all():
            self.add(plain_value(y[is_first.argmin()]))
        # In bytes as long as possible: np.where would take many times as long.
        small = is_first.view(np.int8) * np.int8(2 * sign) - np.int8(sign)
        signs: NDArray[np.float64] = small.astype(np.float64)
        return signs

    def code_of(self, label: Any) -> float | None:
        """The code of one label; None if it was not seen before."""
        try:
            return self.codes.get(label)
        except TypeError:
            return None

    def accepts(self, label: Any) -> bool:
        """Whether a new label is surely allowed, so that ``check`` can be skipped."""
        return type(label) in _PLAIN and len(self.codes) < 2

    def names(self, scores: NDArray[np.float64]) -> NDArray[Any]:
        """The predicted label for each score: the positive one above zero."""
        classes = self.classes
        chosen = scores > 0 if len(classes) == 2 else np.zeros(scores.size, bool)
        return classes[chosen.astype(np.intp)]

    def chances(self, kernel_scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """The probability of each of ``classes``, a column each, from log odds of kernels."""
        if len(self) < 2:
            return np.ones((kernel_scores.size, len(self)))
        positive = 0.5 + 0.5 * np.tanh(0.5 * self.oriented(kernel_scores))
        return np.column_stack((1.0 - positive, positive))

    def name(self, kernel_score: float) -> Any:
        """The predicted label for one score of a kernel."""
        return self._by_side[kernel_score * self.orientation > 0]

    def oriented(self, kernel_scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """Scores whose positive side is the larger value, from scores of kernels."""
        return kernel_scores if self.orientation == 1.0 else -kernel_scores

    def oriented_one(self, kernel_score: float) -> Any:
        """The same for one score."""
        return kernel_score * self.orientation

    def by_class(self, kernel_scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """Scores with a column for each of ``classes``; that of the other label is negated."""
        if len(self) == 2:
            scores = self.oriented(kernel_scores)
            return np.column_stack((-scores, scores))
        return np.outer(kernel_scores, list(self.codes.values()))

    def add(self, value: Any) -> None:
        """Make a value known, if it is not yet."""
        if value in self.codes:
            return
        if len(self.codes) == 2:
            self.grow()
            self.add(value)
        elif self.codes:
            ((first, sign),) = self.codes.items()
            self.codes[value] = -sign
            negative, positive = _ordered([first, value])
            self.orientation = self.codes[positive]
            self._by_side = (negative, positive)
        else:
            self.codes[value] = sign_of_first(value)
            self._by_side = (value, value)


def sign_of_first(value: Any) -> float:
    """The sign that kernels see of the label that is seen first."""
    return -1.0 if value in _NEGATIVE_BY_CUSTOM else 1.0


def _hint(value: Any) -> str:
    """What a third label may have been meant for."""
    if isinstance(value, float) and not value.is_integer():
        return "Is the target continuous? "
    if isinstance(value, str) and value.lower() in _MEANT_AS_NONE:
        return if_no_label(value)
    return ""


def if_no_label(value: str) -> str:
    """What to do where this text stands for a label that is missing."""
    return f"If {value!r} stands for no label: write None; in a file {argument('null', value)}. "


def _ordered(values: Iterable[Any]) -> list[Any]:
    """Sorted, or in order of first sight when the values can not be compared."""
    try:
        return sorted(values)
    except TypeError:
        return list(values)


# ---------------------------------------------------------------------- values of labels


def is_missing(value: Any) -> bool:
    """Whether this value stands for a missing label."""
    if value is None or type(value).__name__ == "NAType":  # pandas' own None
        return True
    return _is_hashable(value) and bool(value != value)


def labelled(y: NDArray[Any]) -> NDArray[np.bool_]:
    """Which rows have a label: not None, NaN or pandas' NA.

    Examples
    --------
    >>> labelled(np.array(["a", None, float("nan"), "b"], dtype=object))
    array([ True, False, False,  True])
    """
    if y.dtype.kind == "O":
        return np.array([not is_missing(value) for value in y.tolist()], np.bool_)
    if y.dtype.kind in "fcmM":
        known: NDArray[np.bool_] = y == y
        return known
    return np.ones(y.size, np.bool_)


def refuse_no_label(where: str, value: Any) -> None:
    """Refuse what can not be a label: a missing one, infinity, and what is not hashable."""
    if not _is_hashable(value):
        raise InputError(f"{where}: {value!r} can not be a label")
    if is_missing(value):
        raise InputError(f"{where}: the label is missing ({value!r})")
    if isinstance(value, float) and math.isinf(value):
        raise InputError(f"{where}: {value!r} can not be a label")


def first_rows(y: NDArray[Any]) -> Iterator[tuple[Any, int]]:
    """Each different label with the row where it is first seen."""
    if y.dtype.kind == "O":  # anything, which may refuse to be compared
        seen = set()
        for row, value in enumerate(plain_values(y)):
            if not _is_hashable(value) or value not in seen:
                yield value, row
                seen.add(value)
        return
    left, row = None, 0
    while row < y.size:
        yield plain_value(y[row]), row
        others: NDArray[np.bool_] = y != y[row]
        left = others if left is None else np.logical_and(left, others, out=left)
        left[row] = False  # NaN differs from itself
        row = int(left.argmax()) if left.any() else y.size


def plain_values(values: Iterable[Any]) -> list[Any]:
    """Plain Python values: NumPy's own numbers and texts come out of lists as well as arrays."""
    return [plain_value(value) for value in values]


def plain_value(value: Any) -> Any:
    """The same of one value."""
    return value.item() if isinstance(value, np.generic) else value


def _is_hashable(value: object) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True

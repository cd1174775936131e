"""Coded: cells of a column of which each different value is there once.

Frames have many equal cells. What a value means is said in one place, ``Converter.pairs``; it is
asked once for each different value, and NumPy does the rest by codes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Coded"]

_REMEMBERED = {int, bool, date}
"""Types besides texts of which equal values are the same; 0.0 and -0.0 differ, and so do times of
two zones."""


class Coded:
    """Cells as codes and values: cell i is ``values[codes[i]]``.

    Every value is used, and they are in the order in which cells first have them: so the first one
    that is observed decides the kind of a field, and the first one that is refused is reported.

    Parameters
    ----------
    codes : ndarray of int
        The number of the value of each cell; less than 0 where the cell is null.
    values : sequence
        The values, in any order; some may not be used, and some may be equal.

    Attributes
    ----------
    codes : ndarray of int64
        The number of the value of each cell.
    values : list
        The values; None for null.
    first : ndarray of int64
        The first cell with each value.

    Examples
    --------
    >>> cells = Coded(np.array([1, -1, 1, 0]), ["cat", "dog", "mouse"])
    >>> cells.codes.tolist(), cells.values, list(cells)
    ([0, 1, 0, 2], ['dog', None, 'cat'], ['dog', None, 'dog', 'cat'])
    """

    def __init__(self, codes: NDArray[Any], values: Sequence[Any]) -> None:
        n, null = codes.size, len(values)
        codes = np.where(codes < 0, null, codes)
        first = np.full(null + 1, n, np.int64)
        first[codes[::-1]] = np.arange(n - 1, -1, -1)  # the last that is written is the first cell
        order = np.argsort(first, kind="stable")[: int(np.count_nonzero(first < n))]
        number = np.empty(null + 1, np.int64)
        number[order] = np.arange(order.size)
        self.codes: NDArray[np.int64] = number[codes]
        self.values = [None if which == null else values[which] for which in order.tolist()]
        self.first: NDArray[np.int64] = first[order]

    @classmethod
    def of_cells(cls, cells: Sequence[Any]) -> Coded:
        """Find the different values among plain cells of any types.

        Parameters
        ----------
        cells : sequence
            The cells.

        Returns
        -------
        Coded
            The same cells.
        """
        marks: Sequence[Any] = cells
        if not {*map(type, cells)} <= {str, type(None)}:
            marks = [_mark(row, cell) for row, cell in enumerate(cells)]
        number = {mark: i for i, mark in enumerate(dict.fromkeys(marks))}
        codes = np.fromiter(map(number.__getitem__, marks), np.int64, len(cells))
        first = np.zeros(len(number), np.int64)
        first[codes[::-1]] = np.arange(len(cells) - 1, -1, -1)
        return cls(codes, [cells[row] for row in first.tolist()])

    @classmethod
    def of_numbers(cls, cells: NDArray[Any]) -> Coded:
        """Find the different values in an array of numbers; 0.0 and -0.0 are different.

        Parameters
        ----------
        cells : ndarray of bool, int or float
            The numbers.

        Returns
        -------
        Coded
            The same cells.
        """
        bits = np.ascontiguousarray(cells)
        if cells.dtype.kind == "f":
            bits = bits.astype(np.float64).view(np.int64)
        _, first, codes = np.unique(bits, return_index=True, return_inverse=True)
        return cls(codes, cells[first].tolist())

    def __len__(self) -> int:
        return self.codes.size

    def __getitem__(self, row: int) -> Any:
        return self.values[self.codes[row]]

    def __iter__(self) -> Iterator[Any]:
        return map(self.values.__getitem__, self.codes.tolist())

    def tolist(self) -> list[Any]:
        """Return the cells, one by one."""
        return list(self)


def _mark(row: int, cell: Any) -> Any:
    """What is equal for cells that mean the same."""
    kind = type(cell)
    if kind is str or cell is None:
        return cell
    # 1 and True are equal, and categories of different names.
    return (kind, cell) if kind in _REMEMBERED else row

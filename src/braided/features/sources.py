"""Sources: what was translated once stays translated."""

from __future__ import annotations

import sys
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from braided.features.translation import OUT_OF_ORDER, UNKNOWN, Translation
from braided.rows.rows import Rows

__all__ = ["Sources"]

_NEW = Translation()
_NO_SOURCE: tuple[Sequence[Hashable], Translation] = ((), _NEW)


class Sources:
    """How the columns of sources are translated: of all without names, and of the last with names.

    Blocks of one source share their names. The last source and its translation change together, so
    that no thread sees a mixture.
    """

    def __init__(self, from_numbers: Translation = _NEW) -> None:
        self._from_numbers = from_numbers
        self._from_source = _NO_SOURCE

    def translation(self, rows: Rows) -> Translation:
        """That of the source of these rows; an empty one if the source is new."""
        if rows.names is None:
            return self._from_numbers
        source, translation = self._from_source
        return translation if source is rows.names else _NEW

    def remember(self, rows: Rows, translation: Translation) -> None:
        """Have this one for the next rows of the same source."""
        if rows.names is None:
            self._from_numbers = translation
        else:
            self._from_source = (rows.names, translation)

    def forget(self, *, named: bool) -> None:
        """Forget all of them; where there are names, numbers can be looked up as well."""
        self._from_source = _NO_SOURCE
        self._from_numbers = Translation(OUT_OF_ORDER if named else 0)

    def take_back(self, size: int, *, named: bool) -> None:
        """Forget columns from ``size`` on, which were given out but never recorded."""
        self._from_source = _NO_SOURCE
        in_order, columns = self._from_numbers
        if named:
            self._from_numbers = Translation(OUT_OF_ORDER)
        else:
            columns[columns >= size] = UNKNOWN
            self._from_numbers = Translation(min(in_order, size), columns)

    @property
    def memory_bytes(self) -> int:
        """Bytes of the translations and of the list of the last source's names."""
        source, from_source = self._from_source
        arrays = self._from_numbers.columns.nbytes + from_source.columns.nbytes
        return sys.getsizeof(source) + arrays

    def __getstate__(self) -> dict[str, Any]:
        # The names of the last source may be many more than were seen, and can be read again.
        return {**self.__dict__, "_from_source": _NO_SOURCE}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        in_order, columns = self._from_numbers
        if not columns.flags.writeable:  # mapped from a file, read-only
            self._from_numbers = Translation(in_order, np.array(columns))

"""Vowpal Wabbit text read by the plain parser alone, to hold the compiled one to."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from braided import InputError, Rows, as_rows
from braided.readers.bad_lines import BadLine, Limits, too_long
from braided.readers.vw import parse_line

Line = tuple[list[tuple[str, str]], Any, type, float]
"""Name and bits of each feature, in order; the label and its type; the weight."""


def plain_vw(data: bytes, limits: Limits) -> tuple[list[Line], list[tuple[int, str]]]:
    """The rows of a file, and the number and the fault of each bad line."""
    rows: list[Line] = []
    faults: list[tuple[int, str]] = []
    for number, line in enumerate(data.split(b"\n"), start=1):
        try:
            if len(line) > limits.line:
                raise BadLine(too_long(limits))
            if line.strip():
                features, label, weight = parse_line(line, limits)
                (values,) = as_rows([features]).dicts()
                rows.append((_bits(values), label, type(label), weight))
        except (BadLine, InputError) as fault:
            faults.append((number, str(fault).removeprefix("row 0, ")))
    return rows, faults


def lines_of(found: Iterable[Rows]) -> list[Line]:
    """Rows that a reader has found, in the form of ``plain_vw``."""
    lines: list[Line] = []
    for rows in found:
        assert rows.labels is not None
        labels = rows.labels.tolist()
        weights = np.ones(len(rows)) if rows.weights is None else rows.weights
        for x, label, weight in zip(rows.dicts(), labels, weights.tolist(), strict=True):
            lines.append((_bits(x), label, type(label), weight))
    return lines


def _bits(features: Any) -> list[tuple[str, str]]:
    return [(name, value.hex()) for name, value in features.items()]

"""Roles: the label, the weight and the key of a record."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from braided.errors import InputError
from braided.records.values import NotAllowed, as_bool, as_number, looks_like_a_code, plain, text_of

if TYPE_CHECKING:
    from braided.records.convert import Converter

__all__ = ["LARGEST_WEIGHT", "as_label", "keys_of", "label_array", "labels_of"]
__all__ += ["labels_of_numbers", "weights_of"]

LARGEST_WEIGHT = 1e9
"""With larger weights the arithmetic of kernels could overflow."""

_WHOLE = 2**53
_TRUE_OR_FALSE = ("true", "false")


def as_label(value: Any, converter: Converter) -> Any:
    """Read a label: whole numbers are ints, true and false bools, texts stay as they are.

    Parameters
    ----------
    value : Any
        The value of the field, of any door.
    converter : Converter
        Knows which texts mean unobserved.

    Returns
    -------
    int, float, bool, str or None
        The label; None if it is missing.

    Raises
    ------
    NotAllowed
        If the value can not be a label.
    """
    value = plain(value)
    if isinstance(value, str):
        if converter.is_no_label(value):
            return None
        if value.lower() in _TRUE_OR_FALSE:
            return as_bool(value)
        number = None if looks_like_a_code(value) else as_number(value)
        if number is None or value[-1] == "%" or not value.isascii():
            return value
        value = number
    if isinstance(value, list | dict):
        raise NotAllowed(f"{value!r:.60} can not be a label")
    if isinstance(value, date):
        return text_of(value)
    if isinstance(value, float) and value.is_integer() and abs(value) < _WHOLE:
        return int(value)
    return value


def labels_of(values: Sequence[Any], converter: Converter) -> NDArray[Any]:
    """Read the labels of records.

    Parameters
    ----------
    values : sequence
        The value of each.
    converter : Converter
        Knows which texts mean unobserved.

    Returns
    -------
    ndarray
        The labels, None where one is missing; an array of ints if all are.
    """
    labels = []
    for row, value in enumerate(values):
        try:
            label = as_label(value, converter)
            labels.append(label)
            if label is None and isinstance(value, str) and (text := value.strip()):
                converter.no_labels[text] += 1
        except NotAllowed as error:
            raise InputError(f"row {row}, field {converter.schema.label!r}: {error}") from None
    return label_array(labels)


def label_array(labels: list[Any]) -> NDArray[Any]:
    """Return labels as an array: of ints if all are whole numbers, else of objects."""
    if all(type(label) is int and abs(label) < 2**63 for label in labels):
        return np.array(labels, np.int64)
    array = np.empty(len(labels), object)
    array[:] = labels
    return array


def labels_of_numbers(numbers: NDArray[np.float64]) -> NDArray[Any]:
    """Return numbers as labels: each an int if it is whole, whatever the others are.

    Parameters
    ----------
    numbers : ndarray of float
        The numbers; NaN where a label is missing.

    Returns
    -------
    ndarray
        The labels, None where one is missing; an array of ints if all are.
    """
    small = np.abs(numbers) < _WHOLE
    whole = np.where(small, numbers, 0.5).astype(np.int64)
    is_whole = whole == numbers
    if bool(is_whole.all()):
        return whole
    mixed = numbers.astype(object)
    mixed[is_whole] = whole[is_whole].astype(object)
    mixed[np.isnan(numbers)] = None
    return mixed


def weights_of(values: Sequence[Any], converter: Converter) -> NDArray[np.float64]:
    """Read the weights of records; a missing weight is 1."""
    weights = np.ones(len(values))
    for row, value in enumerate(values):
        try:
            found = plain(value)
        except NotAllowed as error:
            raise InputError(f"row {row}, field {converter.schema.weight!r}: {error}") from None
        if isinstance(found, str) and converter.is_missing(found):
            found = None
        number = as_number(found) if isinstance(found, str) else found
        if found is None:
            continue
        if not isinstance(number, int | float) or not 0 <= number <= LARGEST_WEIGHT:
            raise InputError(
                f"row {row}, field {converter.schema.weight!r}: {value!r:.60} is not a weight "
                f"(a number from 0 to {LARGEST_WEIGHT:g})"
            )
        weights[row] = number
    return weights


def keys_of(values: Sequence[Any]) -> NDArray[Any]:
    """Read the keys of records, as texts; None where one is missing."""
    keys = np.empty(len(values), object)
    for row, value in enumerate(values):
        try:
            found = plain(value)
        except NotAllowed as error:
            raise InputError(f"row {row}: a key that is not allowed: {error}") from None
        keys[row] = None if found is None or found == "" else text_of(found)
    return keys

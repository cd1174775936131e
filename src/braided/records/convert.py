"""Converter: records and named columns become Rows, by a schema.

It decides kinds as it goes, and leaves the schema as it is: whoever learns the rows adopts the
decisions (``Rows.schema``). So rows that are refused decide nothing.

The features of a record are in the order of the names of its fields. So the order of keys, or of
the columns of a file, means nothing: not even the last digit of a score depends on it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from braided.errors import InputError, argument
from braided.records.kinds import (
    CATEGORY,
    IGNORE,
    KINDS,
    TAGS,
    TEXT,
    VECTOR,
    Pairs,
    as_category,
    kind_of,
)
from braided.records.schema import Decisions, Schema, in_order, sorted_names
from braided.records.values import MINUS, NotAllowed, as_list, check_text, plain
from braided.rows.rows import Rows, offsets
from braided.rows.validation import NO_NAME

__all__ = ["Converter"]

DEEPEST = 200
"""How many objects may be inside one another."""


class Converter:
    """Turns records into features, by a schema that it does not change.

    Parameters
    ----------
    schema : Schema
        The schema.

    Attributes
    ----------
    decided : dict
        The kind of each field that was first observed here.
    observed : Counter
        In how many rows each field was observed.
    surprises : Counter
        How many values did not fit the kind of their field, by field.
    no_labels : Counter
        How many labels were texts that mean unobserved, by text.
    """

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.decided: dict[Hashable, str] = {}
        self.observed: Counter[Hashable] = Counter()
        self.surprises: Counter[Hashable] = Counter()
        self.no_labels: Counter[str] = Counter()
        self._roles = schema.roles
        self._missing = schema.missing
        self._known: dict[Hashable, str] = {}  # kinds that were looked up, to find them quickly

    @property
    def decisions(self) -> Decisions:
        """What was decided."""
        return Decisions(self.decided, self.schema)

    # -------------------------------------------------------------------------- records

    def features(self, record: Mapping[Hashable, Any]) -> dict[Hashable, float]:
        """Return the features of a record.

        Parameters
        ----------
        record : mapping
            The value of each field, by name.

        Returns
        -------
        dict
            The number of each feature, by name; fields in the order of their names.

        Raises
        ------
        NotAllowed
            If a value is not allowed.
        """
        return self.read(record)[0]

    def read(self, record: Mapping[Hashable, Any]) -> tuple[dict[Hashable, float], dict[str, Any]]:
        """Return the features of a record, and the values of its label, weight and key.

        Parameters
        ----------
        record : mapping
            The value of each field, by name.

        Returns
        -------
        tuple
            The number of each feature by name, and the values of ``label``, ``weight`` and
            ``key``, as far as they are there.
        """
        found: dict[Hashable, float] = {}
        roles: dict[str, Any] = {}
        for field, value in self._leaves(record):
            if field in self._roles:
                roles[self._roles[field]] = value
                continue
            pairs = self.pairs(field, value)
            if pairs:
                self.observed[field] += 1
            for name, number in pairs:
                if name in found:
                    raise NotAllowed(f"feature {name!r} is there twice")
                found[name] = number
        return found, roles

    def _leaves(self, record: Mapping[Hashable, Any]) -> Iterable[tuple[Hashable, Any]]:
        """The fields of a record and of the objects in it, by name, in the order of names."""
        if type(record) is not dict:  # whose items are what it says they are
            record = dict(record.items())
        names = sorted_names(record)
        if not any(isinstance(value, Mapping) for value in record.values()):
            return [(name, record[name]) for name in names]
        leaves = list(self._nested(record, "", 0))
        fields = [field for field, _ in leaves]
        if len(set(fields)) < len(fields):
            twice = Counter(fields).most_common(1)[0][0]
            raise NotAllowed(f"field {twice!r} is there twice")
        return sorted(leaves, key=lambda leaf: in_order(leaf[0]))

    def _nested(
        self, record: Mapping[Hashable, Any], prefix: str, depth: int
    ) -> Iterator[tuple[Hashable, Any]]:
        if depth > DEEPEST:
            raise NotAllowed("objects are nested too deeply")
        for key, value in record.items():
            name = f"{prefix}{key}" if prefix else key
            if not isinstance(value, Mapping) or name in self._roles:
                yield name, value  # an object that is called the label is refused later
            elif self.known_kind(name) != IGNORE:
                yield from self._nested(value, f"{name}.", depth + 1)
            elif value:
                yield name, "an object"  # of which nothing is read

    def pairs(self, field: Hashable, value: Any) -> Pairs:
        """Return the features of one value.

        Parameters
        ----------
        field : hashable
            The name of the field.
        value : Any
            Its value, of any door.

        Returns
        -------
        sequence of tuple
            The name and the number of each feature; none if the value is unobserved.
        """
        try:
            value = plain(value)
            if value is None or (type(value) is str and self.is_missing(value)):
                return ()
            if type(value) is str and value[:1] == "[" and (listed := as_list(value)) is not None:
                value = listed
            if isinstance(value, list):
                return self._listed(field, value)
            kind = self._known.get(field) or self.kind(field, value)
            return self._fitting(field, kind, value)
        except NotAllowed as error:
            if self.known_kind(field) == IGNORE:
                self.kind(field, value)
                return ()
            raise NotAllowed(_about(field, error)) from None
        except RecursionError:
            raise NotAllowed(f"feature {field!r}: lists are nested too deeply") from None

    def is_observed(self, value: Any) -> bool:
        """Whether a value of any door is not a missing one; it may be one that is not allowed."""
        try:
            found = plain(value)
        except NotAllowed:
            return True
        return found is not None and not (isinstance(found, str) and self.is_missing(found))

    def is_missing(self, text: str) -> bool:
        """Whether a text, stripped, means unobserved."""
        return text in self._missing or text.lower() in self._missing

    def is_no_label(self, text: str) -> bool:
        """Whether a text, stripped, means that a label is missing: ``-`` is one beside ``+``."""
        return self.is_missing(text) and (text != MINUS or MINUS in self.schema.null)

    def kind(self, field: Hashable, value: Any) -> str:
        """Return the kind of a field; decide it by this value if it has none.

        Parameters
        ----------
        field : hashable
            The name of the field.
        value : Any
            An observed, plain value.

        Returns
        -------
        str
            The kind.
        """
        kind = self._known.get(field)
        if kind is None:
            schema = self.schema
            kind = schema.kind(field)
            if kind is None:
                return self.decide(field, kind_of(value))
            if field not in schema.kinds and field not in schema.features_known:
                return self.decide(field, kind)  # it was declared, and is observed now
            self._known[field] = kind
        return kind

    def known_kind(self, field: Hashable) -> str | None:
        """Return the kind of a field; None if it is not decided yet."""
        kind = self._known.get(field)
        return self.schema.kind(field) if kind is None else kind

    def decide(self, field: Hashable, kind: str) -> str:
        """Settle the kind of a field that is first observed here.

        Parameters
        ----------
        field : hashable
            The name of the field.
        kind : str
            The kind.

        Returns
        -------
        str
            The same kind.
        """
        if field != field:
            raise InputError(NO_NAME)
        if isinstance(field, str) and not field.isascii():
            try:
                check_text(field)
            except NotAllowed as error:
                raise InputError(f"the name of a feature: {error}") from None
        self.decided[field] = self._known[field] = kind
        return kind

    def undecide(self, field: Hashable) -> None:
        """Forget the kind of a field that was decided here: the row that did so is refused."""
        self.decided.pop(field, None)
        self._known.pop(field, None)

    def _fitting(self, field: Hashable, kind: str, value: Any) -> Pairs:
        """The features of a value; those of a category if it does not fit its field."""
        found = KINDS[kind].features(field, value)
        if found is not None:
            return found
        if self.schema.strict:
            raise NotAllowed(
                f"{value!r:.60} is not {KINDS[kind].expected}, as this field is (strict; "
                f"{argument('null')} tells which texts mean unobserved)"
            )
        self.surprises[field] += 1
        return [(as_category(field, value), 1.0)]

    def _listed(self, field: Hashable, values: list[Any]) -> Pairs:
        """The features of a list, whatever the kind of its field."""
        observed = [item for item in values if item is not None]
        if not observed:
            return ()
        if any(isinstance(item, Mapping) for item in observed):
            return self._bag(field, observed)
        kind = self.kind(field, observed)
        if kind == IGNORE:
            return ()
        if kind not in (VECTOR, TAGS, TEXT, CATEGORY):  # a list where single values were expected
            if self.schema.strict:
                raise NotAllowed(f"a list is not {KINDS[kind].expected}, as this field is (strict)")
            self.surprises[field] += 1
            kind = kind_of(observed)
        found = KINDS[kind].features(field, values)
        if found is None:  # texts where numbers were expected
            self.surprises[field] += 1
            found = KINDS[TAGS].features(field, values)
        return found or ()

    def _bag(self, field: Hashable, items: list[Any]) -> Pairs:
        """A list of objects as a bag of their leaves: counts are added, numbers averaged."""
        if self.known_kind(field) == IGNORE:
            return ()
        totals: dict[Hashable, float] = {}
        times: Counter[Hashable] = Counter()
        for item in items:
            inside = item if isinstance(item, Mapping) else {"": item}
            for leaf, value in self._nested(inside, f"{field}.", 1):
                name_of_leaf = field if leaf == f"{field}." else leaf
                for name, number in self.pairs(name_of_leaf, value):
                    totals[name] = totals.get(name, 0.0) + number
                    times[name] += name == name_of_leaf  # a number, not a count
        ordered = sorted(totals, key=in_order)
        return [(name, totals[name] / max(1, times[name])) for name in ordered]

    # ------------------------------------------------------------------------------ rows

    def rows(self, records: Sequence[Mapping[Hashable, Any]]) -> Rows:
        """Make rows from records; what the schema calls label and weight is theirs.

        Parameters
        ----------
        records : sequence of mapping
            The records.

        Returns
        -------
        Rows
            The rows, checked, with the decisions that were taken.
        """
        place: dict[Hashable, int] = {}
        indices: list[int] = []
        values: list[float] = []
        counts = np.empty(len(records), np.int64)
        column_of, roles = place.setdefault, []
        for row, record in enumerate(records):
            if not isinstance(record, Mapping):
                raise InputError(f"row {row}: expected a dict, got {record!r:.200}")
            try:
                features, found = self.read(record)
            except NotAllowed as error:
                raise InputError(f"row {row}, {error}") from None
            counts[row] = len(features)
            indices += [column_of(name, len(place)) for name in features]
            values += features.values()
            roles.append(found)
        names = list(place)
        columns, numbers = np.array(indices, np.int32), np.array(values, np.float64)
        rows = Rows(offsets(counts), columns, numbers, len(names), names).marked()
        return self.with_roles(rows, roles)

    def with_roles(self, rows: Rows, roles: Sequence[Mapping[str, Any]]) -> Rows:
        """Add labels, weights and keys to rows, and what was decided."""
        from braided.records.roles import keys_of, labels_of, weights_of

        changes: dict[str, Any] = {"schema": self.decisions}
        if self.schema.label is not None:
            changes["labels"] = labels_of([found.get("label") for found in roles], self)
        if self.schema.weight is not None:
            changes["weights"] = weights_of([found.get("weight") for found in roles], self)
        if self.schema.key is not None:
            changes["keys"] = keys_of([found.get("key") for found in roles])
        return rows.with_arrays(**changes)


def _about(field: Hashable, error: NotAllowed) -> str:
    text = str(error)
    return text if text.startswith(("feature ", "field ")) else f"feature {field!r}: {text}"

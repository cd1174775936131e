"""Schema: which kind each field of a record has.

The kind of a field is declared, or decided once, when the field is first observed. A model keeps
its schema, so that a record means the same features tomorrow and through every door.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Hashable, Iterable, Mapping
from enum import Enum
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

from braided.errors import InputError, argument
from braided.records.kinds import IGNORE, KINDS, NUMBER
from braided.records.values import MISSING

__all__ = ["Decisions", "Schema", "in_order", "sorted_names"]

Names = str | Iterable[str]
_ROLES = ("label", "weight", "key")
_WILD = {*"*?["}


class Decisions(NamedTuple):
    """Which kinds were decided while rows were read; a model that learns the rows adopts them.

    Parameters
    ----------
    kinds : dict
        The kind of each field that was decided.
    base : Schema, optional
        The schema that was known before.
    """

    kinds: dict[Hashable, str]
    base: Schema | None = None


class Schema:
    """Which field of a record is a number, a category, a text, a date, and so on.

    A name may be a pattern, as in ``"utm_*"``. The kind of a field that is not declared is decided
    by its first observed value; in CSV files by the first rows.

    Parameters
    ----------
    label : str, optional
        The field with the label.
    weight : str, optional
        The field with the weight of a row.
    key : str, optional
        The field that names a record; it is no feature.
    number, flag, category, text, date, day_first, month_first : str or iterable of str, default ()
        Names of fields, or patterns, of each kind (``braided.records.KINDS``).
    tags, vector, ignore : str or iterable of str, default ()
        Names of fields, or patterns, of each kind (``braided.records.KINDS``).
    null : str or iterable of str, default ()
        More texts that mean unobserved, besides an empty text, NULL, NA, N/A, nan, None, ``?``
        and ``-``.
    strict : bool, default False
        Whether a value that does not fit the kind of its field is refused. By default it becomes
        the category ``field=value``.

    Attributes
    ----------
    kinds : dict
        The kinds that were decided, by field. Of a model, numbers that are features are left out:
        ``kind`` knows them.
    surprises : Counter
        How many values did not fit the kind of their field, by field.

    Examples
    --------
    >>> from braided import Braid
    >>> model = Braid()
    >>> model.schema = Schema(category="zip", ignore="utm_*")
    >>> model.learn_one({"zip": 10115, "age": 31, "note": "new phone", "utm_x": 7}, "yes")
    >>> model.schema.kind("zip"), model.schema.kind("age"), model.schema.kind("note")
    ('category', 'number', 'text')
    >>> model.schema.features({"zip": 10115, "age": 31, "note": "new phone", "utm_x": 7})
    {'age': 31.0, 'note:new': 1.0, 'note:phone': 1.0, 'zip=10115': 1.0}
    """

    def __init__(
        self,
        *,
        label: str | None = None,
        weight: str | None = None,
        key: str | None = None,
        number: Names = (),
        flag: Names = (),
        category: Names = (),
        text: Names = (),
        date: Names = (),
        day_first: Names = (),
        month_first: Names = (),
        tags: Names = (),
        vector: Names = (),
        ignore: Names = (),
        null: Names = (),
        strict: bool = False,
    ) -> None:
        self.label, self.weight, self.key, self.strict = label, weight, key, strict
        self.null = _as_tuple("null", null)
        dates = (date, day_first, month_first)
        given = (number, flag, category, text, *dates, tags, vector, ignore)
        self.declared = {
            kind: names
            for kind, each in zip(KINDS, given, strict=True)
            if (names := _as_tuple(kind, each))
        }
        self._check()
        each_name = [(name, kind) for kind, names in self.declared.items() for name in names]
        self._by_name = dict(each_name)
        self._patterns = [(name, kind) for name, kind in each_name if _WILD & {*name}]
        self._ignored = [name for name, kind in each_name if kind == IGNORE]
        self.kinds: dict[Hashable, str] = {}
        self.surprises: Counter[Hashable] = Counter()
        self.features_known: Container[Hashable] = ()  # of a model: a number among them has a kind

    def _check(self) -> None:
        roles = [(role, getattr(self, role)) for role in _ROLES]
        for role, name in roles:
            if name is not None and not isinstance(name, str):
                raise InputError(f"{role}={name!r} is not allowed: expected the name of a field")
        exact = [(kind, name) for kind, names in self.declared.items() for name in names]
        taken: dict[str, str] = {}
        for what, name in [*((r, n) for r, n in roles if n is not None), *exact]:
            if {taken.get(name), what} == {"key", IGNORE}:
                continue  # a key is no feature: to ignore it says the same
            if name in taken and taken[name] != what:
                raise InputError(
                    f"field {name!r} can not be both: {argument(taken[name])} and {argument(what)}"
                )
            taken[name] = what

    @property
    def missing(self) -> frozenset[str]:
        """The texts, in small letters, that mean unobserved."""
        return MISSING.union(text.strip().lower() for text in self.null)

    @property
    def roles(self) -> dict[str, str]:
        """The fields that are no features, and what they are: label, weight or key."""
        named = ((getattr(self, role), role) for role in _ROLES)
        return {name: role for name, role in named if name is not None}

    def kind(self, field: Hashable) -> str | None:
        """Return the kind of a field.

        Parameters
        ----------
        field : hashable
            Its name.

        Returns
        -------
        str or None
            The kind; None if it is neither declared nor decided.
        """
        found = self.kinds.get(field) or self.declared_kind(field)
        return NUMBER if found is None and field in self.features_known else found

    def declared_kind(self, field: Hashable) -> str | None:
        """Return the kind that was declared for a field.

        Parameters
        ----------
        field : hashable
            Its name.

        Returns
        -------
        str or None
            The kind; a name goes before a pattern, and a field inside an ignored one is ignored.
            None if none was declared.
        """
        if not self._by_name or not isinstance(field, str):
            return None
        found = self._by_name.get(field)
        if found is None and self._patterns:
            found = next((k for pattern, k in self._patterns if fnmatchcase(field, pattern)), None)
        if found is None and "." in field and self._ignored:
            outer = field.rpartition(".")[0]
            return IGNORE if self.declared_kind(outer) == IGNORE else None
        return found

    def features(self, record: Mapping[Hashable, Any]) -> dict[Hashable, float]:
        """Return the features that a record means; nothing is decided by it.

        Parameters
        ----------
        record : mapping
            The value of each field, by name.

        Returns
        -------
        dict
            The number of each feature, by name.
        """
        from braided.records.convert import Converter

        return Converter(self).features(record)

    # ------------------------------------------------------------------------- decisions

    def decide(self, field: Hashable, kind: str) -> None:
        """Keep the kind of a field, if it has none yet.

        Parameters
        ----------
        field : hashable
            Its name.
        kind : str
            One of ``braided.records.KINDS``.
        """
        self.kinds.setdefault(field, kind)

    def adopt(self, decisions: Decisions, *, numbers: bool = True) -> None:
        """Keep the kinds that were decided while rows were read, now that they are learned.

        What this schema declares itself needs not be kept.

        Parameters
        ----------
        decisions : Decisions
            The decisions.
        numbers : bool, default True
            Whether numbers that are no features are kept; not by a model that drops names.
        """
        known, declared = self.features_known, self.declared_kind
        bases = [] if decisions.base in (None, self) else [decisions.base]
        for kinds in (*(base.kinds for base in bases if base is not None), decisions.kinds):
            for field, kind in kinds.items():
                kept = kind != NUMBER or (numbers and field not in known)
                if kept and kind != declared(field):
                    self.kinds.setdefault(field, kind)

    def check_adoption(self, decisions: Decisions) -> None:
        """Refuse rows that were read in another way than this schema says.

        Parameters
        ----------
        decisions : Decisions
            What was decided while they were read.
        """
        if decisions.base is self:
            return
        base = decisions.base.kinds if decisions.base is not None else {}
        for field, kind in {**base, **decisions.kinds}.items():
            known = self.kinds.get(field) or self.declared_kind(field) or kind
            if known != kind:
                raise InputError(
                    f"field {field!r} was read as {kind}, and this model knows it as {known}: read "
                    "the rows with the model's schema"
                )

    def copy(self) -> Schema:
        """Make a schema with the same declarations and decisions.

        Returns
        -------
        Schema
            A new schema; what is decided in one is not known to the other.
        """
        copied = self.unlearned()
        copied.kinds = dict(self.kinds)
        copied.features_known = self.features_known
        return copied

    def with_roles(self, **roles: str | None) -> Schema:
        """Make the same schema with another label, weight or key.

        Parameters
        ----------
        **roles : str or None
            The field of each role that changes.

        Returns
        -------
        Schema
            A new schema.
        """
        copied = self.copy()
        for role, name in roles.items():
            setattr(copied, role, name)
        copied._check()  # noqa: SLF001 - of this class
        return copied

    def unlearned(self) -> Schema:
        """Make a schema with the same declarations, in which nothing was decided.

        Returns
        -------
        Schema
            A new schema.
        """
        roles = {role: getattr(self, role) for role in _ROLES}
        declared: dict[str, Any] = dict(self.declared)
        return Schema(**roles, **declared, null=self.null, strict=self.strict)

    # --------------------------------------------------------------------- comparison, files

    @property
    def is_blank(self) -> bool:
        """Whether nothing was declared, and nothing decided but numbers that are features."""
        return not self.to_json()

    def to_json(self) -> dict[str, Any]:
        """Return the schema as values that JSON can represent, for a model file.

        Returns
        -------
        dict
            What was declared and decided, in an order that follows from the names alone.
        """
        roles = {role: getattr(self, role) for role in _ROLES}
        known, by_kind = self.features_known, dict[str, list[Hashable]]()
        for field, kind in self.kinds.items():
            if kind != NUMBER or field not in known:
                by_kind.setdefault(kind, []).append(field)
        found: dict[str, Any] = {role: name for role, name in roles.items() if name is not None}
        found |= {"null": list(self.null)} if self.null else {}
        found |= {"strict": True} if self.strict else {}
        found |= (
            {"declared": {k: list(v) for k, v in self.declared.items()}} if self.declared else {}
        )
        if by_kind:
            found["kinds"] = {kind: sorted(by_kind[kind], key=in_order) for kind in sorted(by_kind)}
        return found

    @classmethod
    def from_json(cls, item: Any) -> Schema:
        """Make the schema that a model file describes.

        Parameters
        ----------
        item : Any
            What ``to_json`` returned, or what somebody forged.

        Returns
        -------
        Schema
            The schema.

        Raises
        ------
        InputError
            If it is no schema.
        """
        if not isinstance(item, dict) or not set(item) <= {
            *_ROLES,
            "null",
            "strict",
            "declared",
            "kinds",
        }:
            raise InputError("its schema is none")
        declared, kinds = item.get("declared", {}), item.get("kinds", {})
        null, strict = item.get("null", []), item.get("strict", False)
        if not _lists_by_kind(declared, str) or not _lists_by_kind(kinds, Hashable):
            raise InputError("its schema names kinds of fields that there are not")
        if not _all_are(null, str) or not isinstance(strict, bool):
            raise InputError("its schema is none")
        roles: dict[str, Any] = {role: item.get(role) for role in _ROLES}
        schema = cls(**roles, **declared, null=null, strict=strict)
        for kind, fields in kinds.items():
            for field in fields:
                if field in schema.kinds:
                    raise InputError("its schema gives a field two kinds")
                schema.kinds[field] = kind
        return schema

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Schema) and self.to_json() == other.to_json()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        roles = [f"{name}={role}" for name, role in self.roles.items()]
        fields = [f"{field}={kind}" for field, kind in self.kinds.items()]
        return f"<Schema: {', '.join([*roles, *fields]) or 'nothing decided'}>"


def in_order(name: Hashable) -> tuple[str, Any]:
    """A key by which names of any type can be sorted; numbers by size, texts as Python does."""
    if isinstance(name, str):
        return ("str", name)
    if isinstance(name, int | float):
        return ("", name)
    # A reserved name, such as that of an intercept, comes last, as in the rows of an engine.
    return ("~" if isinstance(name, Enum) else type(name).__name__, repr(name))


def sorted_names(names: Iterable[Hashable]) -> list[Hashable]:
    """Sort names of any types; this order is that of the features of a row.

    Parameters
    ----------
    names : iterable of hashable
        The names.

    Returns
    -------
    list of hashable
        The names in order.
    """
    try:
        return sorted(names)  # type: ignore[type-var]
    except TypeError:
        return sorted(names, key=in_order)


def _as_tuple(argument_name: str, names: Names) -> tuple[str, ...]:
    found = (names,) if isinstance(names, str) else tuple(names)
    for name in found:
        if not isinstance(name, str):
            raise InputError(f"{argument_name}={names!r} is not allowed: expected texts")
    return found


def _all_are(items: Any, kind: Any) -> bool:
    return isinstance(items, list) and all(isinstance(item, kind) for item in items)


def _lists_by_kind(item: Any, kind: Any) -> bool:
    return (
        isinstance(item, dict)
        and set(item) <= set(KINDS)
        and all(_all_are(fields, kind) for fields in item.values())
    )

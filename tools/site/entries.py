"""Pages made from the tables of the registry: learners, file formats, field kinds and so on."""

from __future__ import annotations

from typing import Any

from braided import registry
from braided.cli.parsing import as_text
from braided.records import KINDS
from tools.site.tables import code, table

FIELD_OPTIONS = {
    "fields": "label, weight, kinds of fields, texts that mean unobserved",
    "layout": "separator, header, names of columns",
}


def pages() -> dict[str, str]:
    """The pages by their path."""
    return {
        "reference/learner-names.md": _learners(),
        "reference/field-kinds.md": _kinds(),
        "reference/file-formats.md": _formats(),
        "reference/stream-shapes.md": _shapes(),
        "reference/metrics.md": _metrics(),
    }


def _learners() -> str:
    rows = []
    for entry in registry.LEARNERS:
        settings = dict(entry.preset) if entry.alias_of else registry.parameters(entry.name)
        of = f"`{entry.alias_of}` with " if entry.alias_of else ""
        link = f"[`{entry.class_name}`](learners/{entry.class_name}.md)"
        rows.append((code(entry.name), link, entry.about, of + code(as_text(settings))))
    head = "# Learners by name\n\nFor `--learner`, and for `braided.registry.create`.\n\n"
    wrappers = (
        "\n## Wrappers\n\nWritten before a name, as in `scaled+olsf`; the outer one first.\n\n"
    )
    wrapped = [
        (code(f"{name}+NAME"), registry.resolve(home).__doc__.partition("\n")[0])
        for name, home in registry.WRAPPERS.items()
    ]
    experts = "\n## Experts of Braid\n\n"
    return (
        head
        + table(("name", "class", "what it is", "parameters"), rows)
        + wrappers
        + table(("name", "what it does"), wrapped)
        + experts
        + table(("expert", "what it is"), [(e.name, e.about) for e in registry.EXPERTS])
    )


def _kinds() -> str:
    head = (
        "# Field kinds\n\nWhat a field of a record can be, and the features that values become. "
        "A kind is decided when a field is first seen, or by you: see "
        "[Records](../records.md#kinds-of-fields).\n\n"
    )
    rows = [
        (code(kind.name), kind.about.replace("'", "`"), kind.expected, code(_flag(kind.name)))
        for kind in KINDS.values()
    ]
    return head + table(("kind", "becomes", "a value must be", "flag"), rows)


def _flag(kind: str) -> str:
    return "--" + kind.replace("_", "-")


def _formats() -> str:
    head = (
        "# File formats\n\nThe format of a file is known by its name, or by its content; "
        "`--format` settles it. All of them may be compressed (`.gz`, `.bz2`, `.xz`, `.zst`, "
        "`.zip`). A line that does not follow the rule stops the run; `--on-error skip` leaves "
        "it out, `--on-error quarantine` keeps it in a file with the reason.\n\n"
    )
    text = [head]
    for entry in registry.FORMATS:
        text.append(f"## {entry.name}\n\n{entry.about[0].upper()}{entry.about[1:]}. ")
        text.append(f"Suffixes: {', '.join(map(code, entry.suffixes))}.\n\n")
        if entry.allowed:
            text.append(f"A line: {entry.allowed.removeprefix('allowed: ')}.\n\n")
        options = [FIELD_OPTIONS.get(option, option) for option in entry.options]
        if options:
            text.append(f"Options for it: {'; '.join(options)}.\n\n")
        if isinstance(entry.example, bytes):
            text.append(f"```text\n{entry.example.decode()}```\n\n")
    return "".join(text)


def _shapes() -> str:
    head = (
        "# Stream shapes\n\nFor `--stream`; in Python functions of `braided.streams`. "
        "Pictures are in [Streams](../concepts/streams.md).\n\n"
    )
    rows = [
        (
            code(shape.name),
            shape.about,
            "<br>".join(f"{code(o.name)}: {o.about} (default {o.default})" for o in shape.options),
        )
        for shape in registry.SHAPES
    ]
    return head + table(("shape", "what happens", "options"), rows)


def _metrics() -> str:
    def classes(metric: Any) -> str:
        return "two or more" if metric.many_classes else "two"

    rows = [(code(m.name), m.about, classes(m)) for m in registry.METRICS]
    head = "# Metrics\n\nFor `--metrics` and `evaluate.prequential(..., metrics=[...])`.\n\n"
    return head + table(("name", "what it is", "labels"), rows)

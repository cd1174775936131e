"""The pages of the Python reference: which public name is on which page."""

from __future__ import annotations

import inspect
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple

from braided import registry
from tools.site.tables import code, table


class Page(NamedTuple):
    """A page of the reference: some names of one room."""

    path: str
    title: str
    about: str
    room: str
    names: tuple[str, ...] = ()  # all of the room's, if empty
    inherited: bool = False  # whether methods of base classes are shown


ROOMS = (
    Page("learner", "Learner", "What every learner can do.", "braided", ("Learner",)),
    Page(
        "wrappers",
        "Wrappers",
        "Learners made of learners, and learners in pipelines of river. Each has the methods of "
        "[Learner](learner.md), too.",
        "braided.compose",
    ),
    Page(
        "records",
        "Records and rows",
        "How the fields of a record become features, and the form that learners see.",
        "braided",
        ("Schema", "as_rows", "Rows", "FeatureSpace"),
    ),
    Page("errors", "Errors", "What is raised.", "braided",
         ("InputError", "ModelFileError", "DataWarning")),
    Page("model_files", "Model files", "Save, load, resume. The format is described in "
         "[Model files](../model_files.md).", "braided.model_files"),
    Page("streams", "Streams", "Shapes of streams, and reading files block by block.",
         "braided.streams"),
    Page("datasets", "Datasets", "Datasets to try things on.", "braided.datasets"),
    Page("evaluate", "Evaluate", "How well learners do.", "braided.evaluate"),
    Page("report", "Report", "HTML pages and pictures. See [Reports](../report.md).",
         "braided.report"),
    Page("live", "Live", "Labels that come later than their records.", "braided.live"),
    Page("spark", "Spark", "The same learners on a cluster.", "braided.spark"),
    Page("registry", "Registry", "The tables of everything that has a name. "
         "[Add your own](../extending.md) shows how to use them.", "braided.registry"),
    Page("checks", "Checks", "The promises that every learner, metric, format, shape, expert and "
         "chart keeps.", "braided.checks"),
    Page("algorithm", "Algorithm", "What a family of learners provides: for those who write one.",
         "braided.learner.algorithm"),
)  # fmt: skip
"""All pages but those of single learners; a room that is not there has no page."""

FRONT_DOOR = {
    "from_bytes": "braided.model_files",
    "load": "braided.model_files",
    "register": "braided.registry",
}
"""Names of ``braided`` that are described in their room."""


def pages() -> dict[str, str]:
    """The pages by their path."""
    found = {f"reference/{page.path}.md": _room(page) for page in rooms()}
    for name in learner_classes():
        found[f"reference/learners/{name}.md"] = _learner(name)
    found["reference/index.md"] = _index()
    return found


def rooms() -> list[Page]:
    """The pages of rooms that there are."""
    return [page for page in ROOMS if find_spec(page.room)]


def learner_classes() -> list[str]:
    """The classes of learners with a page of their own, in the order of the registry."""
    return list(dict.fromkeys(entry.class_name for entry in registry.LEARNERS))


def places() -> dict[str, tuple[str, str]]:
    """Every public name, as users import it: its page and its anchor."""
    found: dict[str, tuple[str, str]] = {}
    for name in learner_classes():
        found[f"braided.{name}"] = (f"learners/{name}.md", f"braided.{name}")
    for page in rooms():
        for name in _names(page):
            found[f"{page.room}.{name}"] = (f"{page.path}.md", f"{page.room}.{name}")
    for name in import_module("braided").__all__:
        full = f"braided.{name}"
        if full in found:
            continue
        thing = getattr(import_module("braided"), name)
        if inspect.ismodule(thing):
            page = next(page for page in rooms() if page.room == full)
            found[full] = (f"{page.path}.md", full.replace(".", "-"))
            continue
        room = FRONT_DOOR.get(name, "braided.compose")
        found[full] = found[f"{room}.{name}"]
    return found


def _names(page: Page) -> tuple[str, ...]:
    return page.names or tuple(import_module(page.room).__all__)


def _room(page: Page) -> str:
    # The anchor of a room, for links to it.
    text = f'# {page.title}\n\n<a id="{page.room.replace(".", "-")}"></a>\n\n{page.about}\n'
    return text + "".join(_entry(f"{page.room}.{name}") for name in _names(page))


def _entry(full: str) -> str:
    return f"\n## {full.rpartition('.')[2]}\n\n::: {full}\n"


def _learner(name: str) -> str:
    entries = [entry for entry in registry.LEARNERS if entry.class_name == name]
    names = ", ".join(code(entry.name) for entry in entries)
    text = f"# {name}\n\nOn the command line: {names}. Has all methods of [Learner](../learner.md)."
    if name != "Braid":
        text += (
            f" A picture of what it does: [Learners](../../concepts/learners.md#{name.lower()})."
        )
    return f"{text}\n\n::: braided.{name}\n"


def _index() -> str:
    head = (
        "# Reference\n\n"
        "Public is what `braided` and its rooms name in `__all__`, the [commands]"
        "(command-line.md) with their flags, and the [formats of files](file-formats.md).\n\n"
        "| tables | |\n|---|---|\n"
        "| [Command line](command-line.md) | every command and flag |\n"
        "| [HTTP API](http-api.md) | every call of a service |\n"
        "| [Learners by name](learner-names.md) | for `--learner` |\n"
        "| [Field kinds](field-kinds.md) | what a field of a record can be |\n"
        "| [File formats](file-formats.md) | what can be read, with the rules |\n"
        "| [Stream shapes](stream-shapes.md) | for `--stream` |\n"
        "| [Metrics](metrics.md) | for `--metrics` |\n"
        "| [Model file format](../model_files.md#model-file-format) | what is in a file |\n\n"
        "## Every public name\n\n"
    )
    rows = [
        (f"[`{full}`]({page}#{anchor})", _summary(full))
        for full, (page, anchor) in sorted(places().items(), key=lambda item: item[0].lower())
    ]
    return head + table(("name", "what it is"), rows)


def _summary(full: str) -> str:
    room, _, name = full.rpartition(".")
    thing: Any = getattr(import_module(room), name)
    if inspect.isclass(thing) or inspect.isroutine(thing) or inspect.ismodule(thing):
        return (inspect.getdoc(thing) or "").partition("\n")[0]
    return "A constant."

"""Every public name has its place in the reference, with an example; every flag is on its page."""

from __future__ import annotations

import doctest
import inspect
import re
from importlib import import_module
from importlib.util import find_spec

import pytest
from tools.site import command_line, reference
from tools.site.pages import DOCS, ROOT, made_pages

from braided.cli.app import COMMANDS, build
from tests.support.docstrings import MODULES

ROOMS = [*MODULES, "braided.live", *filter(find_spec, ["braided.spark"])]
DIRECTIVE = re.compile(r"^::: (\S+)$", re.MULTILINE)


def thing_of(full):
    room, _, name = full.rpartition(".")
    return getattr(import_module(room), name)


def public_names():
    return [f"{room}.{name}" for room in ROOMS for name in import_module(room).__all__]


@pytest.fixture(scope="module")
def documented():
    """What the pages of the reference describe, as mkdocstrings will find it."""
    texts = reference.pages().values()
    return {full for text in texts for full in DIRECTIVE.findall(text)}


@pytest.mark.parametrize("full", public_names())
def test_every_public_name_has_a_page_and_an_example(full, documented):
    thing = thing_of(full)
    if inspect.ismodule(thing):
        assert thing.__name__ in {page.room for page in reference.rooms()}
        return
    assert any(thing_of(other) is thing for other in documented), f"{full} is on no page"
    if inspect.isclass(thing) or inspect.isroutine(thing):
        assert ">>> " in (inspect.getdoc(thing) or ""), f"{full} has no example"
    else:
        examples = examples_of_constant(full)
        assert examples, f"{full} has no example"
        for example in examples:  # doctest does not look below constants
            assert not doctest.DocTestRunner().run(example).failed


def examples_of_constant(full):
    griffe = pytest.importorskip("griffe")
    package = griffe.load("braided", search_paths=[ROOT / "src"])
    found = package[full.removeprefix("braided.")]
    text = found.docstring.value if found.docstring else ""
    parser = doctest.DocTestParser()
    return [parser.get_doctest(text, {}, full, full, 0)] if ">>> " in text else []


def test_every_page_is_in_the_navigation():
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    written = [page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md")]
    for path in [*made_pages(), *written]:
        assert re.search(rf"(: |- ){re.escape(path)}\n", navigation), f"{path}: add it to nav"


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.__name__)
def test_every_flag_is_on_the_page_of_the_command_line(command):
    """Compared with what ``--help`` is made from."""
    name = command.__name__
    section = command_line.page().split(f"\n## braided {name}\n")[1].split("\n## ")[0]
    rows = [line.split(" | ") for line in section.splitlines() if line.startswith("| ")]
    real = build(name).commands[name]
    assert real.help.strip().split("\n\n")[0] in section
    for parameter in real.params:
        if parameter.name == "help":
            continue
        for way in parameter.opts + parameter.secondary_opts:
            shown = way if way.startswith("-") else parameter.metavar or parameter.name.upper()
            row = next((row for row in rows if f"`{shown}`" in row[0]), None)
            assert row is not None, f"braided {name} {shown} is not on the page"
            assert any(len(cell) > 10 for cell in row[1:]), f"braided {name} {shown}: no meaning"


def test_every_command_is_on_the_page():
    assert set(command_line.commands()) == set(build(None).commands)
    for name in build(None).commands:
        assert f"\n## braided {name}\n" in command_line.page()

"""The public names: sorted, importable, documented, and cheap to see."""

from __future__ import annotations

import inspect
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import pytest

import braided
from braided import registry
from braided.learner import algorithm

MODULES = sorted(
    module.name
    for module in walk_packages(braided.__path__, "braided.")
    if not module.name.endswith("__main__")
)


def public(module):
    return [(name, getattr(module, name)) for name in getattr(module, "__all__", ())]


def natural(name: str) -> tuple[int, str]:
    """Constants, then classes, then functions: the order that ruff sorts ``__all__`` in."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2), name


def test_the_packages_names_are_sorted_and_importable():
    assert braided.__all__ == sorted(braided.__all__, key=natural)
    assert len(set(braided.__all__)) == len(braided.__all__)
    for name in braided.__all__:
        assert getattr(braided, name) is not None
    assert set(dir(braided)) >= set(braided.__all__)
    namespace: dict[str, object] = {}
    exec("from braided import *", namespace)
    assert set(braided.__all__) <= set(namespace)


def test_every_learner_of_the_registry_is_public():
    for entry in registry.LEARNERS:
        assert getattr(braided, entry.class_name) is registry.resolve(entry.home)
        assert entry.class_name in dir(braided)


def test_every_name_that_is_imported_lazily_is_public():
    assert set(braided.HOMES) <= set(braided.__all__)
    assert all(hasattr(import_module(home), name) for name, home in braided.HOMES.items())


def test_a_name_that_does_not_exist():
    with pytest.raises(AttributeError, match="module 'braided' has no attribute 'nonsense'"):
        braided.nonsense  # noqa: B018
    assert isinstance(braided.__version__, str)


@pytest.mark.parametrize("name", MODULES)
def test_every_module_says_what_it_is_for_and_keeps_to_its_names(name):
    module = import_module(name)
    assert module.__doc__
    names = getattr(module, "__all__", [])
    assert len(set(names)) == len(names)
    for public_name, thing in public(module):
        if inspect.isclass(thing) or inspect.isfunction(thing):
            assert inspect.getdoc(thing), f"{name}.{public_name} has no docstring"


def documented_in_protocols() -> set[str]:
    """What families provide is documented once, where it is asked for."""
    return {
        name
        for _, protocol in public(algorithm)
        for name, member in vars(protocol).items()
        if inspect.getdoc(member)
    }


@pytest.mark.parametrize("name", braided.__all__)
def test_every_public_class_and_its_public_methods_have_a_docstring(name):
    thing = getattr(braided, name)
    assert inspect.getdoc(thing)
    if inspect.isclass(thing):
        for method, member in vars(thing).items():
            if method.startswith("_") or method in documented_in_protocols():
                continue
            if callable(member) or isinstance(member, property):
                assert inspect.getdoc(member), f"{name}.{method} has no docstring"


def test_the_package_is_typed_and_imports_quickly():
    assert (Path(braided.__file__).parent / "py.typed").is_file()
    code = (
        "import sys, braided; print([m for m in ('numba', 'sklearn', 'scipy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"

"""Rules of the whole repository that no linter knows, read from its files."""

from __future__ import annotations

import inspect
import re
import subprocess
from functools import lru_cache
from importlib import import_module, metadata
from pathlib import Path
from pkgutil import walk_packages

import pytest

import braided
from tests.support.private_names import is_private, offences

ROOT = Path(__file__).parents[1]
CODE = ("src", "tests", "benchmarks", "tools")

# Folders of one machine, and where one machine gets its packages from: a clone has neither.
MACHINE = re.compile(
    rb"(?<![\w.])/(?:work|home|root|Users|mnt|opt|srv|tmp)/\w|[A-Z]:\\Users"
    rb"|index-url|find-links|PIP_INDEX|https?://(?!pypi\.org)[\w.-]*(?:pypi|artifact|nexus|mirror)"
)


@lru_cache
def files() -> list[Path]:
    """All files of the repository; of an unpacked source distribution, all that is code."""
    told = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if told.returncode == 0:
        found = [ROOT / line for line in told.stdout.splitlines()]
    else:
        found = [path for folder in CODE for path in (ROOT / folder).rglob("*.py")]
    return sorted(path for path in found if path.is_file())


def code() -> dict[Path, str]:
    return {
        path.relative_to(ROOT): path.read_text()
        for path in files()
        if path.suffix == ".py" and path.relative_to(ROOT).parts[0] in CODE
    }


# ---------------------------------------------------------------------------- private names


def test_no_code_reaches_a_private_name_of_another_package():
    assert offences(code()) == []


@pytest.mark.parametrize(
    "text",
    [
        "model._engine",
        "model._engine = None",
        "from braided.a.one import _engine",
        "import braided.a._engine",
        "from braided.a._engine import x",
        "getattr(model, '_engine', None)",
        "monkeypatch.setattr(Model, '_engine', None)",
        "monkeypatch.setattr('braided.a._engine.Model', None)",
    ],
)
def test_private_names_of_another_package_are_found(text):
    one = "class Model:\n    def __init__(self):\n        self._engine = None\n"
    for other, found in (
        ("b/two.py", ["b/two.py:1: _engine"]),
        ("a/two.py", []),
        ("a/b/two.py", []),
    ):
        assert offences({Path("a/one.py"): one, Path(other): text}) == found


@pytest.mark.parametrize("text", ["row._replace(a=1)", "model.__doc__", "_, last = 1, 2", "x.y_"])
def test_what_only_looks_private_is_left_alone(text):
    assert offences({Path("a.py"): text}) == []


BY_PYTHON = ("_abc_", "_is_protocol", "_is_runtime_protocol")  # written into classes by Python


def private_members(kind: type) -> set[str]:
    return {name for name in vars(kind) if is_private(name) and not name.startswith(BY_PYTHON)}


def package_of(kind: type) -> str:
    """The room that a class lives in: ``braided.learner`` of ``braided.learner.engine``."""
    return ".".join(kind.__module__.split(".")[:2])


def test_no_class_overrides_a_private_member_of_another_package():
    found = set()
    for module in walk_packages(braided.__path__, "braided."):
        if module.name.endswith("__main__"):
            continue
        for _, kind in inspect.getmembers(import_module(module.name), inspect.isclass):
            for base in kind.__mro__[1:]:
                shared = private_members(kind) & private_members(base)
                if base.__module__.startswith("braided.") and package_of(base) != package_of(kind):
                    found |= {f"{kind.__name__}.{name} of {base.__name__}" for name in shared}
    assert found == set()


# ------------------------------------------------------------------------- version and machine


def test_the_version_stands_in_one_place():
    version = braided.__version__
    holding = [path for path in files() if version.encode() in path.read_bytes()]
    assert holding == [ROOT / "src" / "braided" / "__init__.py"]
    assert metadata.version("braided") == version


def test_no_file_names_a_folder_or_a_package_index_of_one_machine():
    found = [
        f"{path.relative_to(ROOT)}: {match.group().decode()}"
        for path in files()
        if path != Path(__file__)
        for match in MACHINE.finditer(path.read_bytes())
    ]
    assert found == []

"""Which private names a source file reaches for, and which ones it defines."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

# Public in all but spelling: named tuples and os offer these names, and Numba offers no others.
EXCEPTIONS = {"_replace", "_fields", "_asdict", "_make", "_exit", "_getvalue", "_cache"}
EXCEPTIONS |= {"_load_overload"}
EXCEPTIONS |= {"_jvm", "_jsc", "_gateway"}  # of pyspark: there is no other way to Hadoop's files
BY_TEXT = {"getattr", "setattr", "hasattr", "delattr"}


def is_private(name: str) -> bool:
    """Whether a name begins with one underscore, and is not `_` alone."""
    return name.startswith("_") and not name.endswith("_") and name not in EXCEPTIONS


def defined(tree: ast.Module) -> set[str]:
    """The private names of functions, classes, variables, and members of ``self``."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.Attribute) and _is_own(node):
            names.add(node.attr)
    return {name for name in names if is_private(name)}


def _is_own(node: ast.Attribute) -> bool:
    """Whether this writes a member of ``self`` or ``cls``."""
    owner = node.value.id if isinstance(node.value, ast.Name) else None
    return isinstance(node.ctx, ast.Store) and owner in ("self", "cls")


def reached(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Each private name that is imported, or read from an object, with its line."""
    for node in ast.walk(tree):
        names: list[str] = []
        if isinstance(node, ast.Attribute):
            names = [node.attr]
        elif isinstance(node, ast.ImportFrom):
            names = [*(node.module or "").split("."), *(alias.name for alias in node.names)]
        elif isinstance(node, ast.Import):
            names = [part for alias in node.names for part in alias.name.split(".")]
        elif isinstance(node, ast.Call) and _function_name(node) in BY_TEXT:
            texts = [each.value for each in node.args[:2] if isinstance(each, ast.Constant)]
            names = [part for text in texts if isinstance(text, str) for part in text.split(".")]
        yield from ((node.lineno, name) for name in names if is_private(name))


def _function_name(call: ast.Call) -> str:
    """``setattr`` of ``setattr(...)`` and of ``monkeypatch.setattr(...)``."""
    function = call.func
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def offences(files: dict[Path, str]) -> list[str]:
    """Every private name that a file reaches for and no file of its package defines.

    A package is a folder with the folders inside it and around it: ``learners/braid`` may use what
    ``learners/braid/experts`` or ``learners`` defines, and not what ``learners/glsc`` does.
    """
    trees = {path: ast.parse(text) for path, text in files.items()}
    known: dict[Path, set[str]] = {}
    for path, tree in trees.items():
        known.setdefault(path.parent, set()).update(defined(tree))
    return [
        f"{path}:{line}: {name}"
        for path, tree in trees.items()
        for line, name in reached(tree)
        if not any(
            name in names
            for folder, names in known.items()
            if folder.is_relative_to(path.parent) or path.parent.is_relative_to(folder)
        )
    ]

"""Griffe takes the first of ``{"a", "b"}, default "b"`` for the default; this writes it plainly."""

from __future__ import annotations

import re
from typing import Any

import griffe

CHOICES = re.compile(r"^( *[\w, *]+ : )\{(.+)\}", re.MULTILINE)


class Choices(griffe.Extension):
    """Write choices as ``"a" or "b"``."""

    def on_object(self, *, obj: griffe.Object, **others: Any) -> None:
        """Change the docstring of each object, when all of it is known."""
        if obj.docstring is not None:
            obj.docstring.value = CHOICES.sub(_plain, obj.docstring.value)


def _plain(match: re.Match[str]) -> str:
    return match[1] + " or ".join(match[2].split(", "))

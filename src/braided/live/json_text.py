"""JSON as it is sent: answers, predictions, payloads that the journal keeps."""

from __future__ import annotations

import json
from typing import Any

__all__ = ["text_of"]

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=str).encode


def text_of(item: Any) -> bytes:
    """Write JSON; halves of characters become question marks.

    Parameters
    ----------
    item : Any
        What JSON can represent.

    Returns
    -------
    bytes
        The text.
    """
    return _encode(item).encode("utf-8", "replace")

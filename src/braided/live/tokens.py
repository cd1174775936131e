"""Tokens: who may read, write, or administer."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from pathlib import Path

from braided.errors import InputError

__all__ = ["ADMIN", "READ", "ROLES", "WRITE", "Tokens"]

READ, WRITE, ADMIN = "read", "write", "admin"
ROLES = (READ, WRITE, ADMIN)
"""Each may do what those before it may: look and predict; teach; create, replace and remove."""

VARIABLE = "BRAIDED_TOKENS"
_SHORTEST = 16


class Tokens:
    """Bearer tokens and their roles. Only hashes are kept, and hashes are compared.

    Parameters
    ----------
    lines : iterable of str
        A role and a token in each, as in ``write 0123456789abcdef``; # begins a comment.

    Examples
    --------
    >>> tokens = Tokens(["read 0123456789abcdef"])
    >>> tokens.allows("Bearer 0123456789abcdef", READ), tokens.allows("Bearer ?", READ)
    (True, False)
    >>> tokens.allows("Bearer 0123456789abcdef", WRITE)
    False
    """

    def __init__(self, lines: Iterable[str] = ()) -> None:
        self._ranks: dict[bytes, int] = {}
        for number, line in enumerate(lines, start=1):
            words = line.split("#")[0].split()
            if not words:
                continue
            if len(words) != 2 or words[0] not in ROLES or len(words[1]) < _SHORTEST:
                raise InputError(
                    f"tokens, line {number}: write a role ({', '.join(ROLES)}) and a token of at "
                    f"least {_SHORTEST} characters"
                )
            self._ranks[_hash(words[1])] = ROLES.index(words[0])

    @classmethod
    def find(cls, path: str | None) -> Tokens:
        """Read tokens from a file, or from the environment (``BRAIDED_TOKENS``).

        Parameters
        ----------
        path : str or None
            The file.

        Returns
        -------
        Tokens
            The tokens; none if there are none.
        """
        if path is not None:
            return cls(Path(path).read_text(encoding="utf-8").splitlines())
        return cls(os.environ.get(VARIABLE, "").replace(",", "\n").splitlines())

    def __len__(self) -> int:
        return len(self._ranks)

    def rank(self, header: str | None) -> int:
        """Return what a request may do.

        Parameters
        ----------
        header : str or None
            Its Authorization header.

        Returns
        -------
        int
            The place of the role in ``ROLES``; -1 for none.
        """
        if not self._ranks:
            return len(ROLES)
        scheme, _, token = (header or "").partition(" ")
        if scheme.lower() != "bearer":
            return -1
        return self._ranks.get(_hash(token.strip()), -1)

    def allows(self, header: str | None, role: str) -> bool:
        """Whether a request may do what a role may; all may, if there are no tokens.

        Parameters
        ----------
        header : str or None
            Its Authorization header.
        role : str
            One of ``ROLES``.

        Returns
        -------
        bool
            Whether it may.
        """
        return self.rank(header) >= ROLES.index(role)


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "replace")).digest()

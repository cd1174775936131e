"""Lines: the bytes of a file as chunks of whole lines, or line by line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

__all__ = ["Chunk", "chunks", "lines"]

CHUNK_BYTES = 2**18


class Chunk(NamedTuple):
    """Whole lines, each with its newline; or the beginning of a line that is too long."""

    data: bytes
    too_long: bool = False


def chunks(file: Any, longest: int) -> Iterator[Chunk]:
    """Read a file in chunks of whole lines; the last line gets a newline if it has none.

    A chunk fits into the cache of a processor. A file that is still being written to is read as its
    bytes arrive.

    Parameters
    ----------
    file : binary file
        The file.
    longest : int
        The most bytes of a line; of a longer one, only so many are kept.

    Yields
    ------
    Chunk
        The lines, in order.
    """
    pieces: list[bytes] = []
    length = 0
    while piece := file.read1(CHUNK_BYTES):
        end = piece.rfind(b"\n") + 1
        if end:
            yield from _fitting(b"".join((*pieces, piece[:end])), longest)
            pieces, length = [piece[end:]], len(piece) - end
        elif length <= longest:  # a line that is longer is refused, so its rest is not needed
            pieces.append(piece)
            length += len(piece)
    if length:
        yield from _fitting(b"".join((*pieces, b"\n")), longest)


def _fitting(data: bytes, longest: int) -> Iterator[Chunk]:
    """The same lines, with a chunk of its own for each line that is too long."""
    if len(data) <= longest:
        yield Chunk(data)
        return
    start = position = 0
    while position < len(data):
        end = data.index(b"\n", position) + 1
        if end - 1 - position > longest:
            if start < position:
                yield Chunk(data[start:position])
            yield Chunk(data[position : position + longest], too_long=True)
            start = end
        position = end
    if start < len(data):
        yield Chunk(data[start:])


def lines(file: Any, longest: int) -> Iterator[Chunk]:
    """Read a file line by line, without newlines."""
    for chunk in chunks(file, longest):
        if chunk.too_long:
            yield chunk
        else:
            for line in chunk.data[:-1].split(b"\n"):
                yield Chunk(line)

"""Sources: files, compressed or not, standard input and open files, as bytes and whole lines."""

from __future__ import annotations

import bz2
import codecs
import gzip
import importlib
import io
import lzma
import os
import sys
import zipfile
import zlib
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from braided.errors import InputError
from braided.readers.foreign import FOREIGN

__all__ = [
    "COMPRESSED",
    "STDIN",
    "Chunk",
    "Peeked",
    "Source",
    "as_utf8",
    "chunks",
    "lines",
    "name_of",
    "opened",
]

STDIN = "-"
Source: TypeAlias = Any
"""A path, "-" for standard input, or an open binary file."""

CHUNK_BYTES = 2**18

_LOOK = 2048
"""So many bytes tell whether a file is one of another program."""

_FEWEST = 16
"""The fewest letters that tell an encoding."""

# The first bytes of compressed files, by the suffix of their names.
COMPRESSED = {
    ".gz": b"\x1f\x8b",
    ".bz2": b"BZh",
    ".xz": b"\xfd7zXZ\x00",
    ".zst": b"\x28\xb5\x2f\xfd",
    ".zip": b"PK\x03\x04",
}
_BROKEN = (OSError, EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile, NotImplementedError)
_FORMATS = {".gz": "gzip", ".bz2": "bzip2", ".xz": "xz", ".zst": "zstd", ".zip": "zip"}


def name_of(source: Source) -> str:
    """Return the name of a source, for errors."""
    if source == STDIN:
        return "standard input"
    if hasattr(source, "read"):
        return str(getattr(source, "name", "the open file"))
    return os.fspath(source)


@contextmanager
def opened(source: Source) -> Iterator[Any]:
    """Open a source as a file of decompressed bytes; if it can not be read, raise InputError."""
    name, suffix = name_of(source), ""
    try:
        if hasattr(source, "read") and not source.seekable():  # a pipe
            pipe = Peeked(source)
            suffix = _compression(pipe.beginning) or ""
            yield _decompressed(pipe, suffix)
        elif hasattr(source, "read"):
            yield source
        elif source == STDIN:
            file: Any = sys.stdin.buffer
            beginning = file.peek(6)
            _refuse_foreign(name, beginning)
            suffix = _compression(beginning) or ""
            yield _decompressed(file, suffix)
        else:
            suffix = Path(source).suffix
            with open(source, "rb") as file, _decompressed(file, suffix) as decompressed:
                for layer in {file, decompressed}:
                    _refuse_foreign(name, layer.peek(_LOOK) if hasattr(layer, "peek") else b"")
                actual = _compression(file.peek(6)) if suffix not in COMPRESSED else None
                if actual:
                    kind = _FORMATS[actual]
                    raise InputError(f"{name} is {kind} data; its name must end in {actual}")
                yield decompressed
    except InputError:
        raise
    except FileNotFoundError:
        raise InputError(f"{name}: no such file") from None
    except IsADirectoryError:
        raise InputError(f"{name} is a folder, not a file") from None
    except PermissionError:
        raise InputError(f"{name} may not be read (permission denied)") from None
    except Exception as error:
        if not isinstance(error, _BROKEN + _zstd_errors()):
            raise
        reason = str(error) or type(error).__name__
        if suffix in COMPRESSED:
            raise InputError(f"{name} is not a whole {suffix[1:]} file: {reason}") from None
        raise InputError(f"{name} cannot be read: {reason}") from None


def _refuse_foreign(name: str, beginning: bytes) -> None:
    """Refuse a file of another program, and say what to do with it."""
    for pattern, what, advice in FOREIGN:
        if pattern.match(beginning[:_LOOK]):
            raise InputError(f"{name} is {what}: {advice}")


def _compression(beginning: bytes) -> str | None:
    """The suffix that belongs to the first bytes of a file; None if it is not compressed."""
    return next(
        (suffix for suffix, magic in COMPRESSED.items() if beginning.startswith(magic)), None
    )


def _decompressed(file: Any, suffix: str) -> Any:
    if suffix == ".gz":
        return gzip.GzipFile(fileobj=file)
    if suffix == ".bz2":
        return bz2.BZ2File(file)
    if suffix == ".xz":
        return lzma.LZMAFile(file)
    if suffix == ".zst":
        zstd = _zstd()
        if zstd is None:
            raise InputError(
                f"{file.name} is compressed with zstd; to read it, pip install 'braided[io]'"
            )
        return zstd.ZstdFile(file)
    if suffix == ".zip":
        return _only_file(file)
    return file


def _only_file(file: Any) -> Any:
    """The file in a zip archive, if there is one; what macOS adds to an archive does not count."""
    if not file.seekable():
        raise InputError("a zip archive can not be read from a pipe: unpack it")
    archive = zipfile.ZipFile(file)
    inside = [i for i in archive.infolist() if not i.is_dir() and "__MACOSX/" not in i.filename]
    if len(inside) != 1:
        some = ", ".join(i.filename for i in inside[:5]) + (", ..." if len(inside) > 5 else "")
        raise InputError(f"{file.name} holds {len(inside)} files, not one ({some}): unpack it")
    if inside[0].flag_bits & 1:
        raise InputError(f"{file.name} is encrypted: unpack it")
    return archive.open(inside[0])


def _zstd() -> Any:
    """The zstd module of this version of Python; None if there is none."""
    for module in ("compression.zstd", "backports.zstd"):
        try:
            return importlib.import_module(module)
        except ImportError:
            pass
    return None


def _zstd_errors() -> tuple[type[Exception], ...]:
    """The errors of zstd files, if any was opened."""
    zstd = sys.modules.get("compression.zstd") or sys.modules.get("backports.zstd")
    return () if zstd is None else (zstd.ZstdError,)


# --------------------------------------------------------------------------- whole lines


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


class lines:  # noqa: N801 - used as a function
    """Read a file line by line, without newlines; ``waiting`` tells whether another one is there.

    Parameters
    ----------
    file : binary file
        The file.
    longest : int
        The most bytes of a line.
    """

    def __init__(self, file: Any, longest: int) -> None:
        self._chunks = chunks(file, longest)
        self._ahead: deque[Chunk] = deque()

    @classmethod
    def of(cls, found: Iterator[Chunk]) -> lines:
        """The lines of chunks that were read already."""
        each = cls(None, 0)
        each._chunks = found
        return each

    @property
    def waiting(self) -> bool:
        """Whether another line was read already, so that asking for it does not wait."""
        return bool(self._ahead)

    def __iter__(self) -> lines:
        return self

    def __next__(self) -> Chunk:
        while not self._ahead:
            chunk = next(self._chunks)
            if chunk.too_long:
                self._ahead.append(chunk)
            else:
                self._ahead.extend(map(Chunk, chunk.data[:-1].split(b"\n")))
        return self._ahead.popleft()


class Peeked:
    """A file of which the first bytes were looked at; they are read again.

    Parameters
    ----------
    file : binary file
        The file, at its beginning.

    Attributes
    ----------
    beginning : bytes
        The first bytes: as many as there are at once.
    """

    def __init__(self, file: Any) -> None:
        self._file = file
        self.beginning: bytes = file.read1(CHUNK_BYTES)
        self._left = io.BytesIO(self.beginning)

    def skip(self, count: int) -> None:
        """Leave out the first bytes.

        Parameters
        ----------
        count : int
            How many, at most as many as were looked at.
        """
        self.beginning = self.beginning[count:]
        self._left = io.BytesIO(self.beginning)

    def read1(self, size: int = -1) -> bytes:
        """Read at most so many bytes, as they come."""
        piece: bytes = self._left.read(size) or self._file.read1(size)
        return piece

    def read(self, size: int = -1) -> bytes:
        """Read so many bytes."""
        piece: bytes = self._left.read(size)
        if size < 0:
            return piece + bytes(self._file.read())
        return piece + bytes(self._file.read(size - len(piece))) if len(piece) < size else piece

    def seekable(self) -> bool:
        """Whether it can be read from other places: it can not."""
        return False


def as_utf8(file: Any) -> Any:
    """The same file, recoded if it is UTF-16, by its mark (as Excel writes it) or by its zeros.

    If its lines end as on old Macs, with a carriage return alone, they end with a newline.

    Parameters
    ----------
    file : binary file
        The file; it can be read from its beginning.

    Returns
    -------
    binary file
        A file of UTF-8 text, if the other was one of UTF-16.
    """
    return _Recoded(file)


def _utf_16(beginning: bytes) -> str | None:
    """The encoding of mostly Western text without a mark: each second byte is zero."""
    size = len(beginning) // 2
    for first, encoding in ((1, "utf-16-le"), (0, "utf-16-be")):
        zeros, others = (beginning[start::2].count(0) for start in (first, 1 - first))
        if size >= _FEWEST and zeros > 0.9 * size and not others:
            return encoding
    return None


class _Recoded:
    """A file that is recoded from UTF-16, if its first bytes say so."""

    def __init__(self, file: Any) -> None:
        self._file = file
        self._decoder: Any = None
        self._begun = self._returns = False

    def read1(self, size: int) -> bytes:
        piece: bytes = self._file.read1(size)
        if not self._begun:
            self._begun = True
            if piece[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
                self._decoder = codecs.getincrementaldecoder("utf-16")(errors="replace")
            elif (encoding := _utf_16(piece[:_LOOK])) is not None:
                self._decoder = codecs.getincrementaldecoder(encoding)(errors="replace")
            self._returns = b"\r" in piece[:-1] and b"\n" not in piece
        if self._decoder is None:
            return piece.replace(b"\r", b"\n") if self._returns else piece
        text = self._decoder.decode(piece, final=not piece)
        while piece and not text:  # half a character
            piece = self._file.read1(size)
            text = self._decoder.decode(piece, final=not piece)
        return str(text).encode()

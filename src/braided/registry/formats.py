"""The file formats: one entry for each."""

from __future__ import annotations

from dataclasses import dataclass

from braided.registry.table import Home, Table

__all__ = ["FORMATS", "FormatEntry"]


@dataclass(frozen=True)
class FormatEntry:
    """A file format.

    Parameters
    ----------
    name : str
        Its name, as in ``--format csv``.
    home : str or callable
        The function ``(file, reading) -> iterator of Rows`` that reads it (see
        ``braided.readers.formats.Reading``).
    about : str
        What it is, in a few words.
    suffixes : tuple of str
        What the names of such files end in, as in ``(".csv",)``.
    options : tuple of str, default ()
        Which options mean something for this format: ``"fields"`` (label, kinds of fields, texts
        that mean unobserved), ``"layout"`` (separator, header, names of columns). Others are
        refused.
    allowed : str, default ""
        How a line must look, for the errors of lines that do not.
    example : bytes or callable, default b""
        The content of a small file of two rows with both labels; a function makes binary ones.

    Examples
    --------
    >>> from braided.registry import FORMATS
    >>> FORMATS.find("vw").suffixes
    ('.vw',)
    """

    name: str
    home: Home
    about: str
    suffixes: tuple[str, ...]
    options: tuple[str, ...] = ()
    allowed: str = ""
    example: bytes | Home = b""


_FIELDS = ("fields",)

FORMATS = Table(
    "format",
    (
        FormatEntry(
            "svmlight",
            "braided.readers.svmlight:read_rows",
            "label index:value ...",
            (".svm", ".svmlight", ".libsvm"),
            allowed="allowed: label index:value index:value ..., "
            "indices ascending whole numbers from 0",
            example=b"1 3:0.5 7:2\n-1 4:1\n",
        ),
        FormatEntry(
            "csv",
            "braided.readers.csv:read_csv",
            "comma-separated values, or separated by ; tab or |",
            (".csv",),
            (*_FIELDS, "layout"),
            example=b"age,pet,label\n31,cat,yes\n,dog,no\n",
        ),
        FormatEntry(
            "tsv",
            "braided.readers.csv:read_tsv",
            "tab-separated values with a header",
            (".tsv", ".tab"),
            (*_FIELDS, "layout"),
            example=b"age\tpet\tlabel\n31\tcat\tyes\n\tdog\tno\n",
        ),
        FormatEntry(
            "arff",
            "braided.readers.arff:read_rows",
            "attributes and their kinds, then rows, as Weka writes them",
            (".arff",),
            _FIELDS,
            example=b"@relation pets\n@attribute age numeric\n@attribute pet {cat,dog}\n"
            b"@attribute label {no,yes}\n@data\n31,cat,yes\n?,dog,no\n",
        ),
        FormatEntry(
            "jsonl",
            "braided.readers.json_lines:read_rows",
            "one JSON object on each line, or a list of them",
            (".jsonl", ".ndjson", ".json"),
            _FIELDS,
            'allowed: one object per line, as in {"age": 31, "pet": "cat", "label": 1}',
            b'{"age": 31, "pet": "cat", "label": "yes"}\n{"pet": "dog", "label": "no"}\n',
        ),
        FormatEntry(
            "parquet",
            "braided.readers.arrow:read_parquet",
            "Apache Parquet",
            (".parquet", ".pq"),
            _FIELDS,
            example="braided.readers.arrow:parquet_example",
        ),
        FormatEntry(
            "arrow",
            "braided.readers.arrow:read_ipc",
            "Apache Arrow IPC, file or stream",
            (".arrow", ".feather", ".ipc"),
            _FIELDS,
            example="braided.readers.arrow:ipc_example",
        ),
        FormatEntry(
            "vw",
            "braided.readers.vw:read_rows",
            "text of Vowpal Wabbit",
            (".vw",),
            allowed="allowed: label |namespace feature:value feature ...",
            example=b"1 |user age:31 cat\n-1 |user dog\n",
        ),
    ),
)
"""All file formats.

Examples
--------
>>> from braided.registry import FORMATS
>>> FORMATS.names()[:3]
['svmlight', 'csv', 'tsv']
"""

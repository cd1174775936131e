"""Files that are not read: what they are, and what to do with them."""

from __future__ import annotations

import re

__all__ = ["FOREIGN"]

_WITH_PANDAS = "in Python, pandas.{}(...).to_csv('rows.csv', index=False) makes a CSV file of it"
_UNPACK = "unpack it, and give the file that was in it"

# What the first bytes match, what such a file is, and what to do. A text must not match by chance.
FOREIGN = tuple(
    (re.compile(pattern, re.DOTALL), what, advice)
    for pattern, what, advice in (
        (
            rb"(?i:\s*<!doctype html|\s*<html)",
            "a web page",
            "download the data that it shows or links",
        ),
        (rb"\s*<\?xml", "XML", "make CSV or JSON lines of it"),
        (rb"PK\x03\x04.*(\[Content_Types\]\.xml|xl/)", "an Excel file", "save its sheet as CSV"),
        (rb"PK\x03\x04.*opendocument", "a spreadsheet", "save its sheet as CSV"),
        (rb"PK\x03\x04.*\.npy", "an archive of NumPy", "load it, and give its array to fit"),
        (rb"\x93NUMPY", "a NumPy array", "load it, and give it to fit"),
        (rb"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Excel file", "save its sheet as CSV"),
        (
            rb"\x80[\x02-\x05]",
            "a pickle, which can run any code when it is loaded, so it is not",
            f"if you trust it, {_WITH_PANDAS.format('read_pickle')}",
        ),
        (rb"\x89HDF\r\n", "HDF5", _WITH_PANDAS.format("read_hdf")),
        (rb"\$FL[23]", "a file of SPSS", _WITH_PANDAS.format("read_spss")),
        (rb"<stata_dta>", "a file of Stata", _WITH_PANDAS.format("read_stata")),
        (rb"MATLAB \d", "a file of MATLAB", "load it with scipy.io.loadmat"),
        (rb"Obj\x01", "Avro", "make Parquet or JSON lines of it"),
        (rb"ORC.{0,64}[\x00-\x08]", "ORC", _WITH_PANDAS.format("read_orc")),
        (rb"%PDF-", "a PDF", "find the table that it was made of"),
        (rb"7z\xbc\xaf|Rar!", "an archive", _UNPACK),
        (rb".{257}ustar[\x00 ]", "a tar archive", _UNPACK),
        (
            rb"version https://git-lfs",
            "a pointer of Git LFS, not the data",
            "git lfs pull fetches them",
        ),
    )
)

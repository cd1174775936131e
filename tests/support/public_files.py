"""Files in the manner of well-known public ones: how R, pandas, Excel, Weka and people write them.

All hold the same 240 rows: ``sick`` follows from ``age``, with a little noise.
"""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import lzma
import pickle
import random
import zipfile
from typing import Any, NamedTuple

__all__ = ["FILES", "FOREIGN", "N", "PublicFile"]

N = 240
USUAL = {"age": "number", "fare": "number", "town": "category"}
GEO = {
    "geometry.coordinates": "vector",
    "geometry.type": "category",
    "id": "number",
    "type": "category",
    **{f"properties.{field}": kind for field, kind in USUAL.items()},
}
TOWNS = ("Bonn", "Köln", "Ulm")


class PublicFile(NamedTuple):
    """A file, and what a model should make of it."""

    name: str
    data: bytes
    label: str = "sick"
    labels: tuple[Any, ...] = ("no", "yes")
    kinds: dict[str, str] = USUAL
    warnings: int = 0
    """How many warnings there may be."""


def _rows() -> list[dict[str, Any]]:
    rng, rows = random.Random(7), []
    for _ in range(N):
        age, town = rng.randrange(18, 80), rng.choice(TOWNS)
        fare = round(rng.uniform(5, 9000), 2)
        sick = (age > 50) ^ (rng.random() < 0.05)
        rows.append({"age": age, "fare": fare, "town": town, "sick": "yes" if sick else "no"})
    return rows


ROWS = _rows()
NAMES = list(ROWS[0])
YES = [row["sick"] == "yes" for row in ROWS]


def _with(**columns: Any) -> list[dict[str, Any]]:
    """The rows with other columns: a function of number and row makes each cell."""
    return [
        {**row, **{name: make(i, row) for name, make in columns.items()}}
        for i, row in enumerate(ROWS)
    ]


def _csv(
    rows: list[dict[str, Any]],
    *,
    names: list[str] | None = None,
    header: bool = True,
    end: str = "\n",
    **options: Any,
) -> str:
    file = io.StringIO()
    writer = csv.writer(file, lineterminator=end, **options)
    if header:
        writer.writerow(names or list(rows[0]))
    writer.writerows([list(row.values()) for row in rows])
    return file.getvalue()


def _date(i: int, form: str) -> str:
    return form.format(y=2019 + i % 3, m=1 + i % 12, d=1 + i % 28)


def _de(number: float) -> str:
    """A number as Germans write it."""
    return f"{number:,.2f}".translate(str.maketrans(",.", ".,"))


def _r_table() -> str:
    """R's write.csv: row names in a column whose name is empty; texts in quotes."""
    lines = ['"","age","fare","town","sick"']
    lines += [
        f'"{i}",{r["age"]},{r["fare"]},"{r["town"]}","{r["sick"]}"' for i, r in enumerate(ROWS, 1)
    ]
    return "\n".join(lines) + "\n"


def _r_write_table(quote: str) -> str:
    """R's write.table: the row names have no name at all, so the header is a field shorter."""
    lines = [" ".join(f"{quote}{name}{quote}" for name in NAMES)]
    lines += [
        " ".join(
            [
                f"{quote}{i}{quote}",
                *(f"{quote}{v}{quote}" if isinstance(v, str) else str(v) for v in r.values()),
            ]
        )
        for i, r in enumerate(ROWS, 1)
    ]
    return "\n".join(lines) + "\n"


def _r_csv_short_header() -> str:
    """write.table(sep=","): a header that is a field shorter than each row."""
    lines = [",".join(f'"{name}"' for name in NAMES)]
    lines += [
        f'"{i}",{r["age"]},{r["fare"]},"{r["town"]}","{r["sick"]}"' for i, r in enumerate(ROWS, 1)
    ]
    return "\n".join(lines) + "\n"


def _arff(*, sparse: bool = False, quoted: bool = False, missing: bool = False) -> str:
    age = "'age of patient'" if quoted else "age"
    head = [
        "% 1. Title: patients",
        "%",
        "@relation 'patients, all'" if quoted else "@RELATION patients",
        "",
        f"@attribute {age} numeric",
        "@ATTRIBUTE fare REAL",
        "@attribute town {Bonn, 'Köln', Ulm}",
        "@attribute sick {no,yes}",
        "",
        "@data",
    ]
    lines = []
    for i, row in enumerate(ROWS):
        cells = [str(v) for v in row.values()]
        if missing and i % 5 == 0:
            cells[1] = "?"
        if sparse:  # the first value of a nominal attribute is left out, as is a zero
            kept = [
                f"{c} {v}"
                for c, v in enumerate(cells)
                if not (c == 2 and v == "Bonn") and v != "no"
            ]
            lines.append("{" + ", ".join(kept) + "}")
        else:
            if quoted:
                cells[2] = f"'{cells[2]}'"
            lines.append(",".join(cells))
    return "\n".join(head + lines) + "\n"


def _geojson(*, indent: int | None = None) -> str:
    features = [
        {
            "type": "Feature",
            "id": i,
            "properties": row,
            "geometry": {"type": "Point", "coordinates": [7.0 + i / 100, 50.0]},
        }
        for i, row in enumerate(ROWS)
    ]
    whole = {
        "type": "FeatureCollection",
        "name": "patients",
        "crs": {"type": "name", "properties": {"name": "urn:ogc:def:crs:OGC:1.3:CRS84"}},
        "features": features,
    }
    return json.dumps(whole, indent=indent)


def _zip(data: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("patients/patients.csv", data)
    return file.getvalue()


_PLAIN = _csv(ROWS)
_BOOLS = (("TRUE", "FALSE"), ("True", "False"), ("t", "f"), ("Y", "N"), ("1", "0"), ("YES", "NO"))


def _files() -> dict[str, PublicFile]:
    P, text = PublicFile, str.encode
    usual = USUAL
    return {
        "plain": P("a.csv", text(_PLAIN)),
        # row names
        "R write.csv": P("a.csv", text(_r_table())),
        "R write.table": P("a.txt", text(_r_write_table('"'))),
        "R write.table, no quotes": P("a.dat", text(_r_write_table(""))),
        "R, header a field shorter": P("a.csv", text(_r_csv_short_header())),
        "pandas index": P("a.csv", text(_csv([{"": i, **r} for i, r in enumerate(ROWS)]))),
        "pandas Unnamed: 0": P(
            "a.csv", text(_csv([{"Unnamed: 0": i, **r} for i, r in enumerate(ROWS)]))
        ),
        # labels
        "+ and -": P(
            "a.csv", text(_csv(_with(sick=lambda i, r: "+" if YES[i] else "-"))), labels=("+", "-")
        ),
        "+1 and -1": P(
            "a.csv", text(_csv(_with(sick=lambda i, r: "+1" if YES[i] else "-1"))), labels=(-1, 1)
        ),
        ">50K.": P(
            "adult.test",
            text(
                "|1x3 Cross validator\n"
                + _csv(
                    _with(sick=lambda i, r: ">50K." if YES[i] else "<=50K."), header=False
                ).replace(",", ", ")
            ),
            label="4",
            labels=("<=50K.", ">50K."),
            kinds={"1": "number", "2": "number", "3": "category"},
            warnings=1,
        ),
        "no header": P(
            "wdbc.data",
            text(_csv(ROWS, header=False)),
            label="4",
            kinds={"1": "number", "2": "number", "3": "category"},
        ),
        "no header, label first, only numbers": P(
            "letter.data",
            text(
                "".join(
                    f"{'MB'[yes]},{r['age']},{r['fare']}\n"
                    for yes, r in zip(YES, ROWS, strict=True)
                )
            ),
            label="1",
            labels=("B", "M"),
            kinds={"2": "number", "3": "number"},
        ),
        "no header, spaces": P(
            "german.data",
            text(_csv(ROWS, header=False, delimiter=" ")),
            label="4",
            kinds={"1": "number", "2": "number", "3": "category"},
        ),
        "labels 0.0 and 1.0": P(
            "a.csv", text(_csv(_with(sick=lambda i, r: float(YES[i])))), labels=(0, 1)
        ),
        "label in another case": P(
            "a.csv",
            text(_csv(ROWS, names=["Age", "Fare", "Town", "Sick"])),
            warnings=1,
            kinds={"Age": "number", "Fare": "number", "Town": "category"},
        ),
        "label by number": P("a.csv", text(_PLAIN), label="4", warnings=1),
        "label with spaces around": P(
            "a.csv", text(_csv(ROWS, names=["age", " fare", "town ", " sick "]))
        ),
        # separators, decimals
        "decimal comma": P(
            "a.csv",
            text(_csv(_with(fare=lambda i, r: str(r["fare"]).replace(".", ",")), delimiter=";")),
        ),
        "1.234.567,89": P(
            "a.csv",
            text(_csv(_with(fare=lambda i, r: _de(r["fare"] * 1000)), delimiter=";")),
        ),
        "1,234,567.89": P("a.csv", text(_csv(_with(fare=lambda i, r: f"{r['fare'] * 1000:,.2f}")))),
        "per cent": P("a.csv", text(_csv(_with(fare=lambda i, r: f"{r['fare'] / 90:.1f}%")))),
        "money": P("a.csv", text(_csv(_with(fare=lambda i, r: f"${r['fare']:,.2f}")))),
        "TSV with comments": P(
            "a.tsv", text("# from a server\n# 240 rows\n" + _csv(ROWS, delimiter="\t")), warnings=1
        ),
        "comment before the name": P("a.csv", text("# unit: EUR\n" + _PLAIN), warnings=1),
        "title": P("a.csv", text("Patients of the clinic 2024\n" + _PLAIN), warnings=1),
        "title, line, header": P(
            "a.csv",
            text("Patients of the clinic;;;\n;;;\n" + _csv(ROWS, delimiter=";")),
            warnings=1,
        ),
        "spaces after commas": P("a.csv", text(_PLAIN.replace(",", ", "))),
        "sep=": P("a.csv", text("sep=;\n" + _csv(ROWS, delimiter=";"))),
        "pipes": P("a.txt", text(_csv(ROWS, delimiter="|"))),
        "commas in quotes, semicolons": P(
            "a.csv", text(_csv(ROWS, delimiter=";", quoting=csv.QUOTE_ALL))
        ),
        # encodings
        "UTF-16": P("a.csv", _PLAIN.encode("utf-16")),
        "UTF-16, tabs": P("a.txt", _csv(ROWS, delimiter="\t", end="\r\n").encode("utf-16")),
        "UTF-16-LE without mark": P("a.csv", _PLAIN.encode("utf-16-le")),
        "latin-1": P("a.csv", _PLAIN.encode("latin-1"), warnings=1),
        "BOM": P("a.csv", _PLAIN.encode("utf-8-sig")),
        "BOM and quotes": P(
            "a.csv", _csv(ROWS, quoting=csv.QUOTE_NONNUMERIC, end="\r\n").encode("utf-8-sig")
        ),
        # ragged
        "short lines": P(
            "a.csv",
            text(
                "\n".join(
                    line.rsplit(",", 1)[0] if i % 40 == 20 else line
                    for i, line in enumerate(_PLAIN.splitlines())
                )
            ),
            warnings=2,
        ),
        "long lines": P(
            "a.csv",
            text(
                "\n".join(
                    line + ",," if i % 40 == 20 else line
                    for i, line in enumerate(_PLAIN.splitlines())
                )
            ),
        ),
        "one line too long": P(
            "a.csv",
            text(
                "\n".join(
                    line + ",more" if i == 120 else line
                    for i, line in enumerate(_PLAIN.splitlines())
                )
            ),
            warnings=1,
        ),
        "same name twice": P(
            "a.csv",
            text(
                _csv(
                    [{"a": r["age"], "b": r["fare"], **r} for r in ROWS],
                    names=["age", "fare", *NAMES],
                )
            ),
            kinds={**usual, "age.2": "number", "fare.2": "number"},
        ),
        "an empty column": P("a.csv", text(_csv(_with(notes=lambda i, r: "")))),
        "empty lines": P("a.csv", text(_PLAIN.replace("\n", "\n\n"))),
        "a sum at the end": P("a.csv", text(_PLAIN + "\nTotal,123456.78,,\n"), warnings=2),
        # quotes
        "doubled quotes": P(
            "a.csv",
            text(_csv(_with(note=lambda i, r: f'said "well, {r["town"]}" and went'))),
            kinds={**usual, "note": "text"},
        ),
        "backslash quotes": P(
            "a.csv",
            text(
                _csv(
                    _with(note=lambda i, r: f'said "well, {r["town"]}" and went'),
                    doublequote=False,
                    escapechar="\\",
                    quoting=csv.QUOTE_NONNUMERIC,
                )
            ),
            kinds={**usual, "note": "text"},
        ),
        # dates and times
        **{
            f"date {form}": P(
                "a.csv",
                text(_csv(_with(day=lambda i, r, form=form: _date(i, form)))),
                kinds={**usual, "day": kind},
            )
            for form, kind in {
                "{d:02d}/{m:02d}/{y}": "day_first",
                "{m:02d}/{d:02d}/{y}": "month_first",
                "{d}.{m}.{y}": "date",
                "{y}/{m:02d}/{d:02d}": "date",
                "{y}{m:02d}{d:02d}": "number",
                "{m}/{d}/{y} 3:04": "month_first",
                "{y}-{m:02d}-{d:02d} 13:14:15.123": "date",
                "{y}-{m:02d}-{d:02d}T13:14:15Z": "date",
            }.items()
        },
        "times": P(
            "a.csv",
            text(_csv(_with(time=lambda i, r: f"{i % 24:02d}:{i % 60:02d}"))),
            kinds={**usual, "time": "date"},
        ),
        "durations": P(
            "a.csv",
            text(_csv(_with(time=lambda i, r: f"{i % 24}:{i % 60:02d}:{i * 7 % 60:02d}"))),
            kinds={**usual, "time": "date"},
        ),
        # booleans
        **{
            f"{yes} and {no}": P(
                "a.csv",
                text(_csv(_with(member=lambda i, r, yes=yes, no=no: yes if i % 3 else no))),
                kinds={**usual, "member": "number" if yes == "1" else "flag"},
            )
            for yes, no in _BOOLS
        },
        # packed
        "gz": P("a.csv.gz", gzip.compress(text(_PLAIN))),
        "bz2": P("a.csv.bz2", bz2.compress(text(_PLAIN))),
        "xz": P("a.csv.xz", lzma.compress(text(_PLAIN))),
        "zip": P("a.csv.zip", _zip(text(_PLAIN))),
        "zip, other name": P("archive.zip", _zip(text(_PLAIN))),
        # Weka
        "ARFF": P("a.arff", text(_arff())),
        "ARFF, sparse": P("a.arff", text(_arff(sparse=True))),
        "ARFF, quotes": P(
            "a.arff",
            text(_arff(quoted=True)),
            kinds={"age of patient": "number", "fare": "number", "town": "category"},
        ),
        "ARFF, missing": P("a.arff", text(_arff(missing=True))),
        # JSON
        "JSON lines": P("a.jsonl", text("".join(json.dumps(r) + "\n" for r in ROWS))),
        "JSON lines, commas": P("a.json", text("".join(json.dumps(r) + ",\n" for r in ROWS))),
        "JSON list, comma at the end": P(
            "a.json", text("[\n" + "".join(json.dumps(r) + ",\n" for r in ROWS) + "]\n")
        ),
        "JSON list": P("a.json", text(json.dumps(ROWS, indent=2))),
        "JSON object with a list": P("a.json", text(json.dumps({"count": N, "results": ROWS}))),
        "GeoJSON": P(
            "a.geojson",
            text(_geojson()),
            label="properties.sick",
            kinds=GEO,
        ),
        "GeoJSON, lines": P(
            "a.json",
            text(_geojson(indent=1)),
            label="properties.sick",
            kinds=GEO,
        ),
    }


FILES = _files()
FOREIGN = {
    "xlsx": (
        "a.xlsx",
        b"PK\x03\x04\x14\x00[Content_Types].xml",
        "an Excel file: save its sheet as",
    ),
    "xls": (
        "a.xls",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        "an old Excel file: save its sheet as CSV",
    ),
    "html": ("a.html", b"<!DOCTYPE html>\n<html><body>404</body></html>\n", "a web page: download"),
    "html called csv": ("a.csv", b"\n<html><body>404</body></html>\n", "a web page: download"),
    "pickle": (
        "a.pkl",
        pickle.dumps(ROWS),
        "a pickle.*: if you trust it, in Python, pandas.read_pi",
    ),
    "packed pickle": ("a.pkl.gz", gzip.compress(pickle.dumps(ROWS)), "a pickle"),
    "tar": ("a.tar", bytes(257) + b"ustar\x0000", "a tar archive: unpack it"),
    "LFS": ("a.csv", b"version https://git-lfs.github.com/spec/v1\n", "a pointer of Git LFS"),
    "GeoJSON without its prefix": (
        "a.geojson",
        _geojson().encode(),
        "did you mean 'properties.sick'",
    ),
}

"""Five daily CSV files whose columns come and go, as a shop would have them."""

from __future__ import annotations

import csv
import io
import random
from pathlib import Path
from typing import Any

WORDS = ["big", "small", "old", "new", "red", "blue", "cheap", "solid", "fine", "round"]
COLUMNS = {
    1: ("id", "age", "plan", "note", "signup"),
    2: ("id", "age", "plan", "note", "signup", "device"),
    3: ("note", "age", "id", "signup", "price", "plan"),
    4: ("id", "plan", "price", "device", "tags", "age"),
    5: ("id", "age", "plan", "note", "signup", "device", "price", "tags", "active"),
}


def records(day: int, rows: int = 60) -> list[dict[str, Any]]:
    """The records of a day; a value that is missing is an empty text."""
    draw = random.Random(day)
    found = []
    for row in range(rows):
        age = draw.randint(18, 80)
        everything = {
            "id": f"c{day}-{row}",
            "age": age if draw.random() < 0.9 else draw.choice(["", "NULL", "n/a"]),
            "plan": draw.choice(["basic", "pro", "Team"]),
            "note": " ".join(draw.choices(WORDS, k=3)),
            "signup": f"2024-0{day}-{draw.randint(10, 28)}",
            "device": draw.choice(["phone", "tablet"]),
            "price": f"${draw.randint(1000, 9999):,}.50",
            "tags": '["a", "b"]' if draw.random() < 0.5 else '["c"]',
            "active": draw.choice(["t", "f"]),
        }
        kept = {name: everything[name] for name in COLUMNS[day]}
        bought = age + 20 * (everything["plan"] == "pro") + draw.gauss(0, 10) > 55
        found.append({**kept, "bought": "yes" if bought else "no"})
    return found


def write_days(folder: Path) -> list[Path]:
    """Write the files; the second has a mark of its encoding, the third ends lines as Windows."""
    paths = []
    for day in COLUMNS:
        text = io.StringIO()
        ends = "\r\n" if day == 3 else "\n"
        writer = csv.DictWriter(text, [*COLUMNS[day], "bought"], lineterminator=ends)
        writer.writeheader()
        writer.writerows(records(day))
        path = folder / f"day{day}.csv"
        path.write_bytes(text.getvalue().encode("utf-8-sig" if day == 2 else "utf-8"))
        paths.append(path)
    return paths

"""``python -m tools.pictures``: draw all pictures of the docs again, into ``docs/pictures``."""

from __future__ import annotations

from pathlib import Path

from tools.pictures import learners, streams

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, text in {**streams.draw(), **learners.draw()}.items():
        (FOLDER / name).write_text(text, encoding="utf-8")
        print(f"{name}: {len(text) / 1000:.0f} KB")


if __name__ == "__main__":
    main()

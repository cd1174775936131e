"""Small SVG drawings: grey cells, lines and words, readable without colour and in both themes."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

INK, QUIET, FAINT = "#222222", "#6b6b6b", "#dddddd"
DASHES = ("", "5 3", "1.5 2.5")


class Drawing:
    """A drawing on white paper."""

    def __init__(self, width: int, height: int, title: str) -> None:
        self.size = (width, height)
        self.title = title
        self.style = "text{font-family:system-ui,sans-serif;font-size:11px}"
        self.parts: list[str] = []

    def text(self, x: float, y: float, words: str, *, anchor: str = "start", ink: str = INK,
             weight: str = "normal") -> None:  # fmt: skip
        self.parts.append(
            f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{ink}" '
            f'font-weight="{weight}">{escape(words)}</text>'
        )

    def cells(self, x: float, y: float, width: float, height: float,
              shades: Sequence[Sequence[float]]) -> None:  # fmt: skip
        """A grid of cells, from 0 (paper) to 1 (ink); neighbours of one shade are one rectangle."""
        row_height = height / len(shades)
        step = width / len(shades[0])
        for number, row in enumerate(shades):
            start = 0
            for end in range(1, len(row) + 1):
                if end < len(row) and round(row[end], 1) == round(row[start], 1):
                    continue
                if round(row[start], 1) > 0:
                    grey = round(235 - 200 * min(round(row[start], 1), 1.0))
                    self.parts.append(
                        f'<rect x="{x + start * step:.1f}" y="{y + number * row_height:.1f}" '
                        f'width="{(end - start) * step:.1f}" height="{row_height * 0.86:.1f}" '
                        f'fill="#{grey:02x}{grey:02x}{grey:02x}"/>'
                    )
                start = end
        self.frame(x, y, width, height)

    def frame(self, x: float, y: float, width: float, height: float) -> None:
        self.parts.append(
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" '
            f'fill="none" stroke="{QUIET}" stroke-width="0.8"/>'
        )

    def line(self, points: Sequence[tuple[float, float]], *, dash: str = "", ink: str = INK,
             width: float = 1.6) -> None:  # fmt: skip
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        self.parts.append(
            f'<polyline points="{path}" fill="none" stroke="{ink}" stroke-width="{width}"{dashed}/>'
        )

    def curve(self, x: float, y: float, width: float, height: float, values: Sequence[float],
              *, top: float, dash: str = "", ink: str = INK) -> None:  # fmt: skip
        """A curve from the left to the right edge; 0 is at the bottom, ``top`` at the top."""
        step = width / max(len(values) - 1, 1)
        self.line(
            [
                (x + place * step, y + height * (1 - min(value, top) / top))
                for place, value in enumerate(values)
                if value == value  # not NaN
            ],
            dash=dash,
            ink=ink,
        )

    def veil(self, x: float, y: float, width: float, height: float, seconds: int) -> None:
        """Show a part whole, then uncover it from left to right, again and again.

        Not for those who want no motion; and who looks at once, or prints, sees all of it.
        """
        self.style += (
            "@keyframes uncover{0%,25%{transform:scaleX(0)}25.1%{transform:scaleX(1)}"
            "90%,100%{transform:scaleX(0)}}"
            f".veil{{transform-box:fill-box;transform-origin:right;"
            f"animation:uncover {seconds}s linear infinite}}"
            "@media (prefers-reduced-motion:reduce){.veil{display:none}}"
        )
        self.parts.append(
            f'<rect class="veil" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" '
            f'height="{height:.1f}" fill="#ffffff"/>'
        )

    def to_text(self) -> str:
        width, height = self.size
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}" role="img"><title>{escape(self.title)}</title>'
            f"<style>{self.style}</style>"
            f'<rect width="{width}" height="{height}" rx="6" fill="#ffffff"/>\n'
            + "\n".join(self.parts)
            + "\n</svg>\n"
        )

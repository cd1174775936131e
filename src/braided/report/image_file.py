"""Curves in an image file (PNG, SVG, PDF), for papers and documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from braided.errors import InputError
from braided.report.chart import GRID, INK, QUIET, colour, dash
from braided.report.optional_imports import import_optional

__all__ = ["SUFFIXES", "check_picture", "draw_curves"]

SUFFIXES = (".png", ".svg", ".pdf")

SIZE = (7.0, 4.6)
"""Width and height in inches, without the legend."""

LEGEND_LINE = 0.24
"""The height of each line of the legend, in inches."""

STYLE = {
    "font.family": "sans-serif",
    "font.size": 10.5,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": QUIET,
    "xtick.color": QUIET,
    "ytick.color": QUIET,
    "svg.fonttype": "none",  # text stays text
    "svg.hashsalt": "braided",  # the same curves give the same file
}

LINES = {"solid": "-", "dash": "--", "dot": ":", "dashdot": "-."}


def check_picture(path: str | Path) -> None:
    """Refuse a file that ``draw_curves`` can not write, before anything is computed."""
    if Path(path).suffix.lower() not in SUFFIXES:
        raise InputError(f"can not draw {path}: its name must end in one of {', '.join(SUFFIXES)}")
    import_optional("matplotlib", f"drawing {path}")


def draw_curves(
    path: str | Path,
    curves: Mapping[str, tuple[Sequence[float], Sequence[float]]],
    *,
    title: str,
    across: str,
    up: str,
    log_across: bool = False,
    log_up: bool = False,
) -> None:
    """Draw curves into an image file.

    Parameters
    ----------
    path : str or path
        The file; its name ends in .png, .svg or .pdf.
    curves : mapping
        The x and y values of each curve by its name.
    title : str
        The title.
    across : str
        The title of the x axis.
    up : str
        The title of the y axis.
    log_across : bool, default False
        Whether the x axis is logarithmic.
    log_up : bool, default False
        Whether the y axis is logarithmic.

    Raises
    ------
    InputError
        If the name of the file ends in anything else, or matplotlib is not installed.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "errors.svg"
    ...     curves = {"olsf": ([1, 2, 3], [0.5, 0.4, 0.3])}
    ...     draw_curves(path, curves, title="Mistakes", across="round", up="error rate")
    ...     path.read_text()[:5]
    '<?xml'
    """
    check_picture(path)
    matplotlib = import_optional("matplotlib", f"drawing {path}")
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    longest = max((len(name) for name in curves), default=0)
    columns = max(1, min(len(curves), 3 if longest <= 20 else 2 if longest <= 36 else 1))
    lines = -(-len(curves) // columns)
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(SIZE[0], SIZE[1] + LEGEND_LINE * lines), layout="constrained")
        FigureCanvasAgg(figure)
        axes: Any = figure.add_subplot()
        drawn = []
        for number, (x, y) in enumerate(curves.values()):
            drawn += axes.plot(
                x,
                y,
                color=colour(number),
                linestyle=LINES[dash(number)],
                linewidth=1.6,
                marker="o" if len(x) <= 30 else None,  # few points: show where they are
                markersize=3.5,
            )
        axes.set_title(_plain(title), loc="left", fontsize=12, pad=10)
        axes.set_xlabel(_plain(across))
        axes.set_ylabel(_plain(up))
        axes.set_xscale("log" if log_across else "linear")
        axes.set_yscale("log" if log_up else "linear")
        if not log_up and not any(value < 0 for _, y in curves.values() for value in y):
            axes.set_ylim(bottom=0)
        axes.grid(color=GRID, linewidth=0.8)
        axes.set_axisbelow(True)
        axes.spines[["top", "right"]].set_visible(False)
        if curves:
            names = [_plain(name) for name in curves]
            figure.legend(drawn, names, loc="outside lower center", ncols=columns, frameon=False)
        suffix = Path(path).suffix.lower()
        made = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(suffix)
        figure.savefig(path, dpi=150, metadata=made, format=suffix[1:])


def _plain(text: str) -> str:
    """The text with dollar signs escaped: they would begin a formula."""
    return text.replace("$", r"\$")

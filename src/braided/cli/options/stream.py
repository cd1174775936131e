"""StreamOptions: the shape of a stream, and how its values are scaled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any

import typer

from braided.cli.options.expand import FlagsFrom, HelpFrom
from braided.cli.options.panels import STREAM
from braided.errors import InputError, argument
from braided.parameters import check_choice
from braided.registry import SHAPES, ShapeOption, resolve

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from braided.rows.rows import Rows
    from braided.streams import Stream

__all__ = ["StreamOptions"]


def _shapes() -> str:
    return f"Shape: {'; '.join(f'{shape.name} ({shape.about})' for shape in SHAPES)}."


def _shape_flags() -> dict[str, Any]:
    """A flag for each option of a shape; shapes may share one."""
    users: dict[str, dict[str, ShapeOption]] = {}
    for shape in SHAPES:
        for option in shape.options:
            users.setdefault(option.name, {})[shape.name] = option
    return {name: _shape_flag(options) for name, options in users.items()}


def _shape_flag(options: Mapping[str, ShapeOption]) -> Any:
    first = next(iter(options.values()))
    words = "; ".join(dict.fromkeys(option.about for option in options.values()))
    info = typer.Option(
        metavar=first.metavar,
        show_default=str(first.default),
        help=f"{words}; for {', '.join(options)}.",
        rich_help_panel=STREAM,
        parser=None if isinstance(first.kind, type) else first.kind,
    )
    return Annotated[first.kind | None if isinstance(first.kind, type) else Any, info]


@dataclass(frozen=True)
class StreamOptions:
    """The shape of a stream, and how its values are scaled."""

    stream: Annotated[
        str, typer.Option(metavar="SHAPE", rich_help_panel=STREAM), HelpFrom(_shapes)
    ] = "given"
    options: Annotated[Mapping[str, Any], FlagsFrom(_shape_flags)] = field(default_factory=dict)
    scale: Annotated[
        str,
        typer.Option(
            metavar="HOW",
            help="Scaling: none, zscore (each feature), unit (each row), zscore+unit or tfidf "
            "(counts of words). zscore and tfidf need the whole dataset beforehand, which a real "
            "stream does not allow; zscore reads absent values as zero. Use them to repeat the "
            "tables of papers.",
            rich_help_panel=STREAM,
        ),
    ] = "none"
    absent: Annotated[
        str,
        typer.Option(
            metavar="WHAT",
            help="Meaning of a value that the data leaves out: unobserved, or zero.",
            rich_help_panel=STREAM,
        ),
    ] = "unobserved"

    @property
    def shuffles(self) -> bool:
        """Whether a seed shuffles the rows."""
        return SHAPES.find(self.stream).shuffles

    @property
    def as_given(self) -> bool:
        """Whether rows come in their own order, with their own values."""
        return (self.stream, self.scale, self.absent) == ("given", "none", "unobserved")

    @property
    def absent_in_effect(self) -> str:
        """What an absent value is: a z-score takes it as zero, whatever was asked for."""
        return "zero" if "zscore" in self.scale else self.absent

    def check(self) -> None:
        """Refuse what can be refused without data.

        Raises
        ------
        InputError
            If there is no such shape or scaling, or an option is not for this shape.
        """
        from braided.streams.offline_scaling import ABSENT, SCALINGS

        allowed = [option.name for option in SHAPES.find(self.stream).options]
        for name in self.options:
            if name not in allowed:
                takes = ", ".join(map(argument, allowed)) or "no options"
                shape = argument("stream", self.stream)
                raise InputError(f"{argument(name)} is not for {shape}, which takes {takes}")
        check_choice("scale", self.scale, SCALINGS)
        check_choice("absent", self.absent, ABSENT)

    def scaled(self, rows: Rows) -> Rows:
        """Scale rows as was asked for.

        Parameters
        ----------
        rows : Rows
            All rows of a dataset.

        Returns
        -------
        Rows
            The same rows with other values.
        """
        from braided.streams.offline_scaling import scaled

        return scaled(rows, self.scale, absent=self.absent)

    def make(self, X: Rows, y: NDArray[Any], seed: int) -> Stream:
        """Make a stream of this shape.

        Parameters
        ----------
        X : Rows
            The rows, scaled already.
        y : array
            Their labels.
        seed : int
            The seed of the run; a shape that does not shuffle makes no use of it.

        Returns
        -------
        Stream
            The stream.
        """
        shape = SHAPES.find(self.stream)
        seeded = {"seed": seed} if shape.shuffles else {}
        stream: Stream = resolve(shape.home)(X, y, **self.options, **seeded)
        return stream

"""``braided demo``: every learner on three sets, as their features come and go."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.table import Table

    from braided.datasets import Dataset

__all__ = ["demo"]

SETS = ("magic", "spambase", "german")
STREAMS = {"trapezoidal": "trap.", "capricious": "capr.", "evolvable": "evol."}
SCALE = "zscore+unit"
REPEATS = 3

# The values of the paper's own tables.
PAPER = {"aggressiveness": 0.1, "radius": 30.0, "budget": 0.5}
VARIANTS = {"OLSF": "hard", "OLSF-I": "I", "OLSF-II": "II"}
FORMS: dict[str, dict[str, Any]] = {
    "": {},
    "-all": {"budget": 1.0},
    "-rand": {"selection": "random"},
}
# A perceptron's step is the same in all three variants.
OLSF_FORMS: dict[str, dict[str, Any]] = {
    **{v + f: {**PAPER, "variant": VARIANTS[v], **FORMS[f]} for v in VARIANTS for f in FORMS},
    "OLSF-per": {**PAPER, "update": "perceptron"},
}

ABOUT = (
    "OLSF, OLSF-I and OLSF-II keep half of the features they have seen; -all keeps all of them, "
    "-rand keeps half at random, -per steps like a perceptron. All others are as they come, "
    "with their defaults.\n"
    f"As in the paper, the data is scaled {SCALE} over the whole set before it is streamed. A real "
    "stream can not be scaled so, and 'braided evaluate' does it only when asked.\n"
)
NEXT = """
Your own file:   braided evaluate rows.svm --learner olsf-ii --set budget=0.1
Other streams:   braided evaluate spambase --stream evolvable --generations 4
What there is:   braided learners, braided datasets, braided evaluate --help
"""

Rates = dict[tuple[str, str], dict[str, float]]


def demo(
    quick: Annotated[
        bool, typer.Option("--quick", help=f"One repeat instead of {REPEATS}.")
    ] = False,
) -> None:
    """Run every learner on three datasets under three shapes of stream."""
    from rich.console import Console

    from braided.cli.progress import progress_bar
    from braided.datasets import shipped
    from braided.streams.scaling import scaled

    console = Console()
    console.print(ABOUT, highlight=False)
    times = 1 if quick else REPEATS
    rates: Rates = {}
    contenders = _contenders()
    with progress_bar("demo", len(SETS) * len(STREAMS), "streams") as progress:
        for name in SETS:
            # The shipped set, even if the user's folder has another one of that name.
            dataset = shipped.read(name)
            dataset = replace(dataset, X=scaled(dataset.X, SCALE))
            for stream in STREAMS:
                rates[name, stream] = {
                    label: _error_rate(learner, parameters, dataset, stream, times)
                    for label, (learner, parameters) in contenders.items()
                }
                if progress is not None:
                    progress(1)
    console.print(_table(rates, times))
    console.print(NEXT, highlight=False, end="")


def _contenders() -> dict[str, tuple[str, dict[str, Any]]]:
    """What each row of the table is called, and how it is made."""
    from braided import registry

    others = [e.name for e in registry.ENTRIES if e.alias_of is None and e.name != "olsf"]
    return {
        **{label: ("olsf", parameters) for label, parameters in OLSF_FORMS.items()},
        **{name: (name, {}) for name in others},
    }


def _error_rate(
    learner: str, parameters: dict[str, Any], dataset: Dataset, stream: str, times: int
) -> float:
    from braided import registry
    from braided.cli.shapes import maker
    from braided.evaluate import repeated

    make_stream = maker(stream, {})
    summary = repeated(
        lambda seed: registry.create(learner, **parameters, **_seeded(learner, seed)),
        lambda seed: make_stream(dataset.X, dataset.y, seed),
        repeats=times,
    )
    return summary.mean("error_rate")


def _seeded(learner: str, seed: int) -> dict[str, int]:
    from braided import registry

    return {"seed": seed} if "seed" in registry.parameters(learner) else {}


def _table(rates: Rates, times: int) -> Table:
    from rich.box import HORIZONTALS
    from rich.table import Table

    shapes = ", ".join(f"{short} {name}" for name, short in STREAMS.items())
    table = Table(
        title=f"Mistakes in % of the rounds, mean of {times}; the fewest in bold",
        caption=f"Streams: {shapes}",
        box=HORIZONTALS,
        padding=0,
    )
    table.add_column("learner", no_wrap=True)
    for name, stream in rates:
        heading = name if stream == next(iter(STREAMS)) else ""
        table.add_column(f"{heading}\n{STREAMS[stream]}", justify="right", no_wrap=True)
    best = {cell: min(column.values()) for cell, column in rates.items()}
    for learner in next(iter(rates.values())):
        shown = [
            f"[bold]{100 * column[learner]:.1f}[/]"
            if column[learner] == best[cell]
            else f"{100 * column[learner]:.1f}"
            for cell, column in rates.items()
        ]
        table.add_row(learner, *shown, end_section=learner.endswith(("-rand", "-per")))
    return table

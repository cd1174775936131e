"""``braided demo``: every learner on three sets, as their features come and go."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from braided.cli.options import Html, OutputOptions, StreamOptions
from braided.cli.options.panels import EVALUATION

if TYPE_CHECKING:
    from rich.table import Table

    from braided.datasets import Dataset
    from braided.evaluate import Summary
    from braided.report.outcomes import Outcomes

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
    "braid gets the raw values, once, with nothing tuned. "
    "OLSF, OLSF-I and OLSF-II keep half of the features they have seen; -all keeps all of them, "
    "-rand keeps half at random, -per steps like a perceptron. All others are as they come, "
    "with their defaults. Majority class and last label look at no feature.\n"
    f"For all but braid the data is scaled {SCALE} over the whole set before it is streamed, as "
    "in the papers. A real stream can not be scaled so.\n"
)
NEXT = """
Your own file:   braided evaluate rows.csv --label bought
Another learner: braided evaluate spambase --learner olsf-ii --set budget=0.1
Other streams:   braided evaluate spambase --stream evolvable --generations 4
What there is:   braided learners, braided datasets, braided evaluate --help
"""

Rates = dict[tuple[str, str], dict[str, float]]


Quick = Annotated[
    bool,
    typer.Option(
        "--quick", help=f"Run once instead of {REPEATS} times.", rich_help_panel=EVALUATION
    ),
]


def demo(context: typer.Context, *, quick: Quick = False, html: Html = None) -> None:
    """Run every learner on three datasets under three shapes of stream."""
    from rich.console import Console

    from braided.cli.demo_page import write_demo
    from braided.cli.html_pages import Remake
    from braided.datasets import shipped
    from braided.streams.offline_scaling import scaled

    OutputOptions(html=html).check()
    console = Console()
    console.print(ABOUT, highlight=False)
    times = 1 if quick else REPEATS
    # The shipped sets, even if the user's folder has others of those names.
    raw = {name: shipped.read(name) for name in SETS}
    sets = {name: replace(data, X=scaled(data.X, SCALE)) for name, data in raw.items()}
    columns = _columns(raw, sets, times)
    console.print(_table(_means(columns), times))
    console.print(NEXT, highlight=False, end="")
    if html is not None:
        print()
        write_demo(html, raw, sets, columns, times, Remake(context.obj, 0))


def _columns(
    raw: dict[str, Dataset], sets: dict[str, Dataset], times: int
) -> dict[tuple[str, str], Outcomes]:
    """What came out for every set and shape; the default learner sees raw values."""
    from braided import registry
    from braided.cli.progress import progress_bar
    from braided.report.outcomes import outcomes_of

    columns: dict[tuple[str, str], Outcomes] = {}
    contenders = _contenders()
    with progress_bar("demo", len(SETS) * len(STREAMS), "streams") as progress:
        for name in sets:
            for stream in STREAMS:
                summaries = {}
                for label, (learner, parameters) in contenders.items():
                    dataset = (raw if learner == registry.DEFAULT else sets)[name]
                    summaries[label] = _summary(learner, parameters, dataset, stream, times)
                columns[name, stream] = outcomes_of(summaries)
                if progress is not None:
                    progress(1)
    return columns


def _means(columns: dict[tuple[str, str], Outcomes]) -> Rates:
    return {
        cell: {learner: outcome.mean for learner, outcome in outcomes.items()}
        for cell, outcomes in columns.items()
    }


def _contenders() -> dict[str, tuple[str, dict[str, Any]]]:
    """What each row of the table is called, and how it is made."""
    from braided import registry

    special = ("olsf", registry.DEFAULT)
    others = [e.name for e in registry.LEARNERS if e.alias_of is None and e.name not in special]
    return {
        registry.DEFAULT: (registry.DEFAULT, {}),
        **{label: ("olsf", parameters) for label, parameters in OLSF_FORMS.items()},
        **{name: (name, {}) for name in others},
    }


def _summary(
    learner: str, parameters: dict[str, Any], dataset: Dataset, stream: str, times: int
) -> Summary:
    from braided import registry
    from braided.evaluate import repeated

    shape = StreamOptions(stream)
    return repeated(
        lambda s: registry.create(learner, **registry.completed(learner, parameters, seed=s)),
        lambda seed: shape.make(dataset.X, dataset.y, seed),
        repeats=times,
    )


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
    first, *_, last = _contenders()  # the baselines follow
    best = {cell: min(column.values()) for cell, column in rates.items()}
    for learner in next(iter(rates.values())):
        shown = [
            f"[bold]{100 * column[learner]:.1f}[/]"
            if column[learner] == best[cell]
            else f"{100 * column[learner]:.1f}"
            for cell, column in rates.items()
        ]
        ends = learner.endswith(("-rand", "-per")) or learner in (first, last)
        table.add_row(learner, *shown, end_section=ends)
    return table

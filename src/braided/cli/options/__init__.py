"""Options that several commands share, by what they are about."""

from braided.cli.options.learner import LEARNING, ManyClasses, Seed
from braided.cli.options.output import SHOWING, Budgets, Html, Metrics, metric_names
from braided.cli.options.reading import (
    Categorical,
    Format,
    Ignore,
    LabelColumn,
    Null,
    OnError,
    Unlabelled,
    reading_options,
    with_joined_values,
)
from braided.cli.options.stream import (
    Absent,
    Chunks,
    Delay,
    Generations,
    Missing,
    Overlap,
    Scale,
    StreamShape,
    Vanish,
    shape_options,
)

__all__ = [
    "LEARNING",
    "SHOWING",
    "Absent",
    "Budgets",
    "Categorical",
    "Chunks",
    "Delay",
    "Format",
    "Generations",
    "Html",
    "Ignore",
    "LabelColumn",
    "ManyClasses",
    "Metrics",
    "Missing",
    "Null",
    "OnError",
    "Overlap",
    "Scale",
    "Seed",
    "StreamShape",
    "Unlabelled",
    "Vanish",
    "metric_names",
    "reading_options",
    "shape_options",
    "with_joined_values",
]

"""Options of the commands, as dataclasses: one file for each panel of the help.

A command names the dataclasses that it takes; ``expanded`` makes a flag of each field. To add an
option that several commands have, add a field with its help to the dataclass of its panel; one
that a single command has stands in the file of that command.
"""

from braided.cli.options.data import Data, ModelFile, SeveralData
from braided.cli.options.evaluation import EvaluationOptions, Jobs, Seed
from braided.cli.options.expand import expanded
from braided.cli.options.learner import LearnerOptions, ManyClasses
from braided.cli.options.output import AsJson, Html, OutputOptions
from braided.cli.options.reading import ReadingOptions
from braided.cli.options.stream import StreamOptions

__all__ = [
    "AsJson",
    "Data",
    "EvaluationOptions",
    "Html",
    "Jobs",
    "LearnerOptions",
    "ManyClasses",
    "ModelFile",
    "OutputOptions",
    "ReadingOptions",
    "Seed",
    "SeveralData",
    "StreamOptions",
    "expanded",
]

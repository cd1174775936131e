"""Options of the commands, as dataclasses: one file for each panel of the help."""

from braided.cli.options.data import Data, ModelFile, SeveralData
from braided.cli.options.evaluation import EvaluationOptions, Jobs, Seed
from braided.cli.options.expand import expanded
from braided.cli.options.learner import LearnerOptions, ManyClasses
from braided.cli.options.output import AsJson, Html, OutputOptions
from braided.cli.options.reading import PartlyLabelledOptions, ReadingOptions
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
    "PartlyLabelledOptions",
    "ReadingOptions",
    "Seed",
    "SeveralData",
    "StreamOptions",
    "expanded",
]

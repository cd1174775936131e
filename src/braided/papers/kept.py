"""Outcomes kept in files, so that a run that was interrupted goes on, and a page is made of all."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from braided.papers import sets
from braided.papers.experiment import Experiment, Floats
from braided.papers.running import Measured, Outcome

__all__ = ["KeptOutcomes"]

DIGITS = 8


@dataclass(frozen=True)
class KeptOutcomes:
    """A folder with a file for each outcome.

    A file is used as long as the experiment is defined as it was then, and the same sets are there;
    it does not know of changes in learners, or in how values are scaled.
    """

    folder: Path

    def load(self, experiment: Experiment, way: str, *, repeats: int = 1) -> Outcome | None:
        """The outcome of an experiment by this way, if it is kept with so many permutations."""
        path = self._path(experiment, way)
        if not path.is_file():
            return None
        kept = json.loads(path.read_text(encoding="utf-8"))
        if kept["definition"] != _definition(experiment) or kept["repeats"] < repeats:
            return None
        found = {
            measure: Measured(np.array(mean), np.array(std))
            for measure, (mean, std) in _pairs(experiment, kept["measured"])
        }
        return Outcome(experiment, kept["repeats"], found, kept["seconds"])

    def save(self, outcome: Outcome, way: str) -> None:
        """Keep an outcome; the file is there as a whole or not at all."""
        kept = {
            "experiment": outcome.experiment.name,
            "way": way,
            "definition": _definition(outcome.experiment),
            "repeats": outcome.repeats,
            "seconds": round(outcome.seconds, 1),
            "measured": [
                [_listed(found.mean), _listed(found.std)] if found is not None else None
                for found in (outcome.found.get(m) for m in outcome.experiment.measures)
            ],
        }
        path = self._path(outcome.experiment, way)
        self.folder.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_suffix(".part")
        unfinished.write_text(json.dumps(kept) + "\n", encoding="utf-8")
        unfinished.replace(path)

    def _path(self, experiment: Experiment, way: str) -> Path:
        return self.folder / f"{experiment.name}-as-{way}.json"


def _pairs(experiment: Experiment, measured: list[Any]) -> list[tuple[Any, Any]]:
    pairs = zip(experiment.measures, measured, strict=True)
    return [(measure, found) for measure, found in pairs if found is not None]


def _definition(experiment: Experiment) -> str:
    """A digest of what is measured, and on which sets."""
    names = dict.fromkeys(measure.data for measure in experiment.measures)
    text = f"{experiment.measures!r} {[(name, sets.find(name)) for name in names]!r}"
    return hashlib.sha256(re.sub(r" at 0x[0-9a-f]+", "", text).encode()).hexdigest()[:16]


def _listed(values: Floats) -> list[float]:
    return [float(f"{value:.{DIGITS}g}") for value in values]

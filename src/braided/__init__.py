"""Braided: online learning from streams whose features come and go."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from braided import checks, compose, datasets, evaluate, model_files, registry, spark, streams
    from braided.compose.calibrated import Calibrated
    from braided.compose.matrix_form import MatrixForm
    from braided.compose.one_vs_one import OneVsOne
    from braided.compose.one_vs_rest import OneVsRest
    from braided.compose.pseudo_label import PseudoLabel
    from braided.compose.scaled import Scaled
    from braided.errors import DataWarning, InputError, ModelFileError
    from braided.features import FeatureSpace
    from braided.learner.learner import Learner
    from braided.learners.adagrad import AdaFOBOS, AdaRDA
    from braided.learners.braid import Braid
    from braided.learners.fesl import FESL
    from braided.learners.fobos import FOBOS, STG
    from braided.learners.glsc import GLSC
    from braided.learners.oco import OCO
    from braided.learners.ofs import OFS, RAND, OFSPartial, PETrun
    from braided.learners.olsf import OLSF
    from braided.learners.sol import FSOL, SSOL
    from braided.model_files.save_load import from_bytes, load
    from braided.records import Schema, as_rows
    from braided.registry import register
    from braided.rows.rows import Rows

__all__ = [
    "FESL",
    "FOBOS",
    "FSOL",
    "GLSC",
    "OCO",
    "OFS",
    "OLSF",
    "RAND",
    "SSOL",
    "STG",
    "AdaFOBOS",
    "AdaRDA",
    "Braid",
    "Calibrated",
    "DataWarning",
    "FeatureSpace",
    "InputError",
    "Learner",
    "MatrixForm",
    "ModelFileError",
    "OFSPartial",
    "OneVsOne",
    "OneVsRest",
    "PETrun",
    "PseudoLabel",
    "Rows",
    "Scaled",
    "Schema",
    "as_rows",
    "checks",
    "compose",
    "datasets",
    "evaluate",
    "from_bytes",
    "load",
    "model_files",
    "register",
    "registry",
    "spark",
    "streams",
]

__version__ = "0.1.0.dev0"

# Names are imported when they are first used: the command line shows its help without waiting for
# Numba and scikit-learn. Learners are found by the registry, those of other packages as well.
HOMES = {
    "DataWarning": "braided.errors",
    "FeatureSpace": "braided.features",
    "InputError": "braided.errors",
    "Learner": "braided.learner.learner",
    "ModelFileError": "braided.errors",
    "Rows": "braided.rows.rows",
    "Schema": "braided.records",
    "as_rows": "braided.records",
    "from_bytes": "braided.model_files.save_load",
    "load": "braided.model_files.save_load",
    "register": "braided.registry",
}


def __getattr__(name: str) -> Any:
    if name in HOMES:
        return getattr(import_module(HOMES[name]), name)
    from braided.registry import classes, resolve

    learners = classes()
    if name in learners:
        return resolve(learners[name])
    if name in __all__:
        return import_module(f"braided.{name}")
    raise AttributeError(f"module 'braided' has no attribute {name!r}")


def __dir__() -> list[str]:
    from braided.registry import classes

    return sorted({*__all__, *classes()})

"""The experts of a Braid: one entry for each, in the order in which a Braid keeps them."""

from __future__ import annotations

from dataclasses import dataclass

from braided.registry.table import Home, Table

__all__ = ["EXPERTS", "ExpertEntry"]


@dataclass(frozen=True)
class ExpertEntry:
    """An expert of a Braid.

    Parameters
    ----------
    name : str
        Its name, as ``Braid.experts`` shows it.
    home : str or Expert
        Its kernels, a ``braided.learners.braid.experts.Expert``.
    about : str
        What it is, in a few words.
    additive : bool, default True
        Whether it is an ``Expert``, which adds up what single features tell. The forest and the
        pairs are not: they have kernels and arrays of their own.

    Examples
    --------
    >>> from braided.registry import EXPERTS
    >>> EXPERTS.names()[:2]
    ['ratio AdaGrad', 'Bayes']
    """

    name: str
    home: Home
    about: str
    additive: bool = True


_BRAID = "braided.learners.braid"
_HERE = f"{_BRAID}.experts"

EXPERTS = Table(
    "expert",
    (
        ExpertEntry("ratio AdaGrad", f"{_HERE}.ratio_adagrad:EXPERT", "gradient steps on ratios"),
        ExpertEntry("Bayes", f"{_HERE}.bayes:EXPERT", "Bayesian logistic steps on z-scores"),
        ExpertEntry("AROW", f"{_HERE}.arow:EXPERT", "confidence-weighted steps on z-scores"),
        ExpertEntry("binned Bayes", f"{_HERE}.binned_bayes:EXPERT", "Bayes on bins of a value"),
        ExpertEntry("binned AdaGrad", f"{_HERE}.binned_adagrad:EXPERT", "AdaGrad on bins"),
        ExpertEntry("naive Bayes", f"{_HERE}.naive_bayes:EXPERT", "counts of labels by bin"),
        ExpertEntry(
            "forest", f"{_BRAID}.forest.learning:learn_forest", "trees that grow row by row", False
        ),
        ExpertEntry("pairs", f"{_BRAID}.pairs:learn_pairs", "products of two features", False),
    ),
)
"""All experts of a Braid.

Examples
--------
>>> from braided.registry import EXPERTS
>>> [entry.name for entry in EXPERTS if not entry.additive]
['forest', 'pairs']
"""

"""The page of one model: what it is, what it has learned, and how well, if that was measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from braided.evaluate import Result, Summary
from braided.learner.learner import Learner
from braided.report.appearances import Appearances
from braided.report.outcomes import outcomes_of
from braided.report.page import Page, Section
from braided.report.recording import Recording
from braided.report.schema import FieldCoverage

__all__ = ["model_facts", "model_page", "model_section"]

ABOUT = (
    "A model and what it has learned. Features may come and go; what is not observed is not zero."
)


def model_facts(model: Learner) -> dict[str, str]:
    """Return what a model is, and how large: facts by name.

    Parameters
    ----------
    model : Learner
        The model.

    Returns
    -------
    dict
        The facts as texts.

    Examples
    --------
    >>> from braided import OLSF
    >>> model_facts(OLSF().partial_fit([{"a": 1}, {"b": 1}], ["no", "yes"]))["labels"]
    'no, yes'
    """
    labels = list(model.classes_) if model.__sklearn_is_fitted__() else []
    return {
        "learner": repr(model),
        "labels": ", ".join(map(str, labels)) or "none yet",
        "rows learned": str(model.rounds),
        "features seen": str(model.features_seen),
        "features kept": str(model.features_kept),
        "memory": f"{model.memory_bytes / 1000:.1f} kB",
    }


def model_section(
    title: str,
    model: Learner,
    *,
    label: str | None = None,
    result: Result | None = None,
    facts: Mapping[str, str] | None = None,
    features: Appearances | None = None,
    schema: Sequence[FieldCoverage] = (),
    warnings: Sequence[str] = (),
) -> Section:
    """Make the section of a page about one model.

    Parameters
    ----------
    title : str
        Its title.
    model : Learner
        The model.
    label : str, optional
        What the charts call it; the name of its class if left out.
    result : Result, optional
        Scores and labels of the rows it has learned, from before they were learned: with it come
        the charts of errors, labels and the confusion matrix.
    facts : mapping, optional
        More facts by name, shown after those of ``model_facts``.
    features : Appearances, optional
        When each feature was observed.
    schema : sequence of FieldCoverage, default ()
        The fields of the data, and how often each is observed.
    warnings : sequence of str, default ()
        Warnings, shown above everything else.

    Returns
    -------
    Section
        The section.

    Examples
    --------
    >>> from braided import OLSF
    >>> from braided.report import model_section
    >>> model = OLSF().partial_fit([{"cheap": 1}, {"lunch": 1}], ["spam", "mail"])
    >>> model_section("m.braided", model, facts={"rows": "2"}).title
    'm.braided'
    """
    name = label or type(model).__name__
    summary = Summary({} if result is None else {0: result})
    return Section(
        title,
        recordings=[Recording(name, summary, model)],
        outcomes=outcomes_of({name: summary}) if result is not None else {},
        facts={**model_facts(model), **(facts or {})},
        schema=schema,
        warnings=warnings,
        features=features,
    )


def model_page(title: str, model: Learner, *, command: str, **about_it: Any) -> Page:
    """Make the page of one model.

    Parameters
    ----------
    title : str
        Its title, as in the name of the model's file.
    model : Learner
        The model.
    command : str
        The command that makes the page again.
    **about_it : Any
        What is known about the model: the other arguments of ``model_section``.

    Returns
    -------
    Page
        The page, for ``write_page``.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from braided import OLSF
    >>> from braided.report import write_page
    >>> model = OLSF().partial_fit([{"cheap": 1}, {"lunch": 1}], ["spam", "mail"])
    >>> page = model_page("m.braided", model, command="python this.py", warnings=["Two rows only."])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "page.html"
    ...     write_page(path, page)
    ...     "Two rows only." in path.read_text()
    True
    """
    return Page(title, ABOUT, [model_section("The model", model, **about_it)], command)

"""Every experiment by name: a paper is one line here."""

from __future__ import annotations

from difflib import get_close_matches

from braided.errors import InputError
from braided.papers import glsc, ofs, ofs_applications, olsf, olsf_others, sol, stsd
from braided.papers.experiment import Experiment

__all__ = ["experiments", "find"]

PAPERS = (olsf, olsf_others, stsd, sol, glsc, ofs, ofs_applications)


def experiments() -> list[Experiment]:
    """List all experiments, paper by paper.

    Returns
    -------
    list of Experiment
        The tables and figures.
    """
    return [experiment for paper in PAPERS for experiment in paper.experiments()]


def find(name: str) -> Experiment:
    """Find an experiment.

    Parameters
    ----------
    name : str
        Its name, as in ``"ofs-table-2"``.

    Returns
    -------
    Experiment
        The experiment of this name.

    Raises
    ------
    InputError
        If there is none.
    """
    known = {experiment.name: experiment for experiment in experiments()}
    if name not in known:
        close = get_close_matches(name.lower(), known, n=1)
        hint = f" (did you mean {close[0]!r}?)" if close else ""
        raise InputError(f"no experiment {name!r}{hint}: 'braided reproduce' lists them all")
    return known[name]

"""Doctests of what needs the extra ``docs`` are left out where it is not installed."""

from importlib.util import find_spec

collect_ignore = [] if find_spec("griffe") else ["site/choices.py"]

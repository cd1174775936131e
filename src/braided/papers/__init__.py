"""The tables and figures of the papers, run again and shown beside what was printed."""

from braided.papers.catalogue import experiments, find
from braided.papers.running import Outcome, run

__all__ = ["Outcome", "experiments", "find", "run"]

"""The tables and figures of the papers, run again and shown beside what was printed."""

from braided.reproduce.catalogue import experiments, find
from braided.reproduce.running import Outcome, run

__all__ = ["Outcome", "experiments", "find", "run"]

"""OFS and its rivals, which keep few features (``ofs.py``), or also read few (``partial.py``)."""

from braided.learners.ofs.ofs import OFS, RAND, PETrun
from braided.learners.ofs.partial import OFSPartial

__all__ = ["OFS", "RAND", "OFSPartial", "PETrun"]

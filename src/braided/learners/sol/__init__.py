"""SOL, sparse online learning: FSOL and SSOL (``sol.py``), the full matrix (``full_matrix.py``)."""

from braided.learners.sol.sol import FSOL, SSOL

__all__ = ["FSOL", "SSOL"]

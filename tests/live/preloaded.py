"""What services in tests need, loaded once in the process that they are forked from."""

import numba  # noqa: F401

import braided.live.server  # noqa: F401
from braided import OCO, OLSF, Braid  # noqa: F401

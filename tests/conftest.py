from __future__ import annotations

import os

from hypothesis import settings

# The same examples on every machine: a failure in CI is a failure at home.
settings.register_profile("fixed", deadline=None, derandomize=True, max_examples=60)
settings.register_profile("thorough", deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fixed"))

# Tests look at standard error, and do not know whether something has to be compiled.
os.environ.setdefault("BRAIDED_QUIET", "1")

# It registers toys for good when it is imported, which only processes of their own should do.
collect_ignore = ["support/toy_plugin.py"]

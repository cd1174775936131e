"""Tools for those who work on Braided; none of them is part of the package."""

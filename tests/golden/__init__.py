"""Model files of the versions so far, and what their models said when they were saved.

Later versions must load them and say the same. ``python -m tests.golden`` adds what is missing, and
never replaces a file.
"""

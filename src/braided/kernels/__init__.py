"""Compiled pieces that the learners share."""

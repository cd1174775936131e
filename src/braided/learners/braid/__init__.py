"""Braid, the learner with no knobs, part by part."""

from braided.learners.braid.braid import Braid

__all__ = ["Braid"]

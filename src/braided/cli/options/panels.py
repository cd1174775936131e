"""The panels into which help sorts options: the same names in all commands."""

from __future__ import annotations

__all__ = ["BROKERS", "CLUSTER", "DATA", "EVALUATION", "LEARNER", "OUTPUT", "READING", "SERVICE"]
__all__ += ["STREAM"]

DATA = "Data"
READING = "Reading files"
STREAM = "Stream"
LEARNER = "Learner"
EVALUATION = "Evaluation"
OUTPUT = "Output"
CLUSTER = "Cluster"
SERVICE = "Service"
BROKERS = "Brokers"

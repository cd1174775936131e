"""Model files: what was learned, safely on disk.

The format is told in ``docs/files.md``. Loading runs no code from a file, and believes nothing
that it says.
"""

from braided.model_files.model import load, save
from braided.model_files.training import Position, Training

__all__ = ["Position", "Training", "load", "save"]

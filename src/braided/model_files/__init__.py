"""Model files: save and load models, and train so that a run can be resumed.

The format is described in ``docs/model_files.md``. Nothing in a model file is trusted: loading runs
no code from it, and checks all that it says.
"""

from braided.model_files.save_load import from_bytes, load, save
from braided.model_files.training import Position, Training

__all__ = ["Position", "Training", "from_bytes", "load", "save"]

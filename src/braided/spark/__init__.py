"""The same learners on Spark: exact, merged, predicting, and on streams. Needs ``braided[spark]``.

Nothing but ``DataFrame.mapInArrow`` is used, so it runs wherever Python workers do. What an
executor does is in ``workers.py``, as functions of plain record batches.
"""

from braided.spark.predicting import predict
from braided.spark.streaming import stream
from braided.spark.training import continue_training, evaluate, train

__all__ = ["continue_training", "evaluate", "predict", "stream", "train"]

"""ModelStore: a model file on a local disk, or on a file system of Hadoop through Spark."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from braided.model_files.save_load import read, read_bytes, save, to_bytes

if TYPE_CHECKING:
    from braided.learner.learner import Learner

__all__ = ["ModelStore"]


class ModelStore:
    """A model file that is read and replaced as a whole.

    Parameters
    ----------
    path : str
        A local path, or with a scheme (``hdfs:``, ``s3a:``, ``file:`` ...) one of Hadoop.
    session : pyspark.sql.SparkSession
        The session.
    """

    def __init__(self, path: str, session: Any) -> None:
        self.path, self._session = path, session
        self._local = ":" not in path.partition("/")[0]

    def read(self) -> tuple[Learner, dict[str, str]] | None:
        """Return the model and its notes; None if there is no file."""
        if self._local:
            return read(self.path) if os.path.exists(self.path) else None
        files, path = self._hadoop(self.path)
        if not files.exists(path):
            return None
        binary = self._session.read.format("binaryFile").load(self.path)
        return read_bytes(bytes(binary.select("content").collect()[0]["content"]))

    def write(self, model: Learner, notes: Mapping[str, str]) -> None:
        """Replace the file: readers see the old one or the new one."""
        if self._local:
            save(model, self.path, notes)
            return
        files, partial = self._hadoop(f"{self.path}.partial")
        out = files.create(partial, True)
        out.write(bytearray(to_bytes(model, notes)))
        out.hsync()
        out.close()
        java = self._java()
        overwrite = java.org.apache.hadoop.fs.Options.Rename.OVERWRITE
        options = self._session.sparkContext._gateway.new_array(  # noqa: SLF001 - no other way
            java.org.apache.hadoop.fs.Options.Rename, 1
        )
        options[0] = overwrite
        context = java.org.apache.hadoop.fs.FileContext.getFileContext(
            partial.toUri(), self._configuration()
        )
        context.rename(partial, self._hadoop(self.path)[1], options)

    def _hadoop(self, path: str) -> tuple[Any, Any]:
        found = self._java().org.apache.hadoop.fs.Path(path)
        return found.getFileSystem(self._configuration()), found

    def _java(self) -> Any:
        return self._session.sparkContext._jvm  # noqa: SLF001 - pyspark has no other way to Hadoop

    def _configuration(self) -> Any:
        context = self._session.sparkContext._jsc  # noqa: SLF001 - as above
        return context.hadoopConfiguration()

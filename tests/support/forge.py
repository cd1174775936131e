"""Model files as somebody might make them who knows the format, checksum included."""

from __future__ import annotations

import json

import numpy as np

from braided.model_files import safetensors as tensors


def contents(path):
    """The texts of a file, what it tells of the model, and its arrays."""
    with tensors.opened(path) as file:
        arrays = {}
        for name in file.places:
            arrays[name] = np.empty(file.places[name].shape, file.places[name].dtype)
            file.read_into(name, arrays[name])
        texts = dict(file.texts)
    return texts, json.loads(texts.pop("model")), arrays


def forge(path, texts, told, arrays):
    """Write these contents, whatever they are."""
    tensors.write(path, {"braided": texts["braided"], "model": json.dumps(told), **texts}, arrays)

"""A demonstration: a service on an empty folder, and a stream that is played into it.

``python -m braided.live.demo [PORT]``. Nothing is trained before. Each record is predicted first;
its label comes a while later, by key. Columns come and go.
"""

from __future__ import annotations

import http.client
import json
import sys
import tempfile
import threading
import time
from typing import Any

import numpy as np

from braided import datasets
from braided.live.models import Models, new_model
from braided.live.server import Server
from braided.live.service import Service

__all__ = ["main", "play"]

_LATE = 40
_PER_SECOND = 60.0


def play(port: int, name: str, stop: threading.Event, *, per_second: float = _PER_SECOND) -> None:
    """Send a dataset to a model, again and again, as a live stream.

    Parameters
    ----------
    port : int
        The port of the service.
    name : str
        The name of the dataset, and of the model.
    stop : Event
        Set to end.
    per_second : float, default 60
        How many records a second.
    """
    data = datasets.load(name)
    rows, labels = list(data.X.dicts()), data.y.tolist()
    names = sorted({name for row in rows for name in row}, key=str)
    rng = np.random.default_rng(0)
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    late: list[tuple[str, Any]] = []
    number = 0
    while not stop.is_set():
        for t in rng.permutation(len(rows)).tolist():
            if stop.wait(1.0 / per_second):
                break
            here = _columns_now(names, number)
            record = {str(f): v for f, v in rows[t].items() if f in here}
            key = f"record {number}"
            _ask(connection, f"/models/{name}/predict", {**record, "key": key})
            late.append((key, labels[t]))
            if len(late) > _LATE:
                key, label = late.pop(int(rng.integers(len(late) // 2)))
                _ask(connection, f"/models/{name}/label", {"key": key, "label": label})
            number += 1
    connection.close()


def _columns_now(names: list[Any], number: int) -> set[Any]:
    """The columns that are there: a window that moves over all of them, two thirds wide."""
    width = max(1, 2 * len(names) // 3)
    start = number // 1500 * max(1, len(names) // 6)
    return {names[(start + i) % len(names)] for i in range(width)}


def _ask(connection: http.client.HTTPConnection, path: str, record: dict[str, Any]) -> None:
    connection.request("POST", path, json.dumps(record, default=str).encode())
    connection.getresponse().read()


def main(port: int = 8000, name: str = "german") -> None:
    """Serve and play until it is stopped.

    Parameters
    ----------
    port : int, default 8000
        The port; 0 for a free one.
    name : str, default "german"
        The dataset.
    """
    stop = threading.Event()
    with tempfile.TemporaryDirectory() as folder:
        models = Models(folder)
        models.put(name, new_model("braid", {}, {"label": "label", "key": "key"}))

        def started(at: int) -> None:
            print(f"http://127.0.0.1:{at}  (Ctrl-C ends it)", flush=True)
            threading.Thread(target=play, args=(at, name, stop), daemon=True).start()

        try:
            Server(Service(models), port=port, on_start=started).run()
        except KeyboardInterrupt:
            pass
        finally:
            stop.set()
            models.close()
            time.sleep(0.1)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 8000)

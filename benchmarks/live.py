"""Load on a service over loopback, and river behind the same kind of server beside it.

``python -m benchmarks.live [SECONDS]``: records of 25 fields (17 numbers, 5 categories, a flag, a
country, a text). Client and server share the machine. For Braided an answer means that the record
is in the journal on disk; river, behind FastAPI in 30 lines as people write it, keeps nothing.
"""

from __future__ import annotations

import http.client
import json
import multiprocessing
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from tests.live.service import Running, ask, call, free_port

FORK = multiprocessing.get_context("spawn")


def records(count: int, seed: int = 0) -> list[dict[str, Any]]:
    rng = random.Random(seed)
    found = []
    for _ in range(count):
        fields: dict[str, Any] = {f"n{j}": round(rng.gauss(0, 1), 4) for j in range(17)}
        fields |= {f"c{j}": rng.choice(["red", "green", "blue", "white"]) for j in range(5)}
        fields |= {"flag": rng.random() < 0.5, "country": rng.choice(["DE", "FR", "US"])}
        fields["text"] = " ".join(rng.choice(["late", "new", "order", "gift"]) for _ in range(3))
        found.append({**fields, "y": "yes" if fields["n0"] + fields["n1"] > 0 else "no"})
    return found


def river_server(port: int) -> None:
    """River behind FastAPI: one model, one process, nothing on disk."""
    import uvicorn
    from fastapi import FastAPI
    from river import compose, linear_model, preprocessing

    numbers = compose.SelectType((int, float)) | preprocessing.StandardScaler()
    words = compose.SelectType(str) | preprocessing.OneHotEncoder()
    model = (numbers + words) | linear_model.LogisticRegression()
    app = FastAPI()

    @app.post("/models/m/learn")
    async def learn(body: list[dict] | dict) -> dict:
        for x in body if isinstance(body, list) else [body]:
            y = x.pop("y")
            model.learn_one(x, y == "yes")
        return {"learned": 1}

    @app.post("/models/m/predict")
    async def predict(body: dict) -> dict:
        return {"yes": model.predict_proba_one(body)[True]}

    @app.get("/health")
    async def health() -> dict:
        return {}

    uvicorn.run(app, port=port, log_level="warning", access_log=False)


def load(port: int, verb: str, size: int, connections: int, seconds: float) -> dict[str, Any]:
    """Send requests as fast as they are answered; records a second, and times."""
    made = records(400)
    if verb == "predict":
        made = [{k: v for k, v in x.items() if k != "y"} for x in made]
    bodies = [json.dumps(made[i : i + size] if size > 1 else made[i]).encode() for i in range(300)]
    path = f"/models/m/{verb}"
    times: list[float] = []
    end = time.perf_counter() + seconds

    def work(number: int) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        i = number * 17
        while (start := time.perf_counter()) < end:
            status, said = ask(
                connection, "POST", path, bodies[i % 300], Content_Type="application/json"
            )
            assert status == 200, (status, said)
            times.append(time.perf_counter() - start)
            i += 1
        connection.close()

    started = time.perf_counter()
    threads = [threading.Thread(target=work, args=(n,)) for n in range(connections)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    lasted, ordered = time.perf_counter() - started, sorted(times)
    return {
        "per_second": len(times) * size / lasted,
        "ms_median": 1000 * ordered[len(ordered) // 2],
        "ms_p99": 1000 * ordered[int(0.99 * (len(ordered) - 1))],
    }


def _load(queue: Any, *arguments: Any) -> None:
    queue.put(load(*arguments))


def apart(*arguments: Any) -> Any:
    """The same in a process of its own, while something else goes on."""
    queue = FORK.Queue()
    process = FORK.Process(target=_load, args=(queue, *arguments), daemon=True)
    process.start()
    return queue


def measured(name: str, port: int, seconds: float) -> None:
    load(port, "learn", 100, 1, 0.5)  # everything is loaded
    load(port, "predict", 1, 1, 0.2)
    found = [
        (name, "learn, batches of 100, 4 connections", load(port, "learn", 100, 4, seconds)),
        (name, "learn singly, 16 connections", load(port, "learn", 1, 16, seconds)),
        (name, "predict singly, 8 connections", load(port, "predict", 1, 8, seconds)),
    ]
    learning = apart(port, "learn", 20, 1, seconds + 2)
    time.sleep(1.5)
    busy = load(port, "predict", 1, 8, seconds)
    busy["learning"] = learning.get(timeout=60)["per_second"]
    found.append((name, "predict singly while batches of 20 are learned", busy))
    for name, what, numbers in found:
        told = ", ".join(f"{key} {value:,.1f}" for key, value in numbers.items())
        print(f"{name:24} {what:48} {told}", flush=True)


def sync_ms(folder: str) -> float:
    """Milliseconds until 4 KB are on disk, the median of 200: each commit waits so long."""
    found = []
    with open(Path(folder, "synced"), "wb", buffering=0) as file:
        for _ in range(200):
            started = time.perf_counter()
            file.write(bytes(4096))
            os.fsync(file.fileno())
            found.append(1000 * (time.perf_counter() - started))
    return sorted(found)[100]


def first_answer(folder: str) -> float:
    """Seconds from ``braided serve`` to its first prediction, kernels compiled; the median of 3."""
    found = []
    fields = {name: value for name, value in records(1)[0].items() if name != "y"}
    for _ in range(3):
        port, started = free_port(), time.perf_counter()
        command = [sys.executable, "-m", "braided", "serve", folder, "--port", str(port)]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        while True:
            try:
                status, said = call(port, "POST", "/models/m/predict", fields)
                break
            except OSError:
                assert process.poll() is None, "the service has ended"
                time.sleep(0.01)
        found.append(time.perf_counter() - started)
        assert status == 200, said
        assert said["label"] in ("yes", "no")
        process.terminate()
        process.wait()
    return sorted(found)[1]


def main(seconds: float) -> None:
    with tempfile.TemporaryDirectory() as folder:
        print(f"the disk takes {sync_ms(folder):.2f} ms to sync", flush=True)
        with Running(Path(folder)) as service:
            service("PUT", "/models/m", {"learner": "braid", "schema": {"label": "y"}})
            measured("Braided, durable", service.port, seconds)
        print(f"first answer {first_answer(folder):.2f} s after `braided serve`", flush=True)
    port = free_port()
    river = FORK.Process(target=river_server, args=(port,), daemon=True)
    river.start()
    for _ in range(300):
        try:
            http.client.HTTPConnection("127.0.0.1", port).request("GET", "/health")
            break
        except OSError:
            time.sleep(0.1)
    measured("river, nothing on disk", port, seconds)
    river.kill()


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 5.0)

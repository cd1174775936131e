"""Braided beside river, scikit-learn and Vowpal Wabbit: one pass, predict then learn, no tuning.

``python -m benchmarks.others`` prints the table of the README. All learners get the same raw rows,
one by one, the first 1000 of each stream. Scaling is what each library offers for streams. Vowpal
Wabbit takes part if its program ``vw`` is found.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path
from time import process_time
from typing import Any

from braided import Braid, datasets, streams

Row = tuple[dict[Any, float], Any]
SHAPES = ("fixed", "trapezoidal", "capricious", "evolvable")
SETS = ("spambase", "german")
ROWS = 1000


def one_by_one(model: Any, rows: Iterable[Row]) -> float:
    """The share of wrong predictions, each made before its row is learned."""
    wrong = total = 0
    for x, y in rows:
        wrong += model.predict_one(x) != y
        model.learn_one(x, y)
        total += 1
    return wrong / total


class ScikitLearn:
    """SGDClassifier on hashed names, scaled by the largest value so far, one row at a time."""

    def __init__(self, labels: list[Any]) -> None:
        from sklearn.feature_extraction import FeatureHasher
        from sklearn.linear_model import SGDClassifier
        from sklearn.preprocessing import MaxAbsScaler

        self.hasher = FeatureHasher(n_features=2**12)
        self.scaler, self.model = MaxAbsScaler(), SGDClassifier(loss="log_loss", random_state=0)
        self.labels, self.learned = labels, False

    def _row(self, x: dict[Any, float]) -> Any:
        return self.hasher.transform([{str(name): value for name, value in x.items()}])

    def predict_one(self, x: dict[Any, float]) -> Any:
        if not self.learned:
            return None
        return self.model.predict(self.scaler.transform(self._row(x)))[0]

    def learn_one(self, x: dict[Any, float], y: Any) -> None:
        row = self._row(x)
        self.scaler.partial_fit(row)
        self.model.partial_fit(self.scaler.transform(row), [y], classes=self.labels)
        self.learned = True


def with_river(rows: list[Row]) -> float:
    from river import linear_model, preprocessing

    first = sorted({str(y) for _, y in rows})[0]
    model = preprocessing.StandardScaler() | linear_model.LogisticRegression()
    return one_by_one(
        model, [({str(k): v for k, v in x.items()}, str(y) != first) for x, y in rows]
    )


def with_vw(rows: list[Row]) -> float:
    """The progressive error that vw prints itself; its updates are normalized by default."""
    first = sorted({str(y) for _, y in rows})[0]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.vw"
        lines = [
            f"{1 if str(y) != first else -1} | "
            + " ".join(f"{re.sub('[ :|]', '_', str(k))}:{v}" for k, v in x.items())
            for x, y in rows
        ]
        path.write_text("\n".join(lines) + "\n")
        command = ["vw", "--binary", "--loss_function", "logistic", "-d", str(path)]
        said = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    return float(re.search(r"average loss = ([\d.]+)", said)[1])  # type: ignore[index]


def main() -> None:
    contenders = {
        "Braid": lambda rows: one_by_one(Braid(), rows),
        "river": with_river,
        "scikit-learn": lambda rows: one_by_one(ScikitLearn(sorted({y for _, y in rows})), rows),
    }
    if shutil.which("vw"):
        contenders["Vowpal Wabbit"] = with_vw
    else:
        print("vw is not installed: left out\n")
    one_by_one(Braid(), [({"a": 1.0}, 0), ({"a": 2.0}, 1)])  # compiled before it is timed
    print("| rows | " + " | ".join(contenders) + " |\n|---|" + "---|" * len(contenders))
    seconds = dict.fromkeys(contenders, 0.0)
    for name in SETS:
        data = datasets.load(name)
        for shape in SHAPES:
            pairs = list(getattr(streams, shape)(data.X, data.y, seed=0).pairs())[:ROWS]
            cells = []
            for contender, run in contenders.items():
                start = process_time()
                cells.append(f"{100 * run(pairs):.1f} %")
                seconds[contender] += process_time() - start
            print(f"| {name}, {shape} | " + " | ".join(cells) + " |", flush=True)
    times = [f"{each / seconds['Braid']:.1f}" for each in seconds.values()]
    print("| time, Braid = 1 | " + " | ".join(times) + " |")


if __name__ == "__main__":
    main()

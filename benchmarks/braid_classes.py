"""Braid on many classes: all in one model, beside a whole Braid for each class.

``python -m benchmarks.braid_classes``: accuracy of the predictions made before each row was
learned, memory, and time of the processor, on scikit-learn's digits (10 classes, 64 pixels) and on
rows of words as in texts (20 classes).
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from sklearn.datasets import load_digits

from benchmarks.braid_cost import best
from braided import OLSF, Braid, OneVsRest, Rows, as_rows


class Apart(Braid):
    """A Braid that shares nothing with those of other classes."""

    def of_classes(self, turned=-1):
        return None


def digits() -> Rows:
    X, y = load_digits(return_X_y=True)
    order = np.random.default_rng(0).permutation(y.size)
    return as_rows(X[order] / 16.0, y[order])


def words(rows: int = 4000, vocabulary: int = 60_000, classes: int = 20) -> Rows:
    """Frequencies of words fall as in texts; a fifth of the words tell the class."""
    rng = np.random.default_rng(0)
    y = rng.integers(classes, size=rows)
    usual = 1.0 / np.arange(1, vocabulary + 1) ** 0.9
    drawn = rng.choice(vocabulary, size=(rows, 80), p=usual / usual.sum())
    telling = rng.random(drawn.shape) < 0.2
    drawn = np.where(telling, (drawn + 97 * y[:, None]) % vocabulary, drawn)
    row = np.repeat(np.arange(rows), drawn.shape[1])
    counts = sp.csr_matrix((np.ones(drawn.size), (row, drawn.ravel())), (rows, vocabulary))
    return as_rows(counts, y)


def accuracy(model: OneVsRest, rows: Rows) -> float:
    scores = model.prequential(rows)
    return float(np.mean(model.classes_[scores.argmax(axis=1)] == rows.labels))


def one_by_one(model: OneVsRest, rows: Rows, labels: list[int]) -> None:
    for x, y in zip(rows.dicts(), labels, strict=True):
        model.learn_one(x, y)


def main() -> None:
    print("                                                      us a row     us a row,")
    print("              model             accuracy      memory  in blocks    one by one")
    for name, rows in (("digits", digits()), ("words", words())):
        some, labels = rows[:1000], rows.labels[:1000].tolist()
        makers = {
            "one for all": lambda: OneVsRest(Braid()),
            "one for each": lambda: OneVsRest(Apart()),
            "OLSF-I": lambda: OneVsRest(OLSF(variant="I")),
        }
        blocks = best(*(lambda m=make, r=rows: m().prequential(r) for make in makers.values()))
        single = best(
            *(lambda m=make, r=some, y=labels: one_by_one(m(), r, y) for make in makers.values())
        )
        for (title, make), in_blocks, alone in zip(makers.items(), blocks, single, strict=True):
            model = make()
            right = accuracy(model, rows)
            print(
                f"{name:13} {title:16} {right:9.3f} {model.memory_bytes / 1e6:8.2f} MB "
                f"{1e6 * in_blocks / len(rows):9.1f} {1e6 * alone / len(some):13.1f}",
                flush=True,
            )


if __name__ == "__main__":
    main()

"""OLSF on many classes: one against the rest, one against one, and as one matrix.

``python -m benchmarks.many_classes`` prints the table of docs/many_classes.md: scikit-learn's
digits (10 classes), and edits of Wikipedia by the words of their title and comment (the 8 most
frequent languages, 5,000 edits; raw/wikiticker_first15000.jsonl.gz of BRAIDED_DATA). Rows have
length 1 and are shuffled. Errors are those of predictions made before each row was learned; with a
tenth of the labels, those on the last fifth of the rows, with and without pseudo-labels for the
others.
"""

from __future__ import annotations

import gzip
import json
import os
import re
from collections import Counter
from pathlib import Path
from time import process_time

import numpy as np
from sklearn.datasets import load_digits

from braided import OLSF, MatrixForm, OneVsOne, OneVsRest, PseudoLabel, Rows, as_rows
from braided.streams.offline_scaling import scaled

FORMS = {"one against the rest": OneVsRest, "one against one": OneVsOne, "matrix": MatrixForm}
SEEDS = 2
CONFIDENCE = 1.0
"""The least score for a pseudo-label: the margin that is asked of rows with a label."""


def digits() -> Rows:
    """Pictures of 8 x 8 pixels."""
    X, y = load_digits(return_X_y=True)
    return scaled(as_rows(X / 16.0), "unit").with_labels(y)


def edits() -> Rows | None:
    """Edits of Wikipedia, to be told apart by language."""
    path = Path(os.environ.get("BRAIDED_DATA", "")) / "raw" / "wikiticker_first15000.jsonl.gz"
    if not path.is_file():
        return None
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines]
    frequent = {name for name, _ in Counter(r["channel"] for r in records).most_common(8)}
    records = [r for r in records if r["channel"] in frequent][:5000]
    words = [re.findall(r"\w+", f"{r['page']} {r['comment']}".lower()) for r in records]
    rows = as_rows([dict(Counter(each)) for each in words])
    return scaled(rows, "unit").with_labels(np.array([r["channel"] for r in records]))


def shuffled(rows: Rows, seed: int) -> Rows:
    return rows[np.random.default_rng(seed).permutation(len(rows))]


def error_and_seconds(form: type, rows: Rows) -> tuple[float, float]:
    model = form(OLSF(variant="hard"))
    start = process_time()
    scores = model.prequential(rows)
    seconds = process_time() - start
    told = model.classes_[np.argmax(scores, axis=1)]
    return float((told != rows.labels).mean()), seconds


def errors_with_few_labels(name: str, rows: Rows, seed: int) -> tuple[float, float]:
    """Without and with pseudo-labels."""
    assert rows.labels is not None
    cut = len(rows) * 4 // 5
    first, last = rows[:cut], rows[cut:]
    known = np.random.default_rng(100 + seed).random(cut) < 0.1
    some = np.array(first.labels, dtype=object)
    some[~known] = None
    form = FORMS[name]
    # A score of one against one is a number of pairs: all of them must agree.
    confidence = np.unique(rows.labels).size - 1.0 if form is OneVsOne else CONFIDENCE
    models = (
        form(OLSF(variant="hard")).partial_fit(first[known]),
        PseudoLabel(form(OLSF(variant="hard")), confidence=confidence).partial_fit(
            first.with_labels(None), some
        ),
    )
    without, with_ = (float((m.predict(last) != last.labels).mean()) for m in models)
    return without, with_


def main() -> None:
    print("| set | form | error | s | error, a tenth of the labels | with pseudo-labels |")
    print("|---|---|---:|---:|---:|---:|")
    for title, rows in (("digits", digits()), ("edits of Wikipedia", edits())):
        if rows is None:
            print(f"| {title} | needs BRAIDED_DATA | | | | |")
            continue
        for name, form in FORMS.items():
            form(OLSF(variant="hard")).prequential(rows[:50])  # compiles
            found = []
            for seed in range(SEEDS):
                order = shuffled(rows, seed)
                found.append(
                    (*error_and_seconds(form, order), *errors_with_few_labels(name, order, seed))
                )
            error, seconds, without, with_ = np.mean(found, axis=0)
            spread = np.std([each[0] for each in found], ddof=1)
            print(
                f"| {title} | {name} | {100 * error:.1f} ± {100 * spread:.1f} % | {seconds:.2f} | "
                f"{100 * without:.1f} % | {100 * with_:.1f} % |",
                flush=True,
            )


if __name__ == "__main__":
    main()

"""Add a golden file for each learner that has none."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

import braided
from braided import registry
from braided.model_files.json_values import encode_all
from tests.support.streams_of_rows import long_stream

FOLDER = Path(__file__).parent

PARAMETERS = {"FESL": {"width": 12}, "GLSC": {"budget": 8}, "OLSF": {"budget": 0.4, "radius": 30.0}}
CASES = {
    name: getattr(braided, name)(**PARAMETERS.get(name, {}))
    for name in sorted({entry.class_name for entry in registry.LEARNERS})
}
CASES |= {
    "Calibrated": braided.Calibrated(braided.OLSF(budget=0.4)),
    "Calibrated-OneVsRest": braided.Calibrated(braided.OneVsRest(braided.Scaled(braided.FSOL()))),
    "MatrixForm": braided.MatrixForm(braided.OLSF()),
    "OneVsOne": braided.OneVsOne(braided.OLSF(budget=6, selection="random")),
    "OneVsRest": braided.OneVsRest(braided.OLSF(budget=0.4)),
    "OneVsRest-Scaled": braided.OneVsRest(braided.Scaled(braided.OCO())),
    "PseudoLabel": braided.PseudoLabel(braided.OCO(), confidence=0.2),
    "Scaled": braided.Scaled(braided.SSOL(), how="maxabs", intercept=True),
    "Scaled-tfidf": braided.Scaled(braided.OLSF(), how="tfidf"),
    "Scaled-unit": braided.Scaled(braided.OneVsRest(braided.FSOL()), how="unit"),
    "Braid-forest": braided.Braid(experts="all"),
    "Braid-budget": braided.Braid(budget=5, label_memory=False),
    "Braid-classes": braided.Braid(),
    "Braid-zeros-classes": braided.Braid(),
    "Braid-zeros": braided.Braid(),  # buffers are saved as zeros
    "GLSC-zeros": braided.GLSC(budget=8),
    "Braid-budget-classes": braided.Braid(budget=5),
    "OLSF-classes": braided.OLSF(budget=0.4).allow_any_labels(),
    "PseudoLabel-classes": braided.PseudoLabel(braided.Braid(), confidence=0.5),
    "FSOL-feature": braided.FSOL(schedule="growing", clock="feature", penalty=0.001),
    "GLSC-adaptive": braided.GLSC(budget=6, schedule="adaptive"),
    "GLSC-gradient": braided.GLSC(budget=6, graph="gradient"),
    "GLSC-paper": braided.GLSC(budget=6, graph="paper", share=0.0, losses="mean"),
    "OCO-adaptive": braided.OCO(schedule="adaptive", intercept=True),
    "OLSF-counted": braided.OLSF().count_features(),
    "OLSF-random": braided.OLSF(budget=5, selection="random", seed=2**70),
    "SSOL-full": braided.SSOL(covariance="full"),
}


def numbered(row: dict[str, float]) -> dict[int, float]:
    return {int(name[1:]): value for name, value in row.items()}


def make(name: str, model: braided.Learner) -> None:
    stream = long_stream(seed=1, rounds=80, features=14)
    rows = [x for x, _ in stream]
    if name == "OCO":  # one whose features are numbers, and one whose names are of every kind
        rows = [numbered(x) for x in rows]
    if name == "AdaRDA":
        kinds = {"f0": "\u00e9", "f1": 1, "f2": 2.5, "f3": None, "f4": b"\xff", "f5": ("a", (3,))}
        rows = [{kinds.get(key, key): value for key, value in x.items()} for x in rows]
    labels: list[str | None] = ["no" if y < 0 else "yes" for _, y in stream]
    if name.endswith("-classes") or model.new_labels().many:
        labels = ["none" if t % 7 == 6 else y for t, y in enumerate(labels)]
    if name.startswith("PseudoLabel"):
        labels = [None if t % 5 == 4 else y for t, y in enumerate(labels)]
    model.partial_fit(rows[:60], labels[:60])
    model.save(FOLDER / f"{name}.braided")
    told = {
        "names": [encode_all(x) for x in rows[60:]],
        "values": [list(x.values()) for x in rows[60:]],
        "labels": labels[60:],
        "scores": model.decision_function(rows[60:]).tolist(),
        "predicted": model.predict(rows[60:]).tolist(),
        "prequential": model.prequential(rows[60:], labels[60:]).tolist(),
        "classes": np.asarray(model.classes_).tolist(),
    }
    (FOLDER / f"{name}.json").write_text(json.dumps(told, indent=1) + "\n")


if __name__ == "__main__":
    for case, model in CASES.items():
        if not (FOLDER / f"{case}.braided").exists():
            make(case, model)
            print(f"made {case}")

"""Log loss of calibrated scores: ``python -m benchmarks.calibration``.

Each learner gets values scaled to at most 1 (``Scaled(how="maxabs")``), on shuffled streams of the
datasets that ship. Its prequential log loss through ``Calibrated`` is compared with that of the
sigmoid of its raw score, and with that of the share of labels so far, which looks at no feature.
``--write`` puts the table into ``docs/calibration.md``.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from braided import datasets, registry, streams
from braided.evaluate import prequential

LEARNERS = ("olsf", "ofs", "fsol")
SEEDS = 5
PAGE = Path(__file__).parents[1] / "docs" / "calibration.md"
BEGIN, END = "<!-- table: begin -->\n", "<!-- table: end -->\n"


def base_rate(signs: np.ndarray) -> np.ndarray:
    """The log odds of the share of each label so far, each counted from one half."""
    positive = np.concatenate(([0], np.cumsum(signs > 0)[:-1])) + 0.5
    negative = np.concatenate(([0], np.cumsum(signs < 0)[:-1])) + 0.5
    return np.log(positive / negative)


def log_loss(signs: np.ndarray, odds: np.ndarray) -> float:
    return float(np.logaddexp(0.0, -signs * odds).mean())


def losses(name: str, learner: str) -> np.ndarray:
    """The log loss of the base rate, of the raw score and of the calibrated one, over seeds."""
    data, found = datasets.load(name), []
    for seed in range(SEEDS):
        model = registry.create(f"scaled+{learner}", how="maxabs")
        result = prequential(model, streams.fixed(data.X, data.y, seed=seed))
        odds = (base_rate(result.signs), result.scores, result.odds)
        found.append([log_loss(result.signs, each) for each in odds])
    return np.mean(found, axis=0)


def table() -> tuple[str, int, int]:
    """The table in Markdown, how many cells it has, and in how many of them both are beaten."""
    lines = [
        "| dataset | learner | base rate | sigmoid(score) | calibrated |",
        "|---|---|---|---|---|",
    ]
    cells = won = 0
    for name in datasets.names():
        for learner in LEARNERS:
            base, raw, calibrated = losses(name, learner)
            best = calibrated < min(base, raw)
            shown = f"**{calibrated:.3f}**" if best else f"{calibrated:.3f}"
            lines.append(f"| {name} | {learner} | {base:.3f} | {raw:.3f} | {shown} |")
            cells, won = cells + 1, won + best
    return "\n".join(lines) + "\n", cells, won


def main() -> None:
    text, cells, won = table()
    summary = f"Calibrated has the lowest log loss in {won} of {cells} cells.\n"
    print(f"{text}\n{summary}", end="")
    if "--write" in sys.argv[1:]:
        before, _, rest = PAGE.read_text().partition(BEGIN)
        after = rest.partition(END)[2]
        PAGE.write_text(f"{before}{BEGIN}\n{text}\n{summary}\n{END}{after}")


if __name__ == "__main__":
    main()

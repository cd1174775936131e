"""Test error against sparsity, for each learner with an L1 penalty.

    python -m benchmarks.sparsity --data pcmac a8a 20news_rec_vs_sci

reads the datasets from the folder BRAIDED_DATA and prints a table for each. A dataset is permuted;
half of it is for training in one pass, half for testing; rows have length 1. As in the paper of
FSOL and SSOL, the step (and r) is tuned without a penalty; then the penalty is swept.

- Tuning: cross-validation within the training half. Of all choices within one standard error of
  the best, the one with the largest r (the nearest to a first-order learner), then step.
- Sparsity: the share of all features of the dataset whose weight is exactly 0, as in the paper;
  with --of seen, the share of the features that occur in the training half.
- Error at a level of sparsity: interpolated linearly between the two neighbours in the sweep.
- Test: with the weights after training. A score of 0 is a mistake.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise, product
from typing import NamedTuple

import numpy as np

from braided import datasets, registry
from braided.evaluate import mistakes
from braided.rows.rows import Rows
from braided.streams.offline_scaling import scaled
from braided.targets import Labels

DATA = ("pcmac", "a8a", "20news_rec_vs_sci")
LEVELS = (90, 95, 98, 99)
FOLDS = 5
LOWEST_PENALTY, HIGHEST_PENALTY, FACTOR = 1e-6, 1e4, 1.25

STEPS = {"step": [2.0**k for k in range(-6, 7)]}
LEARNERS = {
    "stg": STEPS,
    "fobos": STEPS,
    "ada-fobos": STEPS,
    "ada-rda": STEPS,
    "fsol": STEPS,
    "ssol": {"r": [2.0**k for k in range(-8, 7)], **STEPS},
}


class Part(NamedTuple):
    rows: Rows
    signs: np.ndarray

    def __getitem__(self, which: np.ndarray) -> Part:
        return Part(self.rows[which], self.signs[which])


def read(data: str) -> Part:
    """The dataset with rows of length 1; features are named by their number."""
    dataset = datasets.load(data)
    labels = Labels()
    signs = labels.signs(dataset.y) * labels.orientation
    return Part(replace(scaled(dataset.X, "unit"), names=None), signs)


def weights_after(name: str, train: Part, **parameters: float) -> np.ndarray:
    weights = np.zeros(train.rows.width)
    model = registry.create(name, **parameters).partial_fit(train.rows, train.signs)
    for column, weight in model.weights().items():
        weights[column] = weight
    return weights


def error_rate(weights: np.ndarray, test: Part) -> float:
    return mistakes(test.signs, test.rows.to_csr() @ weights) / len(test.rows)


def tuned(name: str, train: Part) -> dict[str, float]:
    """The parameters chosen by cross-validation without a penalty."""
    fold = np.arange(len(train.rows)) % FOLDS
    splits = [(train[np.flatnonzero(fold != k)], train[np.flatnonzero(fold == k)])
              for k in range(FOLDS)]  # fmt: skip
    grid = LEARNERS[name]
    choices = [dict(zip(grid, values, strict=True)) for values in product(*grid.values())]
    errors = np.array([
        [error_rate(weights_after(name, inside, penalty=0.0, **choice), outside)
         for inside, outside in splits]
        for choice in choices
    ])  # fmt: skip
    means = errors.mean(axis=1)
    best = means.argmin()
    reach = means[best] + errors[best].std(ddof=1) / FOLDS**0.5
    near = [choice for choice, mean in zip(choices, means, strict=True) if mean <= reach]
    return max(near, key=lambda choice: tuple(choice.values()))


def sweep(
    name: str, chosen: dict[str, float], train: Part, test: Part, features: int
) -> Iterator[tuple[float, float]]:
    """(sparsity, test error) in %, for penalties from 0 until the highest level is reached."""
    penalty = sparsity = 0.0
    while sparsity < max(LEVELS) and penalty < HIGHEST_PENALTY:
        weights = weights_after(name, train, penalty=penalty, **chosen)
        sparsity = 100 * (1 - np.count_nonzero(weights) / features)
        yield sparsity, 100 * error_rate(weights, test)
        penalty = max(LOWEST_PENALTY, penalty * FACTOR)


def error_at(level: float, path: list[tuple[float, float]]) -> float:
    """The test error where the sweep first reaches a level of sparsity."""
    if path[0][0] >= level:
        return path[0][1]
    for (sparsity, error), (next_sparsity, next_error) in pairwise(path):
        if sparsity < level <= next_sparsity:
            share = (level - sparsity) / (next_sparsity - sparsity)
            return error + share * (next_error - error)
    return float("nan")


def errors(data: Part, name: str, seed: int, of: str) -> tuple[list[float], dict[str, float]]:
    """The errors without a penalty and at each level, and the parameters chosen."""
    order = np.random.default_rng(seed).permutation(len(data.rows))
    train, test = data[order[: len(order) // 2]], data[order[len(order) // 2 :]]
    chosen = tuned(name, train)
    features = np.unique((data if of == "all" else train).rows.indices).size
    path = list(sweep(name, chosen, train, test, features))
    return [path[0][1], *(error_at(level, path) for level in LEVELS)], chosen


def show(name: str, repeats: int, of: str) -> None:
    data = read(name)
    features = np.unique(data.rows.indices).size
    print(f"### {name}: {len(data.rows):,} rows, {features:,} features\n")
    levels = " | ".join(f"{level} %" for level in LEVELS)
    print(f"| learner | no penalty | {levels} | tuned |\n|---|" + "---:|" * 5 + "---|")
    for learner in LEARNERS:
        found = [errors(data, learner, seed, of) for seed in range(repeats)]
        means = np.mean([cells for cells, _ in found], axis=0)
        spreads = np.std([cells for cells, _ in found], axis=0)
        cells = ["never" if np.isnan(m) else f"{m:.1f} ± {s:.1f}"
                 for m, s in zip(means, spreads, strict=True)]  # fmt: skip
        chosen = [", ".join(f"{k} {v:g}" for k, v in choice.items()) for _, choice in found]
        commonest = max(sorted(set(chosen)), key=chosen.count)
        print(f"| {learner} | {' | '.join(cells)} | {commonest} |", flush=True)
    print()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--data", nargs="+", default=DATA, metavar="NAME")
    parser.add_argument("--repeats", type=int, default=5, help="permutations; seeds 0, 1, ...")
    parser.add_argument("--of", choices=("all", "seen"), default="all", help="see Sparsity above")
    given = parser.parse_args()
    print(f"Test error in %, mean ± standard deviation of {given.repeats} permutations\n")
    for name in given.data:
        show(name, given.repeats, given.of)


if __name__ == "__main__":
    main()

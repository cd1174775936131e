"""A budget of 20 features: what it costs to look at few features only.

Splice (gene sequences, ships with Braided) has 287 features. A learner with a budget never keeps
more than 20 weights. Every row is predicted before it is learned.
"""

from braided import OFS, OLSF, Braid, datasets, evaluate, streams

splice = datasets.load("splice")
stream = streams.fixed(splice.X, splice.y, seed=0)

print(f"{'learner':24}{'wrong':>8}{'features kept':>16}{'KB':>8}")
for name, model in {
    "Braid": Braid(),
    "Braid(budget=20)": Braid(budget=20),
    "OLSF": OLSF(),
    "OLSF(budget=20)": OLSF(budget=20),
    "OFS(budget=20)": OFS(budget=20),
}.items():
    result = evaluate.prequential(model, stream)
    size = model.memory_bytes / 1000
    print(f"{name:24}{result.error_rate:8.1%}{model.features_kept:16}{size:8.0f}")
    if "20" in name:
        assert model.features_kept <= 20

majority = result.baselines["majority class"].error_rate
print(f"{'majority class':24}{majority:8.1%}")

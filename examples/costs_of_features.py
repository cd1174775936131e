"""Features that cost something: ask for a few, and pay for these only.

A laboratory can measure 30 things in a sample of tissue. Each costs money. ``OFSPartial`` says
which it wants before the sample is there, and never reads more than its budget. The data is the
Wisconsin breast cancer set, in a fresh order.
"""

import random

from braided import OFSPartial, datasets

cancer = datasets.load("wdbc")
samples, labels = list(cancer.X.dicts()), cancer.y.tolist()
names = sorted({name for sample in samples for name in sample})
mean = {name: sum(sample[name] for sample in samples) / len(samples) for name in names}
order = list(range(len(samples))) * 5
random.Random(1).shuffle(order)

model = OFSPartial(budget=6, exploration=0.3)
paid = mistakes = 0
for number in order:
    wanted = model.wanted(names)  # before the sample is there
    x = {name: samples[number][name] / mean[name] - 1 for name in wanted}
    paid += len(x)
    mistakes += model.predict_one(x) != labels[number]
    model.learn_one(x, labels[number])
    assert len(x) <= 6

model.set_params(exploration=0.0)  # from now on, only what has proved useful
print(f"{len(names)} things could be measured, {paid / len(order):.1f} were, for each sample")
print(f"{mistakes / len(order):.1%} wrong on the way; majority class {212 / 569:.1%}")
print("wanted from now on:", ", ".join(sorted(model.wanted(names))))

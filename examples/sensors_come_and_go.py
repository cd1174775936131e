# %% [markdown]
# # Sensors that come and go
#
# A radar has 33 sensors. They are installed one after another, fail for a while, and some are taken
# away. The rows are those of Ionosphere, which ships with Braided: real radar returns, good or bad.
# When a sensor works is made up here, so that we know it.

# %%
import random

from braided import Braid, datasets
from braided.learners.oco import OCO

radar = datasets.load("ionosphere")
rows, labels = list(radar.X.dicts()), radar.y.tolist()
sensors = sorted({name for row in rows for name in row})
chance = random.Random(3)

ROUNDS = 1500
order = [chance.randrange(len(rows)) for _ in range(ROUNDS)]
works = {}
for sensor in sensors:
    start = chance.choice([0, 0, 300, 600, 900])
    end = chance.choice([ROUNDS, ROUNDS, ROUNDS, start + 600])
    failures = [(t, t + 60) for t in range(start + 100, end, 200) if chance.random() < 0.5]
    works[sensor] = [
        start <= t < end and not any(a <= t < b for a, b in failures) for t in range(ROUNDS)
    ]
print(len(sensors), "sensors;", sum(works[s][0] for s in sensors), "work in the first round")

# %% [markdown]
# A model needs no list of sensors. A reading that is not there is left out of the dict: it is
# *unobserved*, which is not zero. To see the difference, the same rounds are also learned with a
# zero in the place of each missing reading.


# %%
def mistakes(model, fill=None):
    """Predict, then learn, every round; the mistakes, round by round."""
    wrong = []
    for t, number in enumerate(order):
        x = {s: v for s, v in rows[number].items() if works[s][t]}
        if fill is not None:
            x = {s: x.get(s, fill) for s in sensors}
        wrong.append(model.predict_one(x) != labels[number])
        model.learn_one(x, labels[number])
    return wrong


runs = {
    "Braid, unobserved": mistakes(Braid(label_memory=False)),
    "Braid, zeros": mistakes(Braid(label_memory=False), fill=0.0),
    "gradient descent, unobserved": mistakes(OCO()),
}
for name, wrong in runs.items():
    print(f"{name:30} {sum(wrong) / ROUNDS:.1%} wrong")

# %% [markdown]
# Above: which sensors work when. Below: the error of the last 150 rounds.

# %%
import matplotlib.pyplot as plt

figure, (above, below) = plt.subplots(2, 1, figsize=(7, 5), sharex=True)
above.imshow(
    [works[s] for s in sensors], aspect="auto", cmap="Greys", interpolation="nearest", vmax=1.6
)
above.set(ylabel="sensor")
for (name, wrong), style in zip(runs.items(), ["-", "--", ":"], strict=True):
    recent = [sum(wrong[t - 150 : t]) / 150 for t in range(150, ROUNDS)]
    below.plot(range(150, ROUNDS), recent, style, color="black", label=name)
below.set(xlabel="round", ylabel="error", ylim=(0, None))
below.legend()
plt.show()

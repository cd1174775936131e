# %% [markdown]
# # Spam, with labels that come late
#
# A mail is classified when it arrives. Whether it was spam is known later: when a person clicks,
# and some people never do. The data is Spambase, which ships with Braided: 4597 real mails.

# %%
import random

from braided import Braid, datasets
from braided.live import Pending

spam = datasets.load("spambase")
mails = list(spam.X.dicts())
labels = spam.y.tolist()
order = list(range(len(mails)))
random.Random(7).shuffle(order)
print(len(mails), "mails;", sorted(set(labels)))

# %% [markdown]
# `Pending` predicts a record, remembers it under a key, and learns it when the label comes. Here a
# label comes 5 to 500 mails later, and one mail in five never gets one.

# %%
chance = random.Random(8)
pending = Pending(Braid(label_memory=False), remember=1000)
due: dict[int, list[int]] = {}
right: list[bool] = []

for now, number in enumerate(order):
    for late in due.pop(now, []):
        pending.learn_one(str(late), labels[late])
    answer = pending.predict_one(str(number), mails[number])
    if answer is not None:  # None: nothing was learned yet
        right.append(answer == labels[number])
    if chance.random() < 0.8:
        due.setdefault(now + chance.randint(5, 500), []).append(number)

print(f"{1 - sum(right) / len(right):.1%} of the mails were classified wrongly")
print(f"{pending.model.rounds} labels came, {len(pending)} mails still wait")

# %% [markdown]
# The same stream with each label at once, and what the share of the larger class would give:

# %%
at_once = Braid()
mistakes = 0
for number in order:
    mistakes += at_once.predict_one(mails[number]) != labels[number]
    at_once.learn_one(mails[number], labels[number])

print(f"labels at once: {mistakes / len(order):.1%}")
print(f"majority class: {min(labels.count(name) for name in set(labels)) / len(labels):.1%}")

# %% [markdown]
# The error as the mails come in:

# %%
import matplotlib.pyplot as plt

window = 200
recent = [1 - sum(right[max(0, t - window) : t]) / min(t, window) for t in range(50, len(right))]
figure, axes = plt.subplots(figsize=(7, 3))
axes.plot(range(50, len(right)), recent, color="black")
axes.set(xlabel="mails", ylabel=f"error of the last {window}", ylim=(0, None))
axes.set_title("Braid on Spambase, labels 5 to 500 mails late, a fifth of them never")
plt.show()

# %% [markdown]
# Which words speak for spam, in one mail:

# %%
effects = pending.model.explain(mails[order[-1]])
for name in sorted(effects, key=lambda name: -abs(effects[name]))[:5]:
    print(f"{name:12} {effects[name]:+.2f}")

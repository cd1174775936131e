# %% [markdown]
# # A CSV file a day
#
# Every evening a file comes in. Its columns change from day to day. A model is trained on Monday,
# and goes on with each day's file. The rows are those of German Credit, which ships with Braided.

# %%
import csv
import subprocess
import sys
import tempfile
from pathlib import Path

from braided import datasets

folder = Path(tempfile.mkdtemp())
credit = datasets.load("german")
rows, labels = list(credit.X.dicts()), credit.y.tolist()
columns = sorted({name for row in rows for name in row})
days = ["monday", "tuesday", "wednesday", "thursday", "friday"]
for number, day in enumerate(days):
    # Each day lacks some columns, and their order is another one.
    present = [name for place, name in enumerate(columns) if place % 7 != number]
    present = present[number * 5 :] + present[: number * 5]
    with open(folder / f"{day}.csv", "w", newline="") as file:
        table = csv.DictWriter(file, ["credit", *present], extrasaction="ignore")
        table.writeheader()
        for row, label in list(zip(rows, labels, strict=True))[number * 200 : number * 200 + 200]:
            table.writerow({"credit": label, **row})
print(sorted(path.name for path in folder.iterdir()))


# %% [markdown]
# The command line does the rest. `--continue` goes on with the model; the learner, its parameters
# and the schema of the fields are in the model.


# %%
def braided(*arguments):
    """Run a command, and return what it prints."""
    command = [sys.executable, "-m", "braided", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr)
    return done.stdout


braided("train", "monday.csv", "--label", "credit", "--model", "m.braided")
for day in days[1:4]:
    braided("train", f"{day}.csv", "--continue", "--model", "m.braided")
print(braided("inspect", "m.braided")[:600])

# %% [markdown]
# Friday was not learned yet. How good are the answers?

# %%
answers = braided("predict", "m.braided", "friday.csv").splitlines()
right = sum(a == b for a, b in zip(answers, labels[800:], strict=True))
print(f"{right / len(answers):.1%} of Friday's rows are predicted right")

# %% [markdown]
# What the model has learned:

# %%
import matplotlib.pyplot as plt

from braided import load

model = load(folder / "m.braided")
effects = sorted(model.weights().items(), key=lambda item: -abs(item[1]))[:12]
figure, axes = plt.subplots(figsize=(7, 3.5))
names, values = zip(*reversed(effects), strict=True)
axes.barh([str(name) for name in names], values, color="0.4")
axes.axvline(0, color="black", linewidth=0.8)
axes.set_xlabel("change of the log odds, for a typical value")
axes.set_title("The twelve strongest features after four days")
plt.tight_layout()
plt.show()

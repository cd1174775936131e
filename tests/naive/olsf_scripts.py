"""The authors' scripts of OLSF, from the description of what they do; see ``papers/scripts.py``."""

import math

RADIUS = 1 / math.sqrt(0.001)


def mistakes(
    rows: list[list[float]], labels: list[int], rule: str, budget: float, c: float
) -> list[bool]:
    """Row t holds the values of the first features; a script keeps w as long as the longest row."""
    w: list[float] = []
    tau = 0.0
    found = []
    for x, y in zip(rows, labels, strict=True):
        f = sum(a * b for a, b in zip(w, x, strict=False))
        found.append(not y * f > 0)
        length = math.sqrt(sum(value**2 for value in x))
        step = y * f <= 1
        if step:
            loss = 1 - y * f
            tau = {
                "hard": loss / length,
                "I": min(c, loss / length),
                "II": 1 - y * f / (length + 1 / (2 * c)),
                "perceptron": 1.0,
                "everything": min(c, loss / length),
            }[rule]
            w = [a + tau * y * b for a, b in zip(w, x, strict=False)]
        new = x[len(w) :]
        w += [tau * y * value for value in new]
        if not (step or new) or rule == "everything":
            continue
        total = sum(abs(a) for a in w)
        w = [a * min(1.0, RADIUS / total) if total > 0 else a for a in w]
        k = math.floor(budget * len(w) + 0.5)
        kept = sorted(range(len(w)), key=lambda j: -abs(w[j]))[:k]
        if sum(a != 0 for a in w) > k:
            w = [a if j in kept else 0.0 for j, a in enumerate(w)]
    return found

"""The page of the benchmarks' history: ratios over the runs, as a table and small curves."""

from __future__ import annotations

from benchmarks import history

from tools.pictures.svg import QUIET, Drawing
from tools.site.tables import code, table

PATH = "benchmarks/history.md"


def page() -> str:
    """The page."""
    runs = history.load()
    head = (
        "# Speed over time\n\n`make bench` measures, and appends its ratios here. Each is a time "
        "of Braided divided by that of a baseline in the same run: smaller is faster, and machines "
        "of one kind can be compared.\n\n**The rule.** A ratio is a regression if it is more than "
        f"a quarter above the median of the last {history.RUNS} runs on one kind of machine. "
        "`make bench` says so and ends with exit code 1. One run may be bad luck: run again.\n\n"
    )
    if not runs:
        return head + "There is no run yet.\n"
    text = [head]
    for machine in dict.fromkeys(run["machine"] for run in runs):
        same = [run for run in runs if run["machine"] == machine]
        text.append(f"## {machine}\n\n![The ratios over the runs]({_picture_name(machine)})\n\n")
        text.append(
            table(
                ("run", "date", "commit", "Python"),
                [
                    (str(number), run["date"], code(run["commit"]), run["python"])
                    for number, run in enumerate(same, start=1)
                ],
            )
        )
        text.append("\n")
        rows = []
        for name in dict.fromkeys(name for run in same for name in run["ratios"]):
            ratios = [run["ratios"][name] for run in same if name in run["ratios"]]
            first, last = ratios[0], ratios[-1]
            rows.append(
                (name, f"{last:.2f}", f"{first:.2f}", f"{min(ratios):.2f}", str(len(ratios)))
            )
        text.append(table(("what", "last ratio", "first", "best", "runs"), rows) + "\n")
    return "".join(text)


def pictures() -> dict[str, str]:
    """The pictures of the page by their path."""
    runs = history.load()
    found = {}
    for machine in dict.fromkeys(run["machine"] for run in runs):
        same = [run for run in runs if run["machine"] == machine]
        found[f"benchmarks/{_picture_name(machine)}"] = _draw(machine, same)
    return found


def _picture_name(machine: str) -> str:
    return "history-" + "".join(c if c.isalnum() else "-" for c in machine.lower()) + ".svg"


def _draw(machine: str, runs: list[dict[str, object]]) -> str:
    names = list(dict.fromkeys(name for run in runs for name in run["ratios"]))  # type: ignore[attr-defined]
    height = 24 * len(names) + 20
    drawing = Drawing(640, height, f"Ratios of {machine}, relative to the first run")
    for place, name in enumerate(names):
        y = 22 + 24 * place
        ratios = [run["ratios"][name] for run in runs if name in run["ratios"]]  # type: ignore[index, operator]
        drawing.text(8, y, name)
        drawing.line([(330, y - 4), (560, y - 4)], ink=QUIET, width=0.5, dash="2 3")
        step = 230 / max(len(ratios) - 1, 1)
        points = [(330 + n * step, y - 4 - 16 * (r / ratios[0] - 1)) for n, r in enumerate(ratios)]
        drawing.line(points if len(points) > 1 else [points[0], (points[0][0] + 3, points[0][1])])
        drawing.text(632, y, f"{ratios[-1]:.2f}", anchor="end", weight="bold")
    return drawing.to_text()

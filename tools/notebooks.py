"""``python -m tools.notebooks``: make the notebooks of ``examples/`` from programs, and run them.

The programs are what people edit: ``# %%`` begins a cell of code, ``# %% [markdown]`` one of text.
Needs nbformat, nbclient and ipykernel (the extra ``dev``).
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

EXAMPLES = Path(__file__).parents[1] / "examples"
NAMES = ("spam_late_labels", "sensors_come_and_go", "csv_days")


def cells_of(program: str) -> list[tuple[str, str]]:
    r"""The cells of a program: kind and content.

    Examples
    --------
    >>> cells_of("# %% [markdown]\n# # A title\n\n# %%\nx = 1\n")
    [('markdown', '# A title'), ('code', 'x = 1')]
    """
    found = []
    for kind, text in re.findall(
        r"^# %%( \[markdown\])?\n(.*?)(?=^# %%|\Z)", program, re.MULTILINE | re.DOTALL
    ):
        if kind:
            lines = [re.sub(r"^# ?", "", line) for line in text.strip().splitlines()]
            found.append(("markdown", "\n".join(lines)))
        else:
            found.append(("code", text.strip()))
    return found


def make(name: str) -> None:
    """Write and run one notebook."""
    import nbformat
    from nbclient import NotebookClient

    notebook: Any = nbformat.v4.new_notebook()
    for number, (kind, text) in enumerate(cells_of((EXAMPLES / f"{name}.py").read_text())):
        new = nbformat.v4.new_markdown_cell if kind == "markdown" else nbformat.v4.new_code_cell
        notebook.cells.append(new(text, id=f"cell-{number}"))
    NotebookClient(notebook, timeout=600, kernel_name="python3").execute()
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)  # when it ran
    notebook.metadata = {"kernelspec": {"display_name": "Python 3", "name": "python3"}}
    nbformat.write(notebook, EXAMPLES / f"{name}.ipynb")


if __name__ == "__main__":
    for each in NAMES:
        make(each)
        print(f"examples/{each}.ipynb")

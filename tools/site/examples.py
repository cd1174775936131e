"""Pages of the examples: programs as they are, notebooks with their pictures."""

from __future__ import annotations

import ast
import base64
import json
from pathlib import Path
from typing import Any

EXAMPLES = Path(__file__).parents[2] / "examples"
HIDDEN = {"orders"}
"""It makes the files of Get started, where it is shown."""


def pages() -> dict[str, str]:
    """The pages by their path."""
    names = sorted({path.stem for path in EXAMPLES.glob("*.py")} - HIDDEN)
    found = {f"examples/{name}.md": _page(name) for name in names}
    rows = "".join(f"- [{_title(found[f'examples/{name}.md'])}]({name}.md)\n" for name in names)
    found["examples/index.md"] = (
        "# Examples\n\nWhole programs on real data that ships, in the folder `examples/`. The "
        f"tests run all of them.\n\n{rows}"
    )
    return found


def pictures() -> dict[str, bytes]:
    """The pictures of the notebooks by their path."""
    return {
        f"examples/{name}-{number}.png": picture
        for name in sorted(path.stem for path in EXAMPLES.glob("*.ipynb"))
        for number, picture in enumerate(_pictures(_notebook(name)))
    }


def _title(page: str) -> str:
    return page.partition("\n")[0].removeprefix("# ")


def _page(name: str) -> str:
    if (EXAMPLES / f"{name}.ipynb").is_file():
        return _of_notebook(name)
    program = (EXAMPLES / f"{name}.py").read_text(encoding="utf-8")
    about = ast.get_docstring(ast.parse(program)) or name
    title, _, rest = about.partition("\n")
    head = f"# {title.rstrip('.')}\n\n{rest.strip()}\n\n`examples/{name}.py`:\n\n"
    return f"{head}```python\n{program}```\n"


def _notebook(name: str) -> Any:
    return json.loads((EXAMPLES / f"{name}.ipynb").read_text(encoding="utf-8"))


def _pictures(notebook: Any) -> list[bytes]:
    outputs = [out for cell in notebook["cells"] for out in cell.get("outputs", [])]
    found = [out["data"]["image/png"] for out in outputs if "image/png" in out.get("data", {})]
    return [base64.b64decode("".join(picture)) for picture in found]


def _of_notebook(name: str) -> str:
    text, number = [], 0
    for cell in _notebook(name)["cells"]:
        source = "".join(cell["source"])
        text.append(source if cell["cell_type"] == "markdown" else f"```python\n{source}\n```")
        for out in cell.get("outputs", []):
            if out["output_type"] == "stream":
                text.append(f"```text\n{''.join(out['text']).rstrip()}\n```")
            elif "image/png" in out.get("data", {}):
                text.append(f"![The picture that this code draws]({name}-{number}.png)")
                number += 1
    text.insert(1, f"*`examples/{name}.py`, and as a notebook `examples/{name}.ipynb`.*")
    return "\n\n".join(text) + "\n"

"""The oldest packages that ``pyproject.toml`` allows, as constraints for pip.

``python tools/oldest.py`` prints a line for each package that the package itself, or one of its
extras for users, needs. It reads the file as text: Python 3.10 has no parser for TOML.
"""

from __future__ import annotations

import re
from pathlib import Path

PYPROJECT = Path(__file__).parents[1] / "pyproject.toml"
REQUIREMENT = re.compile(r'"([A-Za-z0-9._-]+)>=([0-9.]+)[^"]*"')


def constraints(text: str) -> list[str]:
    r"""Find the oldest version of each package that users need.

    Parameters
    ----------
    text : str
        The contents of ``pyproject.toml``.

    Returns
    -------
    list of str
        Constraints such as ``"numpy==1.26"``, sorted.

    Examples
    --------
    >>> constraints('dependencies = ["rich>=13"]\nio = ["zstd>=1; x < 3"]\ndev = ["ruff>=0.6"]')
    ['rich==13', 'zstd==1']
    """
    found: list[str] = []
    for name, entries in re.findall(r"^([a-z-]+) = \[(.*?)\]$", text, re.MULTILINE | re.DOTALL):
        if name not in ("requires", "dev"):
            found += [f"{package}=={oldest}" for package, oldest in REQUIREMENT.findall(entries)]
    return sorted(found)


if __name__ == "__main__":
    print(*constraints(PYPROJECT.read_text()), sep="\n")

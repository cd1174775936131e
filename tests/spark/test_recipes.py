"""The recipes for other engines in the docs do what they say, run by stand-ins for the engines."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

import braided
from braided import OCO

PAGE = Path(__file__).parents[2] / "docs" / "spark.md"


class Done:
    """A call that a stand-in for an engine has made at once."""

    def __init__(self, value):
        self.value = value

    def compute(self):
        return self.value


def at_once(function):
    def call(*arguments):
        return Done(function(*(a.value if isinstance(a, Done) else a for a in arguments)))

    call.remote = call
    return call


RAY = SimpleNamespace(remote=at_once, get=Done.compute)
DASK = SimpleNamespace(delayed=at_once)


@pytest.mark.parametrize(("engine", "module"), [("Ray", RAY), ("Dask", DASK)])
def test_a_recipe_merges_what_files_teach(engine, module, tmp_path, monkeypatch):
    text = PAGE.read_text(encoding="utf-8")
    code = re.search(rf"\*\*{engine}\*\*\n\n```python\n(.*?)```", text, re.DOTALL).group(1)
    assert len(code.splitlines()) <= 22
    monkeypatch.setitem(sys.modules, engine.lower(), module)
    names: dict = {}
    exec(compile(code, engine, "exec"), names)
    paths = []
    for number in range(40):  # more than are merged at once
        paths.append(str(tmp_path / f"{number}.svm"))
        Path(paths[-1]).write_text(f"1 1:1 {number % 5 + 2}:1\n-1 1:-1 3:2\n")
    model = names["train"](paths, OCO().to_bytes())
    shards = []
    for path in paths:
        shard = OCO()
        for block in braided.streams.read(path).blocks(10):
            shard.partial_fit(block)
        shards.append(shard)
    flat = shards[0].merge(*shards[1:])
    assert model.rounds == flat.rounds == 80
    assert model.weights() == pytest.approx(flat.weights())

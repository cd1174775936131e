"""Names are written as json.dumps writes them."""

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from braided import OCO
from braided.features import space
from braided.features.name_table import NameTable
from braided.features.names_in_json import names_in_json

NAMES = st.lists(st.text(st.characters(codec="utf-8"), max_size=12), unique=True)


@given(NAMES, st.integers(0, 5))
@example([chr(i) for i in range(256)], 0)
@example(["\0" * 100], 0)
@example([], 0)
def test_as_json_does_it(names, first):
    first = min(first, len(names))
    plain = json.dumps(names[first:], ensure_ascii=False, separators=(",", ":"))
    assert names_in_json(NameTable(names), first).tobytes() == plain.encode()


@pytest.mark.parametrize("names", [["b", 'a"', "\n"], ["b", 7, "c"], [3, 1]])
def test_model_files_are_the_same(names, tmp_path, monkeypatch):
    model = OCO(intercept=True).partial_fit([dict.fromkeys(names, 1.0)], [1])
    model.save(tmp_path / "plain.braided")
    monkeypatch.setattr(space, "MANY", 1)
    model.save(tmp_path / "many.braided")
    assert (tmp_path / "plain.braided").read_bytes() == (tmp_path / "many.braided").read_bytes()

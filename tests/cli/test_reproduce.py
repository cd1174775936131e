"""``braided reproduce``."""

from __future__ import annotations

from dataclasses import replace

import pytest

from braided.papers import catalogue, experiments, sets


@pytest.fixture(autouse=True)
def wide(monkeypatch):
    monkeypatch.setenv("COLUMNS", "250")
    sets.load.cache_clear()


@pytest.fixture
def small(monkeypatch):
    """Two experiments, cut down to what ships and runs in no time."""
    table, figure = (catalogue.find(name) for name in ("olsf-table-3", "olsf-figure-2"))
    cells = {p: t for p, t in table.cells.items() if p[1] in ("ionosphere", "wpbc")}
    panels = {title: figure.panels[title] for title in ("ionosphere", "wpbc")}
    both = [replace(table, cells=cells), replace(figure, panels=panels)]
    monkeypatch.setattr(catalogue, "experiments", lambda: both)
    monkeypatch.setattr("braided.papers.experiments", lambda: both)


def test_lists_everything(braided):
    code, out, _ = braided("reproduce")
    assert code == 0
    for experiment in experiments():
        assert experiment.name in out
        assert experiment.title in out


def test_paper_and_ours_stand_side_by_side(braided, small):
    code, out, _ = braided("reproduce", "olsf-table-3", "--repeats", 2)
    assert code == 0
    assert "55.0 ± 2.8" in out
    assert "mean ± standard deviation of 2" in out
    assert "Skipped: wpbc (get it from" in out


@pytest.mark.parametrize("asked", [[], ["--markdown", "docs/found.md"]])
def test_all_writes_a_page_and_its_pictures(braided, small, tmp_path, asked):
    pytest.importorskip("matplotlib")
    code, out, _ = braided("reproduce", "--all", "--repeats", 1, *asked)
    assert code == 0
    page = tmp_path / (asked[-1] if asked else "reproduction.md")
    assert f"written to {page.relative_to(tmp_path)}" in out
    assert " ".join(["braided reproduce --all --repeats 1", *asked]) in page.read_text()
    assert f"({page.stem}/olsf-figure-2-ionosphere.svg)" in page.read_text()
    assert (page.with_suffix("") / "olsf-figure-2-ionosphere.svg").exists()


def test_refusals(refused):
    assert "did you mean 'olsf-table-3'" in refused("reproduce", "olsf-table3")
    assert "--all" in refused("reproduce", "olsf-table-3", "--all")
    assert "--quick" in refused("reproduce", "--all", "--quick", "--repeats", 2)

"""``braided reproduce``."""

from __future__ import annotations

from dataclasses import replace

import pytest

from braided.papers import catalogue, experiments, running, sets


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
    both = [
        replace(table, cells=cells, as_printed=replace(table.as_printed, cells=cells)),
        replace(figure, panels=panels, as_printed=None),
    ]
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
    assert "--as='typed' is not allowed" in refused("reproduce", "olsf-table-3", "--as", "typed")


def test_as_printed_alone(braided, small):
    code, out, _ = braided("reproduce", "olsf-table-3", "--repeats", 1, "--as", "printed")
    assert code == 0
    assert "Table 3, as printed" in out
    assert "as written" not in out


def test_what_is_kept_is_not_measured_again(braided, small, tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")
    measured = []

    def run(experiment, **options):
        measured.append(experiment.name)
        return running.run(experiment, **options)

    monkeypatch.setattr("braided.papers.run", run)
    everything = ("reproduce", "--all", "--repeats", 2)
    assert braided("reproduce", "olsf-table-3", "--repeats", 2, "--as", "printed",
                   "--results", "reproduction/results")[0] == 0  # fmt: skip
    assert braided(*everything)[0] == 0
    assert measured == ["olsf-table-3", "olsf-table-3", "olsf-figure-2"]
    first = (tmp_path / "reproduction.md").read_text()
    assert "| paper | as written |  | as printed |  |" in first
    assert braided(*everything)[0] == 0
    assert len(measured) == 3
    assert (tmp_path / "reproduction.md").read_text() == first
    assert braided("reproduce", "--all", "--repeats", 3)[0] == 0
    assert len(measured) == 6


def test_an_interrupted_run_leaves_a_page_of_what_is_done(braided, small, tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")

    def run(experiment, **options):
        if experiment.name == "olsf-figure-2":
            raise KeyboardInterrupt
        return running.run(experiment, **options)

    monkeypatch.setattr("braided.papers.run", run)
    code, _, _ = braided("reproduce", "--all", "--repeats", 1)
    assert code != 0
    page = (tmp_path / "reproduction.md").read_text()
    assert "### olsf-table-3" in page
    assert "### olsf-figure-2" not in page


def test_a_page_of_what_is_kept_measures_nothing(braided, small, tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")
    assert braided("reproduce", "olsf-table-3", "--repeats", 1, "--as", "written",
                   "--results", "kept")[0] == 0  # fmt: skip
    monkeypatch.setattr("braided.papers.run", None)
    code, out, _ = braided("reproduce", "--all", "--only-kept", "--results", "kept")
    assert code == 0
    assert "olsf-table-3, as printed: not kept" in out
    page = (tmp_path / "reproduction.md").read_text()
    assert "### olsf-table-3" in page
    assert "Not run yet: olsf-figure-2." in page

"""Experiments run, skip what is not here, and are judged by one rule."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from braided import evaluate, registry, streams
from braided.papers import find, run, sets
from braided.papers.experiment import Claim, Figure
from braided.papers.page import draw, page, skipped_line
from braided.papers.printed import Printed
from braided.papers.trial import Trial, over_rounds
from braided.papers.verdict import Cell, cells, curves, readings, verdict


@pytest.fixture(autouse=True)
def only_what_ships(monkeypatch):
    monkeypatch.delenv("BRAIDED_DATA", raising=False)
    sets.load.cache_clear()


def small_table():
    """Table 3 of the OLSF paper, of which three columns are left."""
    table = find("olsf-table-3")
    kept = ("ionosphere", "wbc", "wpbc")
    return replace(table, cells={p: t for p, t in table.cells.items() if p[1] in kept})


def test_numbers_are_those_of_evaluate():
    outcome = run(small_table(), repeats=3)
    rows, labels = sets.load("ionosphere")
    parameters = {"variant": "I", "budget": 0.5, "radius": 30.0, "aggressiveness": 0.1}
    summary = evaluate.repeated(
        lambda seed: registry.create("olsf", seed=seed, **parameters),
        lambda seed: streams.trapezoidal(rows, labels, seed=seed),
        repeats=3,
    )
    cell = next(c for c in cells(outcome) if (c.column, c.row) == ("ionosphere", "OLSF-I"))
    assert cell.mean == pytest.approx(summary.mean("mistakes"))
    assert cell.std == pytest.approx(summary.std("mistakes"))
    assert cell.deviations == pytest.approx((cell.mean - 55.0) / 2.8)


def test_a_set_that_is_not_here_is_skipped_by_name_with_how_to_get_it():
    outcome = run(small_table(), repeats=1)
    assert outcome.skipped == ["wpbc"]
    assert "wpbc (get it from" in skipped_line(outcome)
    assert "wpbc.svm.gz" in skipped_line(outcome)
    assert {cell.column for cell in cells(outcome)} == {"ionosphere", "wbc"}


def test_a_stand_in_is_shown_in_per_cent_and_does_not_count():
    outcome = run(small_table(), repeats=1)
    assert outcome.stand_ins == {"wbc": "the 683 rows without gaps"}
    cell = next(c for c in cells(outcome) if c.column == "wbc")
    assert cell.per_cent
    assert not cell.counts
    assert cell.paper.mean == pytest.approx(100 * 37.5 / 699)
    assert verdict(outcome)[1].startswith("of 3 values")


def test_without_any_set_nothing_is_claimed():
    table = small_table()
    nothing = replace(table, cells={p: t for p, t in table.cells.items() if p[1] == "wpbc"})
    assert verdict(run(nothing, repeats=1))[0] == "not reproducible"


def test_several_processes_give_the_same_numbers():
    table = small_table()
    alone, shared = run(table, repeats=2), run(table, repeats=2, jobs=2)
    assert [c.mean for c in cells(alone)] == [c.mean for c in cells(shared)]


def test_a_grid_is_settled_by_other_permutations():
    trial = Trial("wbc", "olsf-i", grid={"budget": [1, 1.0]})
    settled = replace(trial, parameters={"budget": 1.0}, grid={})
    figure = small_figure(trial, settled)
    found = curves(run(figure, repeats=1))["wbc"]
    np.testing.assert_array_equal(found["first"][1], found["second"][1])


def small_figure(first, second):
    return Figure(
        paper=find("olsf-figure-2").paper,
        number="Figure 99",
        title="two curves",
        protocol="Once.",
        claims=[Claim("the first is lower", lambda h: h["first"][-1] < h["second"][-1])],
        panels={"wbc": over_rounds({"first": first, "second": second})},
    )


def test_a_page_has_tables_pictures_and_outcomes(tmp_path):
    pytest.importorskip("matplotlib")
    good, bad = (Trial("wbc", "olsf", {"budget": b}) for b in (1.0, 1))
    table = replace(small_table(), as_printed=None)
    outcomes = [run(table, repeats=1), run(small_figure(good, bad), repeats=1)]
    draw(outcomes[1], "written", tmp_path / "pictures")
    done = [{"written": outcome} for outcome in outcomes]
    text = page(done, "braided reproduce", tmp_path / "pictures")
    assert "| ionosphere | OLSF | 55.0 ± 2.8 |" in text
    assert "Reproduced: the paper's statements hold in 1 of 1 cases." in text
    assert "![wbc](pictures/olsf-figure-99-wbc.svg)" in text
    assert (tmp_path / "pictures" / "olsf-figure-99-wbc.svg").stat().st_size > 1000
    assert [len(where) for _, where, _ in readings(outcomes[1])] == [1]


@pytest.mark.parametrize(
    ("ours", "lower_is_better", "outcome"),
    [(100, True, "level"), (119, True, "level"), (121, True, "worse"), (79, True, "better"),
     (121, False, "better"), (79, False, "worse")],
)  # fmt: skip
def test_a_number_is_level_within_two_deviations(ours, lower_is_better, outcome):
    cell = Cell("", "", Printed(100.0, 10.0), ours, 0.0, lower_is_better, False, True)
    assert cell.outcome == outcome


def test_without_a_printed_deviation_5_percent_are_level():
    cell = Cell("", "", Printed(100.0), 104.0, 0.0, True, False, True)
    assert (cell.outcome, cell.deviations) == ("level", None)

"""How the papers' sets are prepared."""

from __future__ import annotations

import gzip

import numpy as np
import pytest

from braided.papers import sets


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("BRAIDED_DATA", str(tmp_path))
    sets.load.cache_clear()
    yield tmp_path
    sets.load.cache_clear()


def write(path, text):
    with gzip.open(path, "wt") as file:
        file.write(text)


def test_counts_are_weighed_by_log_of_texts_over_texts_with_the_word(folder):
    write(folder / "20news_rec_vs_sci.svm.gz", "1 1:2 2:1\n-1 1:1 3:4\n1 1:1\n-1 1:5 2:1\n")
    rows, _ = sets.load("rec vs sci")
    found = [dict(row) for row in rows.dicts()]
    assert {abs(v) for v in found[2].values()} == {0.0}  # the word of all texts says nothing
    nonzero = [{j: v for j, v in row.items() if v} for row in found]
    assert [list(row.values()) for row in nonzero] == [[1.0], [1.0], [], [1.0]]


def test_a_complete_set_lacks_the_rows_with_gaps(folder):
    write(folder / "wbc.svm.gz", "1 1:1 2:2\n-1 1:3\n-1 1:0 2:5\n1 2:1\n")
    assert len(sets.load("wbc (complete)")[0]) == 2
    assert len(sets.load("wbc")[0]) == 4


def test_the_authors_orders_are_used_where_they_are_known(folder):
    write(folder / "german.svm.gz", "1 1:1 2:2\n-1 1:3 2:1\n-1 1:0 2:5\n")
    assert sets.authors_order("german", 0) is None
    write(folder / "german_permutations.csv.gz", "2,0,1\n1,2,0\n")
    np.testing.assert_array_equal(sets.authors_order("german", 1), [1, 2, 0])
    assert sets.authors_order("german", 2) is None
    assert sets.authors_order("splice", 0) is None

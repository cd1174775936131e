"""``braided learners`` and ``braided datasets``."""

import numpy as np
import pytest

from braided import datasets, registry


@pytest.fixture(autouse=True)
def wide(monkeypatch):
    monkeypatch.setenv("COLUMNS", "250")


def test_learners_shows_names_parameters_and_defaults(braided):
    code, out, _ = braided("learners")
    assert code == 0
    for entry in registry.LEARNERS:
        assert entry.name in out
        if entry.alias_of is None:
            assert entry.about in out
    for expected in ("variant=I", "radius=inf", "budget=1.0", "stsd-ii: variant=II"):
        assert expected in out
    for expert in registry.EXPERTS:
        assert f"{expert.name} ({expert.about})" in " ".join(out.split())


def test_datasets_shows_the_shipped_ones(braided):
    code, out, _ = braided("datasets")
    assert code == 0
    for name in datasets.names():
        assert name in out
    german = datasets.load("german")
    line = next(line for line in out.splitlines() if "german" in line)
    assert "1000" in line
    assert str(np.unique(german.X.indices).size) in line
    assert "bad (300), good (700)" in line
    assert german.source in out


def test_datasets_shows_yours_even_if_one_is_faulty(braided, monkeypatch, tmp_path):
    (tmp_path / "mine.svm").write_text("1 1:1 5:1\n0 1:2\n0\n")
    (tmp_path / "faulty.svm").write_text("1 1:[b]\n")
    (tmp_path / "large.svm").write_text("1 1:1\n-1 1:1\n" * 100_000)
    monkeypatch.setenv("BRAIDED_DATA", str(tmp_path))
    code, out, _ = braided("datasets")
    assert code == 0
    lines = {name: line for line in out.splitlines() for name in line.split()[1:2]}
    assert "0 (2), 1 (1)" in lines["mine"]
    assert "the value in '1:[b]' is not a number" in lines["faulty"]
    assert "large.svm" in lines["large"]
    assert "200000" not in out
    assert "--large" in out


def test_datasets_reads_large_files_when_asked(braided, monkeypatch, tmp_path):
    (tmp_path / "large.svm").write_text("1 1:1\n-1 1:1\n" * 100_000)
    monkeypatch.setenv("BRAIDED_DATA", str(tmp_path))
    assert "200000" in braided("datasets", "--large").out

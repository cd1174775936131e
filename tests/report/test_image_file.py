import sys

import numpy as np
import pytest

from braided.errors import InputError
from braided.report.image_file import draw_curves

CURVES = {
    "olsf": ([1.0, 10.0, 100.0], [0.5, 0.3, 0.2]),
    "glsc <$x_1$> & _more": (np.array([1.0, 10.0, 100.0]), np.array([0.4, np.nan, 0.1])),
    "_hidden": ([1.0, 100.0], [0.2, 0.2]),
}
WORDS = {"title": "Error", "across": "rounds", "up": "mistakes in %"}

pytest.importorskip("matplotlib")


@pytest.mark.parametrize(
    ("suffix", "begins"),
    [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF"), ("PNG", b"\x89")],
)
def test_the_suffix_says_the_format(tmp_path, suffix, begins):
    path = tmp_path / f"curves.{suffix}"
    draw_curves(path, CURVES, **WORDS, log_across=True, log_up=True)
    assert path.read_bytes().startswith(begins)


def test_shows_names_as_they_are(tmp_path):
    path = tmp_path / "curves.svg"
    draw_curves(path, CURVES, **WORDS)
    drawn = path.read_text()
    for word in ("olsf", "glsc &lt;$x_1$&gt; &amp; _more", "rounds", "mistakes in %", "_hidden"):
        assert word in drawn


def test_same_curves_give_the_same_file(tmp_path):
    for name in ("a.svg", "b.svg"):
        draw_curves(tmp_path / name, CURVES, **WORDS)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


def test_draws_no_curves_at_all(tmp_path):
    draw_curves(tmp_path / "none.png", {}, **WORDS)
    assert (tmp_path / "none.png").exists()


def test_drawing_does_not_import_pyplot(tmp_path):
    draw_curves(tmp_path / "a.png", CURVES, **WORDS)
    assert "matplotlib.pyplot" not in sys.modules


def test_refuses_another_suffix(tmp_path):
    with pytest.raises(InputError, match=r"bmp: its name must end in one of \.png, \.svg, \.pdf"):
        draw_curves(tmp_path / "curves.bmp", CURVES, **WORDS)


def test_names_the_extra_that_is_missing(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(InputError, match=r'pip install "braided\[report\]"'):
        draw_curves(tmp_path / "curves.png", CURVES, **WORDS)


@pytest.mark.parametrize(("least", "begins_at_0"), [(0.3, True), (-0.3, False)])
def test_an_axis_of_errors_begins_at_0(tmp_path, monkeypatch, least, begins_at_0):
    from matplotlib.figure import Figure

    drawn = []
    monkeypatch.setattr(Figure, "savefig", lambda figure, *_, **__: drawn.append(figure))
    draw_curves(tmp_path / "errors.svg", {"olsf": ([1, 2], [0.5, least])}, **WORDS)
    bottom, _ = drawn[0].axes[0].get_ylim()
    assert (bottom == 0) == begins_at_0

"""The page as text and as data; ``test_browser.py`` looks at it as people do."""

import json
import re
import sys
from html.parser import HTMLParser

import numpy as np
import pytest

import braided
from braided import registry, streams
from braided.errors import InputError
from braided.evaluate import Summary
from braided.records import as_rows
from braided.report.chart import numbers, safe
from braided.report.class_weights import CLASSES, class_weights_chart
from braided.report.curves import POINTS
from braided.report.observed import observed
from braided.report.outcomes import Outcome
from braided.report.page import check_page, write_page
from braided.report.recording import Recording
from tests.support.nasty_names import NASTY


class Reader(HTMLParser):
    """What a browser would make of the page: tags, and the text of the scripts."""

    def __init__(self):
        super().__init__()
        self.tags, self.texts, self.figures = [], [], []
        self._figure = False

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self._figure = tag == "script" and "data-chart" in dict(attrs)

    def handle_data(self, data):
        (self.figures if self._figure else self.texts).append(data)

    def handle_endtag(self, tag):
        self._figure = False


@pytest.fixture(scope="module")
def read(written):
    reader = Reader()
    reader.feed(written.read_text())
    return reader


def test_nothing_of_the_data_becomes_markup(read):
    names = {tag for tag, _ in read.tags}
    assert not names & {"img", "u", "i", "b", "iframe", "object"}
    figures = [json.loads(figure) for figure in read.figures]
    assert len(figures) == sum(tag == "figure" for tag, _ in read.tags)
    scripts = sum(tag == "script" for tag, _ in read.tags)
    assert scripts == len(figures) + 2  # plotly.js and the page's own


def test_the_page_loads_nothing_from_elsewhere(read):
    for tag, attributes in read.tags:
        assert not attributes.keys() & {"src", "srcset", "action", "data"}, tag
        assert attributes.get("href", "#").startswith(("#", "data:"))
    policy = next(a["content"] for t, a in read.tags if a.get("http-equiv"))
    assert policy.startswith("default-src 'none'")


def test_says_what_it_is_and_how_to_remake_it(read):
    text = " ".join("".join(read.texts).split())
    for words in ("<i>Title", "About & <b>", "majority class", "last label", "± "):
        assert words in text
    assert "braided compare '<u>data & co' --html page.html" in text
    assert f"Braided {braided.__version__}" in text
    assert "first seed 0" in text


def test_says_that_a_learner_diverged(read, page):
    text = " ".join("".join(read.texts).split())
    assert "diverging diverged in 2 of 2 runs: some of its scores were not numbers" in text
    assert "100.00 ± 0.00, diverged" in text
    assert page.sections[0].outcomes["diverging"].errors == [1.0, 1.0]
    assert list(page.sections[0].diverged) == ["diverging"]


def test_has_every_chart(page):
    titles = [chart.title for chart in page.sections[0].charts]
    for title in (
        "Observed features",
        "Mistakes so far",
        "Recent mistakes",
        "Features kept",
        "Memory",
        "Error by budget",
        "Mixing weight of glsc",
        "Feature graph of glsc",
        "Weights of glsc",
    ):
        assert title in titles


def test_many_classes_have_the_charts_that_mean_something(page):
    for section in page.sections[2:]:
        assert [chart.title for chart in section.charts] == [
            "Observed features",
            "Mistakes so far",
            "Recent mistakes",
            "Features kept",
            "Memory",
            "Error by budget",
            "Weights of olsf-ii (budget=2), class by class",
            "Weights of braid, class by class",
            "Weights of glsc, class by class",
        ]


def test_weights_class_by_class(page):
    for section in page.sections[2:]:
        recording = section.recordings[1]
        weights = recording.model.weights()
        chart = class_weights_chart(recording)
        (heat,) = chart.traces
        keys = sorted(weights)[:CLASSES]
        assert len(heat["x"]) == len(keys) == (10 if len(weights) == 10 else CLASSES)
        names = heat["y"]
        assert len(names) == len(NASTY)
        largest = {key: max(map(abs, weights[key].values())) for key in keys}
        for column, key in enumerate(keys):
            shown = [abs(row[column]) for row in heat["customdata"]]
            assert max(shown) == pytest.approx(largest[key], rel=1e-3)
            assert sorted(shown) == pytest.approx(
                sorted(abs(weights[key].get(name, 0.0)) for name in NASTY), rel=1e-3
            )
        assert ("the first 20" in chart.about) == (len(weights) > CLASSES)
    assert class_weights_chart(page.sections[0].recordings[0]) is None


def test_labels_that_can_not_be_compared_stay_in_their_order():
    model = registry.create("olsf", "rest").partial_fit([{"a": 1}, {"b": 1}, {"c": 1}], ["x", 2, 1])
    chart = class_weights_chart(Recording("olsf", Summary({}), model))
    assert chart.layout["xaxis"]["ticktext"] == ["x", "2", "1"]
    fresh = Recording("olsf", Summary({}), registry.create("olsf", "one"))
    assert class_weights_chart(fresh) is None


def test_figures_are_what_plotly_knows(page):
    objects = pytest.importorskip("plotly.graph_objects")
    for section in page.sections:
        for chart in section.charts:
            objects.Figure(chart.figure)  # refuses names and values that it does not know


def test_curves_have_few_points(page):
    for chart in page.sections[0].charts[1:5]:
        for trace in chart.traces:
            assert len(trace["x"]) <= 2 * POINTS


def test_colours_stay_with_the_learners(page):
    charts = {chart.title: chart for chart in page.sections[0].charts}
    of_errors = {key.name: key.colour for key in charts["Mistakes so far"].keys}
    of_budgets = {key.name: key.colour for key in charts["Error by budget"].keys}
    assert of_budgets["glsc"] == of_errors["glsc"]


@pytest.mark.parametrize("shape", ["given", "trapezoidal", "capricious", "evolvable"])
def test_shares_are_those_of_the_stream(shape):
    random = np.random.default_rng(1)
    X = as_rows(np.where(random.random((90, 14)) < 0.8, 1.0, np.nan))
    options = {} if shape == "given" else {"seed": 3}
    stream = getattr(streams, shape)(X, np.arange(90) % 2, **options)
    seen = observed(stream, across=7, up=4)
    there = [x.keys() for x, _ in stream.pairs()]
    order = list(dict.fromkeys(name for row in there for name in row))
    for j in range(4):
        features = set(order[seen.features[j] : seen.features[j + 1]])
        for i in range(7):
            rounds = there[seen.rounds[i] : seen.rounds[i + 1]]
            expected = np.mean([len(features & row) / len(features) for row in rounds])
            assert seen.share[j, i] == pytest.approx(expected)


def test_picture_has_a_limit():
    wide = as_rows([{f"x{i}": 1.0 for i in range(t, t + 5)} for t in range(1000)])
    seen = observed(streams.given(wide, np.arange(1000) % 2))
    assert seen.share.shape == (120, 200)
    assert seen.names is None


def test_a_stream_without_any_observed_value():
    seen = observed(streams.given([{}, {}], [0, 1]))
    assert seen.share.tolist() == [[0.0, 0.0]]


def test_numbers_that_json_can_hold():
    assert numbers([1.23456789, np.nan, np.inf]) == [1.2346, None, None]


def test_names_are_shortened_before_they_are_escaped():
    assert safe("<" * 40, 3) == "&lt;&lt;…"


def test_outcome_in_words():
    assert str(Outcome([0.5])) == "50.00"
    assert str(Outcome([0.5, 0.25], not_worse=True)) == "37.50 ± 17.68°"


def test_refuses_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(InputError, match="in a folder that exists"):
        check_page(tmp_path / "no" / "page.html")
    with pytest.raises(InputError, match="must be a file"):
        check_page(tmp_path)


@pytest.mark.parametrize("package", ["jinja2", "plotly"])
def test_names_the_extra_that_is_missing(page, tmp_path, monkeypatch, package):
    monkeypatch.setitem(sys.modules, package, None)
    words = rf'needs {package}, .* pip install "braided\[report\]"'
    with pytest.raises(InputError, match=words):
        write_page(tmp_path / "page.html", page)
    assert not list(tmp_path.iterdir())


def test_the_page_is_one_file(written):
    assert re.search(r"plotly\.js v\d", written.read_text()[:20_000])
    assert [path.name for path in written.parent.iterdir()] == ["page.html"]

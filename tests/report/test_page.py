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
from braided.evaluate import Result, Snapshot, Summary, prequential
from braided.records import as_rows
from braided.report import Appearances, FieldCoverage, TableChart, model_page
from braided.report.appearances import SHOWN, appearances_chart
from braided.report.chart import COLOURS, DARK, Chart, numbers, safe
from braided.report.class_weights import CLASSES, class_weights_chart
from braided.report.confusion import classes_chart, confusion_chart
from braided.report.curves import POINTS
from braided.report.label_balance import balance_chart
from braided.report.observed import observed
from braided.report.outcomes import Outcome
from braided.report.page import check_page, write_page
from braided.report.recording import Recording
from braided.report.roc import roc_chart
from braided.report.schema import FIELDS, schema_chart
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
    assert len(figures) == sum(a.get("class") == "chart" for _, a in read.tags)
    scripts = sum(tag == "script" for tag, _ in read.tags)
    assert scripts == len(figures) + 3  # plotly.js, the dark colours and the page's own


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
        "Features that appear and stop",
        "Mistakes so far",
        "Recent mistakes",
        "Label balance",
        "Features kept",
        "Memory",
        "Error by budget",
        "ROC curve and AUC",
        "Confusion matrix of glsc",
        "Labels of glsc",
        "Mixing weight of glsc",
        "Feature graph of glsc",
        "Weights of glsc",
    ):
        assert title in titles


def test_many_classes_have_the_charts_that_mean_something(page):
    for section in page.sections[2:4]:
        learners = ("olsf-ii (budget=2)", "braid", "glsc")
        assert [chart.title for chart in section.charts] == [
            "Observed features",
            "Features that appear and stop",
            "Mistakes so far",
            "Recent mistakes",
            "Label balance",
            "Features kept",
            "Memory",
            "Error by budget",
            *(f"Confusion matrix of {name}" for name in learners),
            *(f"Labels of {name}" for name in learners),
            "Weights of olsf-ii (budget=2), class by class",
            "Weights of braid, class by class",
            "Weights of glsc, class by class",
        ]


def test_weights_class_by_class(page):
    for section in page.sections[2:4]:
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
            if isinstance(chart, Chart):
                objects.Figure(chart.figure)  # refuses names and values that it does not know


def test_curves_have_few_points(page):
    for chart in page.sections[0].charts:
        for trace in chart.traces if isinstance(chart, Chart) else ():
            if trace["type"] != "scatter":
                continue
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


def result_of(signs, scores, classes=(-1, 1)):
    end = (Snapshot(len(signs), 1, 1, 1, 0.0),)
    return Result(np.array(signs, float), np.array(scores, float), end, classes=classes)


def recording_of(*results, model=None):
    model = model or registry.create("olsf").partial_fit([{"a": 1}], [1])
    return Recording("mine", Summary(dict(enumerate(results))), model)


def test_confusion_of_all_runs_together():
    results = [result_of([1, 1, -1, -1], [1, -1, -1, 0], ("no", "yes")) for _ in range(2)]
    recording = recording_of(*results)
    (heat,) = confusion_chart(recording).traces
    assert heat["text"] == [[2, 2, 0], [2, 0, 2]]  # "yes" is at the bottom
    lines = dict(classes_chart(recording).table.lines)
    assert [cell.text for cell in lines["no"]] == ["4", "0.500", "0.500", "0.500"]
    assert [cell.text for cell in lines["yes"]] == ["4", "0.500", "1.000", "0.667"]
    assert lines["yes"][3].share == pytest.approx(2 / 3)
    assert "All 2 runs together" in confusion_chart(recording).about


def test_confusion_of_more_labels_than_fit():
    rng = np.random.default_rng(0)
    labels = np.repeat(np.arange(30), np.arange(30) + 2)
    X = [{f"f{y}": 1.0, "b": float(rng.normal())} for y in labels]
    model = registry.create("oco", "rest")
    result = prequential(model, streams.given(X, labels))
    recording = recording_of(result, model=model)
    chart, table = confusion_chart(recording), classes_chart(recording)
    assert chart.layout["yaxis"]["ticktext"] == [str(i) for i in range(10, 30)][::-1]
    assert [name for name, _ in table.table.lines] == [str(i) for i in range(10, 30)]
    assert "Of 30 labels the 20 most frequent" in table.about
    balance = balance_chart([recording])
    assert [key.name for key in balance.keys] == ["24", "25", "26", "27", "28", "29",
                                                  "24 other labels"]  # fmt: skip
    total = np.sum([trace["y"] for trace in balance.traces], axis=0)
    assert total == pytest.approx(np.full(total.size, 100), abs=0.1)


def test_roc_is_that_of_scikit_learn():
    metrics = pytest.importorskip("sklearn.metrics")
    rng = np.random.default_rng(1)
    signs = np.where(rng.random(150) < 0.3, 1.0, -1.0)
    scores = np.round(rng.normal(size=150) + signs, 1)
    chart = roc_chart([recording_of(result_of(signs, scores))])
    false, found, _ = metrics.roc_curve(signs, scores, drop_intermediate=False)
    assert chart.traces[1]["x"] == pytest.approx(100 * false, abs=0.01)
    assert chart.traces[1]["y"] == pytest.approx(100 * found, abs=0.01)
    assert f"AUC {metrics.roc_auc_score(signs, scores):.3f}" in chart.keys[1].name
    assert roc_chart([recording_of(result_of([1, 1], [1, -1]))]) is None


def test_balance_counts_only_labels():
    signs = np.repeat([1.0, -1.0, np.nan], 40)
    chart = balance_chart([recording_of(result_of(signs, signs, ("no", "yes")))])
    no, yes = (trace["y"] for trace in chart.traces)
    assert yes == [100, 100, 0, 0, None, None]
    assert no == [0, 0, 100, 100, None, None]
    assert "40 of 120 rounds have no label" in chart.about
    assert balance_chart([recording_of(result_of([np.nan], [0.0]))]) is None


def test_features_that_appear_and_stop_are_named():
    rows = [{"always": 1.0} | ({"old": 1.0} if t < 50 else {"new": 1.0}) for t in range(100)]
    rows[30]["once"] = 1.0
    seen = Appearances()
    for start in range(0, 100, 7):  # blocks have names of their own
        seen.add(as_rows(rows[start : start + 7]))
    assert seen.spans["new"] == (51, 100, 50)
    assert seen.spans["old"] == (1, 50, 50)
    chart = appearances_chart(seen)
    assert set(chart.layout["yaxis"]["ticktext"]) == {"old", "new", "once"}
    appears, stops = chart.traces[-2:]
    assert dict(zip(appears["customdata"], appears["x"], strict=True)) == {"new": 51, "once": 31}
    assert dict(zip(stops["customdata"], stops["x"], strict=True)) == {"old": 50, "once": 31}
    assert "2 of 4 features appeared after the beginning, 2 stopped" in chart.about
    assert appearances_chart(Appearances.of([as_rows(rows[:20])])) is None


def test_few_features_are_named():
    wide = as_rows([{f"x{i}": 1.0 for i in range(t, t + 5)} for t in range(1000)])
    chart = appearances_chart(Appearances.of([wide]))
    assert len(chart.layout["yaxis"]["ticktext"]) == SHOWN


def test_fields_with_their_coverage():
    chart = schema_chart([FieldCoverage("age", "number", 3, 4), FieldCoverage("x", "text", 0, 0)])
    assert isinstance(chart, TableChart)
    (age, cells), (_, empty) = chart.table.lines
    assert [age, *(cell.text for cell in cells)] == ["age", "number", "3 of 4", "75.0 %"]
    assert (cells[-1].share, empty[-1].share) == (0.75, 0.0)
    many = schema_chart([FieldCoverage("x", "text", 1, 1)] * (FIELDS + 1))
    assert len(many.table.lines) == FIELDS
    assert "the first 100" in many.about
    assert schema_chart([]) is None


def test_a_model_with_and_without_results():
    rows = streams.fixed(np.random.default_rng(0).normal(size=(60, 3)), np.arange(60) % 2)
    model = registry.create("oco")
    result = prequential(model, rows, every=10)
    (section,) = model_page("m", model, command="c", facts={"file": "m"}).sections
    assert [chart.title for chart in section.charts] == ["Weights of OCO"]
    assert list(section.tables[0].lines)[-1][0] == "file"
    assert len(section.tables) == 1
    (section,) = model_page("m", model, command="c", label="oco", result=result).sections
    titles = [chart.title for chart in section.charts]
    for title in ("Mistakes so far", "Label balance", "Confusion matrix of oco", "Memory"):
        assert title in titles
    assert len(section.tables) == 2


def test_warnings_fields_and_facts_are_on_the_page(read):
    text = " ".join("".join(read.texts).split())
    for words in ("<b>One", "Two & three", "<b>number", "299 of 300", "99.7 %", "rows learned"):
        assert words in text


def test_axes_of_shares_and_errors_begin_at_zero(page):
    for section in page.sections:
        for chart in section.charts:
            if not isinstance(chart, Chart):
                continue
            for name in ("xaxis", "yaxis"):
                drawn = chart.layout[name]
                title = drawn.get("title", {}).get("text", "")
                if "%" in title or title in ("share", "features"):
                    assert drawn.get("rangemode") == "tozero" or drawn["range"][0] == 0, title


def test_every_colour_has_one_for_the_dark():
    assert set(COLOURS) < set(DARK)
    assert len(set(DARK.values())) == len(DARK)

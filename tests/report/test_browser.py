"""The page in a real browser: Debian's chromium, or another that is installed."""

import pytest

from braided.report import Chart
from braided.report.chart import DARK, INK, PAPER
from tests.support.browser import CHROMIUM

WIDTHS = {"desktop": (1280, 900), "phone": (390, 844)}

pytestmark = pytest.mark.skipif(
    CHROMIUM is None, reason="no chromium found (on Debian: apt-get install chromium)"
)
MEASURE = """() => [...document.querySelectorAll(".chart")].map(chart => {
    const drawn = [...chart.querySelectorAll("svg.main-svg, canvas")][0]?.getBoundingClientRect();
    const kinds = ".scatterlayer .trace, .barlayer .point, .heatmaplayer image";
    const marks = chart.querySelectorAll(kinds);
    const at = chart.getBoundingClientRect();
    return {
        title: chart.closest("figure").querySelector("h3").textContent,
        width: drawn?.width ?? 0, height: drawn?.height ?? 0, left: at.left, right: at.right,
        marks: marks.length,
    };
})"""


@pytest.fixture(scope="module")
def browser():
    api = pytest.importorskip("playwright.sync_api")
    with api.sync_playwright() as playwright:
        # Without a sandbox, since CI runs as root; the page is our own.
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(params=[(width, theme) for width in WIDTHS for theme in ("light", "dark")])
def shown(browser, written, request):
    """The page when it has settled, what it asked for, and what it complained about."""
    device, theme = request.param
    width, height = WIDTHS[device]
    context = browser.new_context(
        viewport={"width": width, "height": height},
        has_touch=device == "phone",
        color_scheme=theme,
        offline=True,
    )
    context.set_default_timeout(120_000)
    tab = context.new_page()
    requests, complaints = [], []
    tab.on("request", lambda asked: requests.append(asked.url))
    tab.on("console", lambda message: complaints.append(f"{message.type}: {message.text}"))
    tab.on("pageerror", lambda error: complaints.append(str(error)))
    tab.goto(written.as_uri())
    tab.wait_for_function(
        "[...document.querySelectorAll('.chart')].every(c => c.querySelector('svg.main-svg'))"
    )
    yield tab, requests, complaints
    context.close()


def test_every_chart_draws_and_nothing_else_happens(shown, written, page):
    tab, requests, complaints = shown
    width = tab.viewport_size["width"]
    charts = tab.evaluate(MEASURE)
    drawn = [chart for section in page.sections for chart in section.charts]
    expected = [chart.title for chart in drawn if isinstance(chart, Chart)]
    assert tab.locator("figure table.shares").count() == len(drawn) - len(expected)
    assert [chart["title"] for chart in charts] == expected
    for chart in charts:
        assert chart["width"] > 250, chart
        assert chart["height"] > 90, chart
        assert chart["left"] >= 0, chart
        assert chart["right"] <= width, chart
        assert chart["marks"] > 0, chart
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    assert tab.title() == "<i>Title"
    assert tab.get_by_text("diverging diverged").count() == 2
    assert complaints == []
    assert requests == [written.as_uri()]


def test_many_classes_show_their_weights(shown):
    tab, _, complaints = shown
    names = "chart => [...chart.querySelectorAll('.xtick text')].map(tick => tick.textContent)"
    for number, columns in ((3, 10), (4, 20)):
        figure = tab.locator(f"#s{number} figure", has_text="Weights of braid, class by class")
        seen = figure.evaluate(names)
        assert len(seen) == columns
        assert any("</script>no" in name or "<b>yes" in name for name in seen)
        assert figure.locator(".heatmaplayer image").count() == 1
    assert complaints == []


def test_a_line_of_the_legend_hides_its_curve(shown):
    tab, _, complaints = shown
    figure = tab.locator("figure", has_text="Mistakes so far").first
    button = figure.locator("button", has_text="glsc")
    shown_lines = "figure => figure.querySelectorAll('.scatterlayer .trace').length"
    before = figure.evaluate(shown_lines)
    button.click()
    assert button.get_attribute("aria-pressed") == "false"
    assert figure.evaluate(shown_lines) < before
    button.click()
    assert figure.evaluate(shown_lines) == before
    assert complaints == []


def test_prints_within_the_paper(shown):
    tab, _, complaints = shown
    assert tab.pdf(format="A4").startswith(b"%PDF")
    tab.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    paper = tab.evaluate("document.querySelector('main').getBoundingClientRect().width")
    for chart in tab.evaluate(MEASURE):
        assert chart["width"] <= paper, chart
    assert complaints == []


COLOURS = """() => {
    const colour = (part, what) => getComputedStyle(document.querySelector(part))[what];
    return {
        page: colour("body", "backgroundColor"), paper: colour("figure", "backgroundColor"),
        text: colour("body", "color"), tick: colour(".chart .xtick text", "fill"),
        line: colour(".chart .scatterlayer .js-line", "stroke"),
        key: colour(".keys line", "stroke"),
    };
}"""


def rgb(colour):
    return f"rgb({', '.join(str(part) for part in bytes.fromhex(colour[1:]))})"


def test_colours_follow_the_theme_also_when_it_changes(shown):
    tab, _, complaints = shown
    button = tab.locator("figure", has_text="Mistakes so far").first.locator("button").first
    button.click()  # what is hidden stays hidden
    lines = "document.querySelectorAll('.scatterlayer .trace').length"
    before, count = tab.evaluate(COLOURS), tab.evaluate(lines)
    is_dark = before["text"] == rgb(DARK[INK])
    assert before["text"] == rgb(DARK[INK] if is_dark else INK)
    assert before["paper"] == rgb(DARK[PAPER] if is_dark else PAPER)
    tab.emulate_media(color_scheme="light" if is_dark else "dark")
    tab.wait_for_function(f"() => ({COLOURS})().tick !== '{before['tick']}'")
    after = tab.evaluate(COLOURS)
    assert all(after[part] != before[part] for part in before), (before, after)
    assert after["text"] == rgb(INK if is_dark else DARK[INK])
    assert after["line"] == after["key"]
    assert tab.evaluate(lines) == count
    assert complaints == []


def test_paper_is_light(shown):
    tab, _, _ = shown
    tab.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert tab.evaluate(COLOURS)["tick"] == rgb("#6b7280")


def test_the_toolbar_covers_no_data(shown):
    tab, _, _ = shown
    measured = tab.evaluate("""() => [...document.querySelectorAll(".chart")].map(chart => {
        const box = part => part && part.getBoundingClientRect().toJSON();
        const texts = [...chart.querySelectorAll("text")].map(box).filter(b => b.width);
        return {
            title: chart.closest("figure").querySelector("h3").textContent,
            bar: box(chart.querySelector(".modebar")), plot: box(chart.querySelector(".nsewdrag")),
            scale: box(chart.querySelector(".colorbar")), texts,
        };
    })""")
    assert measured
    for chart in measured:
        bar = chart["bar"]
        if bar is None or not bar["height"]:  # a phone has none
            assert tab.viewport_size["width"] < 500
            continue
        for part in (chart["plot"], chart["scale"], *chart["texts"]):
            covered = part is not None and (
                part["top"] < bar["bottom"] - 0.5
                and part["bottom"] > bar["top"] + 0.5
                and part["left"] < bar["right"]
                and part["right"] > bar["left"]
            )
            assert not covered, (chart["title"], bar, part)

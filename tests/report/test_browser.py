"""The page in a real browser: Debian's chromium, or another that is installed."""

import shutil

import pytest

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
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


@pytest.fixture(params=WIDTHS)
def shown(browser, written, request):
    """The page when it has settled, what it asked for, and what it complained about."""
    width, height = WIDTHS[request.param]
    context = browser.new_context(
        viewport={"width": width, "height": height},
        has_touch=request.param == "phone",
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
    expected = [chart.title for section in page.sections for chart in section.charts]
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

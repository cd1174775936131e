"""The live page in a real browser: its numbers, and what names in the data can do to it."""

from __future__ import annotations

import random
import shutil
import threading
import time

import pytest

pytest.importorskip("fastapi")
from tests.live.service import Running

sync_api = pytest.importorskip("playwright.sync_api")

CHROMIUM = shutil.which("chromium")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")
EVIL = "<img src=x onerror='document.title=1'>"


@pytest.fixture(scope="module")
def browser():
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    with Running(tmp_path_factory.mktemp("models")) as running:
        schema = {"label": "y", "key": "k"}
        running("PUT", "/models/m", {"learner": "oco", "schema": schema})
        yield running


def shown(page) -> dict[str, str]:
    return page.evaluate(
        "Object.fromEntries([...document.querySelectorAll('[data-number]')]"
        ".map((each) => [each.dataset.number, each.textContent]))"
    )


def as_shown(told: dict) -> dict[str, str]:
    progress = told["progress"]
    names = ("error", "error_recent", "error_majority", "error_last_label")
    found = {name: f"{100 * progress[name]:.2f}%" for name in names}
    whole = ("rounds", "features_seen", "features_kept", "pending", "version")
    found |= {name: f"{told[name]:,}" for name in whole}
    return {**found, "memory": f"{told['memory_bytes'] / 1e6:.2f} MB"}


def same(found: dict[str, str], told: dict[str, str]) -> None:
    assert found.keys() == told.keys()
    for name, text in found.items():  # a half is rounded up by one, and to even by the other
        number, other = (float(each.rstrip("% MB").replace(",", "")) for each in (text, told[name]))
        assert number == pytest.approx(other, abs=0.0101 if "%" in text else 0), name


def test_numbers_are_those_of_the_api_while_data_flows(service, browser):
    page = browser.new_page()
    requests, problems = [], []
    page.on("request", lambda request: requests.append(request.url))
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda said: problems.append(said.text) if said.type == "error" else None)
    stop, by_version = threading.Event(), {}
    learn = "/models/m/learn"
    service("POST", learn, [{"a": 1, EVIL: 1, "y": "yes"}, {"a": -1, "y": EVIL}])

    def feed() -> None:
        rng = random.Random(0)
        while not stop.is_set():
            records = [{"a": rng.gauss(0, 1), f"f{rng.randrange(40)}": 1} for _ in range(7)]
            labelled = [{**x, "y": "yes" if x["a"] > 0 else EVIL} for x in records]
            service("POST", learn, labelled)
            service("POST", "/models/m/predict", {"a": 1, "k": rng.randrange(10**6)})
            told = service("GET", "/models/m")[1]
            by_version[told["version"]] = as_shown(told)
            time.sleep(0.3)

    feeding = threading.Thread(target=feed)
    feeding.start()
    compared = 0
    try:
        page.goto(f"http://127.0.0.1:{service.port}/#m")
        page.wait_for_selector(".tile")
        versions = set()
        for _ in range(40):
            time.sleep(0.25)
            found = shown(page)
            told = by_version.get(int(found["version"].replace(",", "")))
            if told is not None and found["version"] not in versions:
                same(found, told)
                versions.add(found["version"])
                compared += 1
    finally:
        stop.set()
        feeding.join()
    assert compared >= 2
    told = as_shown(service("GET", "/models/m")[1])
    page.wait_for_function(
        "version => document.querySelector('[data-number=version]').textContent === version",
        arg=told["version"],
    )
    same(shown(page), told)
    # A record is tried, and answered as the API does.
    page.fill("#record", '{"a": 2}')
    page.click("#try button")
    page.wait_for_selector("#answer b")
    said = service("POST", "/models/m/explain", {"a": 2})[1]
    text = page.inner_text("#answer")
    assert said["label"] in text
    assert f"{100 * said['probability']:.2f}%" in text
    # Names in the data are text; nothing came from elsewhere, nothing went wrong.
    assert EVIL in page.inner_text("#labels")
    assert page.title() == "Braided"
    assert all(url.startswith(f"http://127.0.0.1:{service.port}/") for url in requests)
    assert problems == []
    page.close()


@pytest.mark.parametrize("options", [{"viewport": {"width": 360, "height": 700}}, {}])
def test_it_fits_the_screen(service, browser, options):
    context = browser.new_context(color_scheme="dark", **options)
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{service.port}/")
    page.wait_for_selector(".tile")
    width = page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
    assert width[0] <= width[1]
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert ground == "rgb(16, 22, 28)"
    context.close()


def test_a_token_is_asked_for(tmp_path, browser):
    token = "admin-0123456789abcdef"
    with Running(tmp_path, tokens=[f"admin {token}"]) as service:
        bearer = {"Authorization": f"Bearer {token}"}
        service("PUT", "/models/m", {"learner": "oco"}, **bearer)
        page = browser.new_page()
        page.goto(f"http://127.0.0.1:{service.port}/")
        page.wait_for_selector("#token:visible")
        page.fill("input[name=token]", token)
        page.click("#token button")
        page.wait_for_selector(".tile")
        page.close()

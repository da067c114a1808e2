"""A real browser for the pages: the Chromium of the system, driven by playwright. Without one the tests are skipped."""

import shutil
import sys
from pathlib import Path

import pytest
from live_pages import YARD, Page, Server

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "views"))

#: The names under which systems install it; first that without windows, which takes two thirds of the time.
_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


@pytest.fixture(scope="session")
def browser():
    """The browser, started once."""
    playwright = pytest.importorskip("playwright.sync_api", reason="needs the package playwright (extra 'dev')")
    found = next((path for path in map(shutil.which, _NAMES) if path), None)
    if found is None:
        pytest.skip("no Chromium on this machine: install it as Debian does, `apt-get install chromium`")
    with playwright.sync_playwright() as driver:
        running = driver.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield running
        running.close()


class Visit:
    """One page that was opened, and all that it complained of or asked the outside for."""

    def __init__(self, browser, file, **context):
        self.context = browser.new_context(**{"viewport": {"width": 1280, "height": 820}, **context})
        self.context.set_default_timeout(30_000)
        self.page = self.context.new_page()
        self.complaints, self.asked = [], []
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.on("dialog", lambda dialog: self.complaints.append(dialog.message) or dialog.dismiss())
        self.url = file.as_uri()
        self.page.goto(self.url)

    def now(self):
        """The number of the moment shown, from 0."""
        return int(self.page.input_value("#slider"))

    def caption(self):
        return self.page.inner_text("#caption")


@pytest.fixture
def visit(browser, tmp_path):
    """Open the text of a page as a file; at the end it must have complained of nothing and asked for nothing."""
    visits = []

    def visit(text, at="", **context):
        file = tmp_path / f"page{len(visits)}.html"
        file.write_text(text, encoding="utf-8")
        opened = Visit(browser, file, **context)
        if at:
            opened.page.goto("about:blank")
            opened.page.goto(opened.url + at)
        visits.append(opened)
        return opened

    yield visit
    for opened in visits:
        opened.context.close()
        assert opened.complaints == []
        assert {url.partition("#")[0] for url in opened.asked} <= {opened.url, "about:blank"}


@pytest.fixture(scope="module")
def servers():
    started = {}

    def served(scenario):
        if scenario not in started:
            started[scenario] = Server(scenario)
        return started[scenario]

    yield served
    for server in started.values():
        assert server.stop() == (130, "simulator: interrupted\n")


@pytest.fixture
def live(browser, servers):
    pages = []

    def live(scenario=YARD, at="", **context):
        pages.append(Page(browser, servers(scenario).address + at, **context))
        return pages[-1]

    yield live
    for page in pages:
        page.context.close()
        assert page.complaints == []
        # No request leaves for anywhere else.
        assert len({url for url in page.asked if not url.startswith(("about:", "blob:"))}) == 1

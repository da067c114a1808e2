"""A page of the live table in a tab, as tests use it."""

import re
import signal
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
YARD, CHASE = "scenarios/skirmish/the_yard.yaml", "scenarios/grid_runner/market_chase.yaml"
CROSSING = "scenarios/mecha/at_the_crossing.yaml"
BUSY = "main[aria-busy=true]"
#: Timers of a page that are due within a second, after which it may ask something, are counted.
_COUNT_TIMERS = """(() => {
  const due = new Set(), set = window.setTimeout, clear = window.clearTimeout;
  window.setTimeout = (work, after, ...words) => {
    const timer = set((...given) => { due.delete(timer); work(...given); }, after, ...words);
    if (!(after >= 1000)) due.add(timer);
    return timer;
  };
  window.clearTimeout = (timer) => { due.delete(timer); clear(timer); };
  window.timersDue = () => due.size;
})();"""
#: A page has come to rest if nothing has been asked and nothing been due so many times, 20 ms apart.
_AT_REST = 4


class Server:
    """`simulator serve` as people start it, at any port."""

    def __init__(self, scenario):
        command = [sys.executable, "-m", "simulator", "serve", str(scenario), "--port", "0"]
        self.process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().strip()

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        _, printed = self.process.communicate(timeout=30)
        return self.process.returncode, printed


class Page:
    """The live table in a tab, with all that it complained of."""

    def __init__(self, browser, address, **context):
        self.context = browser.new_context(**{"viewport": {"width": 1280, "height": 820}, **context})
        self.context.set_default_timeout(60_000)
        self.context.add_init_script(_COUNT_TIMERS)
        self.page = self.context.new_page()
        self.complaints, self.asked = [], set()
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("dialog", lambda dialog: self.complaints.append(dialog.message) or dialog.dismiss())
        self.page.on("request", lambda request: self.asked.add(re.sub(r"^(\w+://[^/]*).*", r"\1", request.url)))
        self.go(address)

    def go(self, address):
        self.page.goto("about:blank")
        self.page.goto(address)
        self.page.wait_for_selector("#units .unit", state="attached")
        self.settle()

    def settle(self):
        """Wait until nothing is asked any more, also what the page asks after a short rest."""
        calm = 0
        while calm < _AT_REST:
            self.page.wait_for_selector(BUSY, state="detached")
            calm = 0 if self.page.evaluate("window.timersDue()") else calm + 1
            self.page.wait_for_timeout(20)

    def choose(self, unit):
        self.page.click(f".chip:has-text('{unit}')")
        self.page.wait_for_selector("#bands path", state="attached")
        self.settle()

    def spot(self, x, y):
        """Where a place in inches lies on the screen."""
        width, height = self.size
        svg = self.page.locator("#board").bounding_box()
        view = [float(number) for number in self.page.get_attribute("#board", "viewBox").split()]
        scale = min(svg["width"] / view[2], svg["height"] / view[3])
        left = svg["x"] + (svg["width"] - view[2] * scale) / 2
        top = svg["y"] + (svg["height"] - view[3] * scale) / 2
        pixels = (view[2] - 52) / width
        return left + (26 + x * pixels) * scale, top + (26 + (height - y) * pixels) * scale

    size = (48, 36)

    def point(self, x, y):
        self.page.mouse.move(*self.spot(x, y))
        self.settle()

    def click(self, x, y):
        self.page.mouse.click(*self.spot(x, y))
        self.settle()

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)
            self.settle()

    def text(self, selector):
        return re.sub(r"\n+", "\n", self.page.inner_text(selector))

    def orders(self):
        return [re.sub(r"\s+", " ", head.inner_text()).strip() for head in self.page.query_selector_all(".order .head")]

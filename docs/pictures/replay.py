"""Photograph a replay page for the documentation, in the Chromium of the system: `python docs/pictures/replay.py`."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from simulator import load_scenario
from simulator.formats.examples import examples
from simulator.formats.rulebooks import register_of
from simulator.views.replay import replay_page
from simulator.writing import write_whole

HERE = Path(__file__).resolve().parent
#: The scenario, the words of the order to stop at, how many steps into it, and whose reach is shown.
SCENARIO, ORDER, STEPS, UNIT = "grid_runner/market_chase.yaml", "withdrawal: sw, w 4", 4, "kit"


def main() -> None:
    """Write docs/pictures/replay.png."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if browser is None:
        raise SystemExit("this needs Chromium")
    story = load_scenario(examples("scenarios") / SCENARIO).run().story
    page = replay_page(story, register=register_of(story.setting.ruleset))
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        file = Path(folder) / "page.html"
        write_whole(file, page.encode())
        running = driver.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        shown = running.new_page(viewport={"width": 1180, "height": 740}, color_scheme="light", reduced_motion="reduce")
        shown.goto(file.as_uri())
        shown.click(f".chip:has-text('{UNIT}')")
        shown.click(f".head:has-text('{ORDER}')")
        for _ in range(STEPS):
            shown.keyboard.press("ArrowRight")
        shown.mouse.move(5, 5)
        shown.evaluate("document.activeElement.blur()")
        shown.screenshot(path=HERE / "replay.png")
        running.close()
    print("docs/pictures/replay.png")


if __name__ == "__main__":
    main()

"""Photograph the live table for the documentation: `python docs/pictures/live_table.py`, with Chromium."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

HERE = Path(__file__).resolve().parent
#: The scenario, the unit that is chosen, and the presses that lead to the place shown.
SCENARIO, UNIT, PRESSES = "skirmish/the_yard.yaml", "bay", [*["ArrowRight"] * 6, *["ArrowDown"] * 2]

#: The corners of the piece that is drawn, as parts of the board's width and height.
CORNERS = [(0.45, 0.3), (0.55, 0.34), (0.58, 0.5)]


def main() -> None:
    """Write docs/pictures/live_table.png and live_editing.png."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if browser is None:
        raise SystemExit("this needs Chromium")
    command = [sys.executable, "-m", "simulator", "serve", str(HERE.parents[1] / "scenarios" / SCENARIO), "--port", "0"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    try:
        with sync_playwright() as driver:
            running = driver.chromium.launch(executable_path=browser, args=["--no-sandbox"])
            page = running.new_page(viewport={"width": 1180, "height": 740}, color_scheme="light")
            page.goto(server.stdout.readline().strip())
            page.click(f".chip:has-text('{UNIT}')")
            page.wait_for_selector("#bands path", state="attached")
            for press in PRESSES:
                page.keyboard.press(press)
            page.wait_for_selector("#answer .price-lines")
            page.wait_for_timeout(500)
            page.evaluate("document.activeElement.blur()")
            page.screenshot(path=HERE / "live_table.png")
            page.click("#editor")
            page.click("button:has-text('Draw a piece')")
            frame = page.locator("#board").bounding_box()
            assert frame is not None
            for across, down in CORNERS:
                page.mouse.click(frame["x"] + frame["width"] * across, frame["y"] + frame["height"] * down)
            page.mouse.move(frame["x"] + frame["width"] * 0.5, frame["y"] + frame["height"] * 0.62)
            page.wait_for_timeout(500)
            page.screenshot(path=HERE / "live_editing.png")
            running.close()
    finally:
        server.terminate()
        server.wait()
    print("docs/pictures/live_table.png docs/pictures/live_editing.png")


if __name__ == "__main__":
    main()

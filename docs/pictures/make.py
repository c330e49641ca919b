"""Makes the pictures of the documentation: starts `tieout serve` on the sample, asks on its page, and looks at it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
REPORT = FOLDER.parent.parent / "data" / "sample" / "report.htm"
QUESTIONS = ("what was operating income in 2024?", "how much did operating income change from 2023 to 2024?")
BROWSERS = ("chromium-headless-shell", "chromium", "google-chrome", "chromium-browser")
SIZE = {"width": 1280, "height": 760}


def main() -> None:
    """Writes page.png. Exits with a line where there is no browser."""
    from playwright.sync_api import sync_playwright

    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        sys.exit("no Chromium: `make browser` installs one")
    command = [sys.executable, "-m", "tieout", "serve", str(REPORT), "--port", "0"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        assert server.stdout is not None
        address = server.stdout.readline().strip()
        with sync_playwright() as play:
            opened = play.chromium.launch(executable_path=browser, args=["--no-sandbox"])
            page = opened.new_page(viewport=SIZE, color_scheme="light")
            page.goto(address)
            page.wait_for_selector("#question:enabled", timeout=60_000)
            for number, question in enumerate(QUESTIONS):
                page.fill("#question", question)
                page.press("#question", "Enter")
                page.locator("#turns > li").nth(number).wait_for()
                page.locator("#send:enabled").wait_for()
            page.locator("#shown .lit.strong").wait_for()
            page.evaluate("document.activeElement.blur()")
            page.wait_for_timeout(500)  # until the page has scrolled to the cell
            page.screenshot(path=FOLDER / "page.png")
            opened.close()
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()

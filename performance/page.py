"""Opening the HTML report of a large benchmark in a real browser."""

import shutil
from pathlib import Path
from statistics import median
from typing import Any

from performance._measure import ONE_THREAD, measure, progress, script
from performance._result import Result, Row
from performance._settings import Settings

__all__ = ["page"]

QUERIES, RUNS = 1_000, 16
MOST_SECONDS, MOST_BYTES = 2.0, 4e6
ARGUMENTS = [
    *("--no-sandbox", "--disable-gpu", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--no-first-run"),
]
# Ready is when the table stands, it was painted, and the browser has nothing left to do.
READY = """() => new Promise((done) => {
  const idle = () => requestIdleCallback(() => done(performance.now()));
  requestAnimationFrame(() => requestAnimationFrame(idle));
})"""


def page(settings: Settings) -> Result:
    """Write the page once, and open it several times, each in a profile of its own."""
    file = settings.folder / "report.html"
    progress(f"page: {RUNS} runs x {QUERIES} queries")
    written = measure(script("page_assay", QUERIES, RUNS, file), ONE_THREAD).json()
    result = Result(f"HTML report: {RUNS} runs x {QUERIES:,} queries")
    size = Row("its size", written["bytes"], "4 MB", MOST_BYTES, "bytes", target=1.0)
    opened = _opened(file, settings.repeats + 2)
    if opened:
        slow = Row("opened, the slowest", max(opened), "2 s", MOST_SECONDS, target=1.0)
        result.rows.extend([Row("opened", median(opened), "2 s", MOST_SECONDS, target=1.0), slow])
    result.rows.extend([size])
    result.notes.append(
        f"From the start of the navigation until the page is loaded, its table of queries stands, "
        f"all is painted and the browser idles, {len(opened)} times (wall clock, cold profile): "
        f"{', '.join(f'{one * 1e3:.0f}' for one in opened)} ms. {written['bytes'] / 1e6:.2f} MB, "
        f"written in {written['write_s']:.1f} s of CPU time with all charts."
    )
    return result


def _opened(file: Path, times: int) -> list[float]:
    """Return the seconds of each turn; none without a browser."""
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return []
    if chromium is None:
        return []
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        found = [_turn(browser, file) for _ in range(times)]
        browser.close()
    return found


def _turn(browser: Any, file: Path) -> float:  # noqa: ANN401 - of a library that may be missing
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    view = context.new_page()
    view.goto(file.as_uri(), wait_until="load")
    view.wait_for_selector("#asked tbody tr")
    took: float = view.evaluate(READY)
    context.close()
    return took / 1e3

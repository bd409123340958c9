"""One browser for all tests of pages; none of them reaches beyond this machine."""

import shutil
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from assay.reports.html.page import page

ARGUMENTS = [
    *("--no-sandbox", "--disable-gpu", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--no-first-run"),
]
MADE = Path(__file__).parents[1] / "reports" / "html" / "made.py"


@pytest.fixture(scope="session")
def chromium():
    found = shutil.which("chromium") or shutil.which("google-chrome")
    if found is None:
        pytest.skip("chromium is missing: `make browser` installs it")
    playwright = pytest.importorskip("playwright.sync_api", reason="`pip install playwright`")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=found, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def made_report():
    spec = spec_from_file_location("made_reports", MADE)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.made_report


@pytest.fixture(scope="session")
def written():
    """Write the page of a report, once: its charts take the longest."""
    pages = {}

    def write(report, charts):
        key = (id(report), charts is None)
        if key not in pages:
            pages[key] = report, page(report, date="2026-01-02", charts=charts)
        return pages[key][1]

    return write


@pytest.fixture
def opened(chromium, tmp_path, written):
    """Open the page of a report; what goes wrong in it, or leaves it, is kept in ``trouble``."""
    contexts = []

    def open_page(report, hash="", *, charts=None, **options):  # noqa: A002
        file = tmp_path / "report.html"
        file.write_bytes(written(report, charts))
        context = chromium.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})
        contexts.append(context)
        context.set_default_timeout(30_000)
        view = context.new_page()
        view.trouble = []
        view.on("console", lambda said: view.trouble.append(said.text))
        view.on("pageerror", lambda error: view.trouble.append(str(error)))
        view.on("dialog", lambda dialog: view.trouble.append(dialog.message))
        view.on("request", lambda asked: _refuse_foreign(view, asked.url, file))
        view.goto(file.as_uri() + hash)
        return view

    yield open_page
    for context in contexts:
        context.close()


def _refuse_foreign(view, url, file):
    if url.split("#")[0] != file.as_uri():
        view.trouble.append(f"asked for {url}")

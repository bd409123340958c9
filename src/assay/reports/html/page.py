"""Page: a whole report as one HTML file that needs nothing but a browser."""

import base64
import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from assay.errors import InputError
from assay.extras import install_command
from assay.records import Report
from assay.reports.html._account import account
from assay.reports.html._data import data
from assay.reports.html._figures import figures, variables
from assay.reports.html._leaderboard import leaderboard
from assay.reports.html._overview import overview
from assay.reports.html._readable import readable
from assay.reports.html._repeats import drop_repeats
from assay.reports.html._run_sentences import run_sentences
from assay.reports.html._tables import analysed

__all__ = ["page"]

HERE = Path(__file__).parent
STYLES = ("tokens", "page", "tables", "queries", "narrow", "print")
SCRIPTS = ("theme", "marks", "sorting", "chosen", "skyline", "queries", "detail", "start")


def page(report: Report, *, date: str, charts: Mapping[str, str] | None = None) -> bytes:
    """Write the page; ``charts`` are SVGs by name, which are drawn here unless they are given."""
    script = "(() => {\n'use strict';\n" + _joined("script", SCRIPTS, "js") + "})();\n"
    tables = analysed(report)
    parts: dict[str, Any] = {
        "date": date,
        "report": report,
        "policy": _policy(script),
        "style": variables() + _joined("style", STYLES, "css"),
        "script": script,
        "data": data(report),
        "cut": run_sentences(report),
        "once": drop_repeats(),
        "overview": overview(report, tables),
        "board": leaderboard(report),
        "figures": figures(report, charts),
        "analysed": tables,
        "account": account(report),
    }
    text: str = _environment().get_template("page.html.j2").render(**parts)
    return text.encode()


def _joined(folder: str, names: tuple[str, ...], ending: str) -> str:
    files = [HERE / folder / f"{name}.{ending}" for name in names]
    return "".join(path.read_text(encoding="utf-8") for path in files)


def _policy(script: str) -> str:
    """Forbid all that a page could load, and every script but ours, whatever a name contains."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    allowed = f"script-src 'sha256-{digest}'; style-src 'unsafe-inline'; img-src data:"
    return f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'"


def _environment() -> Any:  # noqa: ANN401 - a class of the library, which is imported late
    try:
        import jinja2  # only who writes a page needs it
    except ImportError as error:
        problem = "an HTML report needs the package jinja2"
        raise InputError(problem, hint=install_command("plots")) from error
    loader = jinja2.FileSystemLoader(HERE / "templates")
    return jinja2.Environment(
        loader=loader,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
        finalize=readable,
    )

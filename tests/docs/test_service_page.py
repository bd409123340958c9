"""docs/service.md and docs/service-api.md: their commands and programs run against a service."""

import json
import os
import re
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from tests.server.process import running_service

pytestmark = [pytest.mark.service, pytest.mark.timeout(300)]
ROOT = Path(__file__).parents[2]
PAGES = {name: (ROOT / "docs" / f"{name}.md").read_text() for name in ("service", "service-api")}
ADDRESS = "127.0.0.1:8787"
BETWEEN = "\036"
JQ = """#!{python}
import json, sys
import jq
flags = set("".join(one[1:] for one in sys.argv[1:-1]))
last = None
for last in jq.compile(sys.argv[-1]).input_text(sys.stdin.read()):
    text = json.dumps(last, separators=(",", ":"))
    print(last if "r" in flags and isinstance(last, str) else text)
sys.exit("e" in flags and last in (None, False))
"""  # for machines without the program


def blocks(page):
    return re.findall(r"^```(sh|json|py)\n(.*?)^```", PAGES[page], re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """The folder of the example, with `jq`."""
    folder = tmp_path_factory.mktemp("service-page")
    programs = folder / "programs"
    programs.mkdir()
    if shutil.which("jq") is None:
        (programs / "jq").write_text(JQ.format(python=sys.executable))
        (programs / "jq").chmod(0o755)
    return Path(shutil.copytree(ROOT / "examples" / "handbook", folder / "handbook"))


@pytest.fixture(scope="module")
def service(place):
    with running_service(place.parent / "workspace", "--allow", f"corpus={place}") as running:
        yield running


@pytest.fixture(scope="module")
def printed(place, service):
    """Run the commands of both pages in one shell; return what each block printed."""
    words = [f"{os.environ['PATH']}", str(place.parent / "programs")]
    environment = {**os.environ, "PATH": os.pathsep.join(words), "ASSAY_TOKEN": service.token}
    scripts = [text for page in PAGES for kind, text in blocks(page) if kind == "sh"]
    script = f"printf '\\036'\n{BETWEEN}".join([*scripts, ""]).replace(BETWEEN, "")
    done = subprocess.run(
        ["bash", "-eo", "pipefail", "-c", _moved(script, service)],
        cwd=place,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )
    assert done.returncode == 0, (done.stdout, done.stderr, service.log[-5:])
    return dict(zip(scripts, done.stdout.split(BETWEEN), strict=False))


@pytest.mark.parametrize("page", PAGES)
def test_commands_print_what_the_page_shows(page, printed):
    listed = blocks(page)
    shown = {
        before: text
        for (kind, before), (other, text) in pairwise(listed)
        if (kind, other) == ("sh", "json")
    }
    assert shown
    for script, text in shown.items():
        assert _objects(printed[script]) == _objects(text), script


def test_files_of_the_export_were_written(place, printed):
    assert (place / "report.html").read_text().startswith("<!doctype html>")
    assert (place / "bm25.run").read_text().startswith("key-lost Q0 badges.md 1 ")
    assert (place / "questions.csv").read_text().count("\n") > 7


@pytest.mark.parametrize("page", PAGES)
def test_programs_run(page, printed, service, place, monkeypatch):
    monkeypatch.chdir(place)
    monkeypatch.setenv("ASSAY_TOKEN", service.token)
    programs = [text for kind, text in blocks(page) if kind == "py"]
    assert programs
    for program in programs:
        exec(compile(_moved(program, service), f"{page}.md", "exec"), {})


def _moved(text, service):
    """Let a program ask the service of this test."""
    return text.replace(ADDRESS, service.base.removeprefix("http://"))


def _objects(text):
    return [json.loads(line) for line in text.splitlines()]

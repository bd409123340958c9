"""A project with a benchmark of two searches of its own, whose baseline is blessed."""

import os
import shutil
import subprocess
import sys
from xml.etree import ElementTree as Xml

import pytest
import yaml

from assay.benchmarks.open_report import list_benchmarks

QUERIES = 24
SEARCH = """
def right(query):
    return [(f"page{query.split()[1]}.md", 2.0), ("other.md", 1.0)]


def wrong(query):
    return [("other.md", 2.0), (f"page{query.split()[1]}.md", 1.0)]


def ours(query, top):
    return right(query)


def plain(query, top):
    return right(query)
"""
WORSE = SEARCH.replace("top):\n    return right", "top):\n    return wrong", 1)
UNLUCKY = SEARCH.replace(
    "top):\n    return right(query)",
    'top):\n    return wrong(query) if query in ("page 3", "page 4") else right(query)',
    1,
)
CHECKS = ("--allow", "ndcg@10:1%", "--min", "mrr@10:0.4")
IDS = [
    "assay.yaml::ours: ndcg@10 allow 1%",
    "assay.yaml::ours: mrr@10 min 0.4",
    "assay.yaml::plain: ndcg@10 allow 1%",
    "assay.yaml::plain: mrr@10 min 0.4",
]


class Project:
    """A folder with a benchmark, and the commands that are typed there."""

    def __init__(self, folder):
        self.folder = folder
        outer = ("PYTEST_", "ASSAY_WORKSPACE", "COV", "GITHUB_")
        told = ("CI", "BUILD_NUMBER")  # by which pytest repeats whole messages in its summary
        kept = {k: v for k, v in os.environ.items() if not k.startswith(outer) and k not in told}
        self.environment = {**kept, "COLUMNS": "200"}

    def call(self, *words, expect):
        done = subprocess.run(
            [sys.executable, "-m", *words],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            check=False,
        )
        told = done.stdout.decode() + done.stderr.decode()
        assert done.returncode == expect, told
        return told

    def assay(self, *words):
        return self.call("assay", *words, expect=0)

    def pytest(self, *words, expect=0):
        """Run pytest; its exit code is 0, or 1 if a test failed."""
        return self.call("pytest", "-p", "no:cacheprovider", *words, expect=expect)

    def ids(self, *words):
        """Return the ids that are collected."""
        told = self.pytest("--collect-only", "-q", *words)
        return [line for line in told.splitlines() if "::" in line]

    def write(self, **files):
        """Write files, by their names without dots: ``test_it_py``."""
        for name, text in files.items():
            stem, _, suffix = name.rpartition("_")
            (self.folder / f"{stem}.{suffix}").write_text(text)

    def configure(self, change):
        """Change the benchmark file."""
        place = self.folder / "assay.yaml"
        content = yaml.safe_load(place.read_text())
        change(content)
        place.write_text(yaml.safe_dump(content, sort_keys=False))

    @property
    def runs(self):
        """How many benchmarks were run here."""
        return len(list_benchmarks(workspace=self.folder / ".assay"))

    def cases(self):
        """Read junit.xml: the outcome of each test, and its text."""
        return {
            case.get("name"): (child.tag, child.text) if (child := _told(case)) is not None else ""
            for case in Xml.parse(self.folder / "junit.xml").iter("testcase")
        }


def _told(case):
    return next((one for one in case if one.tag in ("failure", "error", "skipped")), None)


def write_project(folder):
    """Write pages, questions, two searches and their benchmark."""
    (folder / "pages").mkdir()
    for name in ["other", *(f"page{number}" for number in range(QUERIES))]:
        (folder / "pages" / f"{name}.md").write_text(f"{name}\n")
    questions = [
        {"id": f"question-{n}", "query": f"page {n}", "expected_files": [f"page{n}.md"]}
        for n in range(QUERIES)
    ]
    names = ("ours", "plain")
    benchmark = {
        "name": "pages",
        "dataset": "questions.yaml",
        "corpus": "pages",
        "metrics": ["ndcg@10", "mrr@10"],
        "configurations": [
            {"name": name, "system": {"kind": "callable", "function": f"search.py:{name}"}}
            for name in names
        ],
    }
    (folder / "questions.yaml").write_text(yaml.safe_dump(questions))
    (folder / "assay.yaml").write_text(yaml.safe_dump(benchmark, sort_keys=False))
    (folder / "search.py").write_text(SEARCH)
    (folder / "pytest.ini").write_text("[pytest]\n")


@pytest.fixture(scope="session")
def blessed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("blessed")
    write_project(folder)
    project = Project(folder)
    project.assay("run", "assay.yaml", "--quiet", "-o", "report.json")
    project.assay("baseline", "bless", "report.json", *CHECKS)
    return folder


@pytest.fixture
def project(blessed, tmp_path):
    """Copy the project, without its workspace."""
    ignored = shutil.ignore_patterns(".assay", "__pycache__")
    return Project(shutil.copytree(blessed, tmp_path / "project", ignore=ignored))

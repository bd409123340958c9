"""A repository goes through the story of a gate: bless, a worse change, a harmless one."""

import json
import os
import random
import subprocess
import sys

import pytest
import yaml

GOOD = '''
"""The search of this project: the documents that share most words with a query, rare ones first."""

import re
from math import log
from pathlib import Path

PAGES = Path(__file__).parent / "pages"
TEXTS = {page.name: re.findall(r"\\\\w+", page.read_text()) for page in sorted(PAGES.glob("*.md"))}


def weight(word):
    return log(len(TEXTS) / (1 + sum(word in words for words in TEXTS.values())))


def search(query, top):
    words = query.split()
    scores = {}
    for page, text in TEXTS.items():
        scores[page] = sum(weight(word) for word in words if word in text)
    return sorted(scores.items(), key=lambda one: (-one[1], one[0]))[:top]
'''.replace("\\\\", "\\")
# A harmless change: other names, the same ranking.
HARMLESS = GOOD.replace("scores", "found").replace("weight", "rarity")
# A harmful one: occurrences are counted, and common words win.
WORSE = GOOD.replace(
    "sum(weight(word) for word in words if word in text)", "sum(map(text.count, words))"
)
QUERIES = 40


def words_of(number):
    return [f"topic{number}{letter}" for letter in "abc"]


def write_repository(folder):
    """Write pages, questions with one page each, a search of one's own, and a benchmark of it."""
    rng = random.Random(7)
    (folder / "pages").mkdir()
    for number in range(QUERIES + 8):
        noise = rng.choices([f"common{at}" for at in range(6)], k=rng.randint(10, 60))
        text = " ".join(rng.sample(words_of(number), 3) + noise)
        (folder / "pages" / f"page{number:02}.md").write_text(text + "\n")
    questions = [
        {
            "id": f"question-{number}",
            "query": f"common{rng.randint(0, 5)} common{rng.randint(0, 5)} topic{number}a",
            "expected_files": [f"page{number:02}.md"],
        }
        for number in range(QUERIES)
    ]
    (folder / "questions.yaml").write_text(yaml.safe_dump(questions))
    (folder / "search.py").write_text(GOOD)
    benchmark = {
        "name": "pages",
        "dataset": "questions.yaml",
        "corpus": "pages",
        "metrics": ["ndcg@10", "mrr@10"],
        "unjudged": "zero",
        "configurations": [
            {"name": "ours", "system": {"kind": "callable", "function": "search.py:search"}}
        ],
    }
    (folder / "assay.yaml").write_text(yaml.safe_dump(benchmark))
    (folder / ".gitignore").write_text(".assay\nreport.json\ngate.*\n__pycache__\n")


class Repository:
    """A git repository, and the commands that its developers type."""

    def __init__(self, folder):
        self.folder = folder
        hidden = ("GITHUB_", "ASSAY_WORKSPACE")
        kept = {k: v for k, v in os.environ.items() if not k.startswith(hidden)}
        identity = {"NAME": "Dev", "EMAIL": "dev@example.org"}
        who = {f"GIT_{a}_{k}": v for a in ("AUTHOR", "COMMITTER") for k, v in identity.items()}
        self.environment = {**kept, **who, "GIT_CONFIG_GLOBAL": os.devnull}

    def git(self, *words):
        done = subprocess.run(
            ["git", *words], cwd=self.folder, env=self.environment, capture_output=True, check=True
        )
        return done.stdout.decode().strip()

    def assay(self, *words, expect=0, **environment):
        """Run a command, and return what it printed to both streams."""
        done = subprocess.run(
            [sys.executable, "-m", "assay", *words],
            cwd=self.folder,
            env={**self.environment, **environment},
            capture_output=True,
            check=False,
        )
        told = done.stdout.decode() + done.stderr.decode()
        assert done.returncode == expect, told
        return told

    def measure(self):
        self.assay("run", "assay.yaml", "--quiet", "-o", "report.json")

    def commit(self, message):
        self.git("add", "-A")
        self.git("commit", "-qm", message)
        return self.git("rev-parse", "HEAD")

    def edit(self, file, change):
        """Change a JSON file in place."""
        place = self.folder / file
        content = json.loads(place.read_text())
        change(content)
        place.write_text(json.dumps(content))


@pytest.fixture(scope="module")
def blessed(tmp_path_factory):
    """Return a repository whose search was measured and blessed."""
    folder = tmp_path_factory.mktemp("story")
    write_repository(folder)
    repository = Repository(folder)
    repository.git("init", "-q")
    repository.first = repository.commit("A search")
    repository.measure()
    checks = ("--allow", "ndcg@10:5%", "--allow", "mrr@10:5%", "--allow", "latency_p95_ms:25%")
    told = repository.assay("baseline", "bless", "report.json", *checks)
    assert repository.first[:12] in told
    assert (folder / "assay-baselines" / "pages.json").stat().st_size < 60_000
    repository.commit("Bless the baseline")
    return repository


@pytest.fixture
def repository(blessed):
    """Return it as it was blessed, whatever a test did to it."""
    yield blessed
    blessed.git("checkout", "-q", "--", ".")


def change_search(repository, source):
    (repository.folder / "search.py").write_text(source)
    repository.measure()


def checks_of_quality(repository):
    """Read the checks on scores; those on times depend on what else the machine does."""
    found = json.loads((repository.folder / "gate.json").read_text())
    return [one for one in found["checks"] if one["metric"] in ("ndcg@10", "mrr@10")]


def outcomes_of_quality(repository):
    return [one["outcome"] for one in checks_of_quality(repository)]


def test_an_unchanged_search_passes(repository):
    repository.measure()

    told = repository.assay("gate", "report.json", "-o", "gate.json")

    assert outcomes_of_quality(repository) == ["pass", "pass"]
    assert "blessed today" in told
    assert repository.first[:12] in told


def test_a_worse_change_fails_with_a_comment_that_names_the_queries(repository):
    change_search(repository, WORSE)

    outputs = [word for name in ("gate.md", "gate.json", "gate.xml") for word in ("-o", name)]
    told = repository.assay("gate", "report.json", *outputs, expect=1)

    assert told.startswith("FAIL")
    quality = checks_of_quality(repository)
    assert outcomes_of_quality(repository) == ["fail", "fail"]
    assert all(one["p_corrected"] <= 0.005 for one in quality)
    worst = [one["query"] for one in quality[0]["worst"]]
    comment = (repository.folder / "gate.md").read_text()
    questions = yaml.safe_load((repository.folder / "questions.yaml").read_text())
    texts = {one["id"]: one["query"] for one in questions}
    assert len(worst) == 10
    assert all(f"`{query}`" in comment and texts[query] in comment for query in worst)


def test_a_harmless_change_passes(repository):
    change_search(repository, HARMLESS)

    repository.assay("gate", "report.json", "-o", "gate.json")

    assert outcomes_of_quality(repository) == ["pass", "pass"]


def test_an_old_baseline_is_said(repository):
    def grow_old(baseline):
        baseline["blessed"]["date"] = "2020-01-02T03:04:05Z"

    repository.measure()
    repository.edit("assay-baselines/pages.json", grow_old)

    told = repository.assay("gate", "report.json")

    assert "days old" in told
    assert "assay baseline bless" in told


def slow(report):
    """Make all latencies of a report a hundred times as long."""
    for run in report["runs"]:
        times = run["latency_ms"]
        for name in ("mean", "p50", "p95", "p99"):
            times[name] *= 100
        times["intervals"] = {
            name: [None if end is None else end * 100 for end in ends]
            for name, ends in times["intervals"].items()
        }
        times["queries"] = {query: took * 100 for query, took in times["queries"].items()}
        times["busy"] = False


def quiet(baseline):
    for run in baseline["report"]["runs"]:
        run["latency_ms"]["busy"] = False


def check_times(repository, *options, expect=0):
    words = ("--allow", "latency_p50_ms:25%", *options, "--json")
    told = repository.assay("gate", "report.json", *words, expect=expect)
    content, _ = json.JSONDecoder().raw_decode(told)
    return content["checks"][0], content["notes"]


def test_slower_searches_fail_where_the_machine_is_the_same_and_quiet(repository):
    repository.measure()
    repository.edit("report.json", slow)
    repository.edit("assay-baselines/pages.json", quiet)

    check, _ = check_times(repository, expect=1)

    assert check["outcome"] == "fail"
    assert check["ci"][0] > 1.25 * check["baseline_ci"][1]


def test_another_environment_is_said_and_fails_only_if_asked_to(repository):
    def another_machine(baseline):
        quiet(baseline)
        baseline["report"]["environment"]["cpu"] = "Another CPU"

    repository.measure()
    repository.edit("report.json", slow)
    repository.edit("assay-baselines/pages.json", another_machine)

    check, notes = check_times(repository)

    assert check["outcome"] == "inconclusive"
    assert "another machine" in check["reason"]
    assert any("Another CPU" in note for note in notes)
    assert check_times(repository, "--strict", expect=3)[0]["outcome"] == "inconclusive"
    assert check_times(repository, "--strict-env", expect=1)[0]["outcome"] == "fail"


def test_a_busy_machine_is_said(repository):
    def while_busy(report):
        slow(report)
        for run in report["runs"]:
            run["latency_ms"]["busy"] = True

    repository.measure()
    repository.edit("report.json", while_busy)
    repository.edit("assay-baselines/pages.json", quiet)

    check, _ = check_times(repository)

    assert check["outcome"] == "inconclusive"
    assert "busy machine" in check["reason"]

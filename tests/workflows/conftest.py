"""A small benchmark that other processes run, every search of which is counted."""

import json
import os
import random
import re
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest
from tests.workflows.counted_run import counting

from assay.benchmarks.conduct import STARTED_AGAIN
from assay.benchmarks.runs.notes import CACHED_VECTORS, RECORDED_EARLIER
from assay.datasets.load import load
from assay.reports.runs.json.json import json as report_json
from assay.workflows.run import run
from assay.workspace.ledger.ledger import open_ledger

COUNTED = Path(__file__).with_name("counted_run.py")
WORDS = ("retry", "request", "pool", "timeout", "index", "query", "vector", "ranking", "document")
WORDS += ("corpus", "grade", "judge", "lease", "fence", "ledger", "tape", "stage", "build", "disk")
SEARCHES = [
    {"name": "words", "search": "lexical", "depth": 50, "top_k": 20},
    {"name": "near", "search": "dense", "model": "static", "depth": 50, "top_k": 20},
    {"name": "both", "model": "static", "fusion": "rrf", "depth": 50, "top_k": 20},
    {"name": "small", "model": "static", "chunk_size": 64, "depth": 50, "top_k": 20},
]
SETTLED = 2.5  # seconds after which an index trusts the times of files: it remembers them then
# What differs between two runs of the same: when, which id, how long, how much memory meanwhile ...
TIMES = re.compile(
    r"id|latency|.*_ms|milliseconds|efficiency|.*seconds|.*_per_second|peak_memory_mb|remembered_.*"
    r"|busy"
)
# ... and what is decided by how long it took.
ON_TIMES = (
    RECORDED_EARLIER,
    CACHED_VECTORS,
    STARTED_AGAIN,
    "processes shared the machine",
)
BY_TIME = ("fastest", "best_balance", "pick", "pick_within_budgets")
LEARNT_OF_TIMES = ("approximate", "load", "latency_across", "pareto")  # of the analysis


def timeless(value):
    """Leave out of a report what depends on when it was made, and on how long that took.

    These are the keys id, latency, ..._ms, milliseconds, efficiency (of a millisecond), ...seconds,
    ..._per_second, peak_memory_mb and remembered_..., the recommendations by latency, the sentence
    on the winner, which tells the cheapest, what the analysis learns of times, and notes on them.
    """
    if isinstance(value, dict):
        gone = (*BY_TIME, "sentence") if "corrected_gain" in value else BY_TIME
        gone = (*gone, *LEARNT_OF_TIMES) if "main_effects" in value else gone
        kept = {key: one for key, one in value.items() if not TIMES.fullmatch(key)}
        return {key: timeless(one) for key, one in kept.items() if key not in gone}
    if isinstance(value, list):
        return [timeless(one) for one in value if not _tells_times(one)]
    return value


def differing(one, other, path=""):
    """List where two reports differ."""
    if isinstance(one, dict) and isinstance(other, dict):
        keys = sorted(one.keys() | other.keys())
        pairs = [(key, one.get(key, "none"), other.get(key, "none")) for key in keys]
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        pairs = [(at, *both) for at, both in enumerate(zip(one, other, strict=True))]
    else:
        return [] if one == other else [(path, one, other)]
    return [found for at, *both in pairs for found in differing(*both, f"{path}/{at}")]


def _tells_times(note):
    return isinstance(note, str) and any(told in note for told in ON_TIMES)


class Counted:
    """A benchmark in a folder, with a workspace and a log of its own."""

    def __init__(self, folder, url=""):
        self.file, self.workspace = folder / "benchmark.json", folder / "assay"
        self.url = url  # of PostgreSQL, in the place of a file
        self.log, self.out = folder / "log", folder / "report.json"
        self.names = {}  # the keys of its queries, by their fingerprints

    def start(self, **options):
        """Run it in another process."""
        given = json.dumps({"workspace": str(self.workspace), **options})
        command = [sys.executable, str(COUNTED), str(self.file), str(self.log), str(self.out)]
        return self._started([*command, given])

    def work(self, job=None):
        """Let a process work on a benchmark of which it knows no more than the id, if that."""
        command = [sys.executable, "-m", "assay", "worker", *([job] if job else [])]
        return self._started([*command, "--workspace", str(self.workspace)])

    def _started(self, command):
        about = {**os.environ, **({"ASSAY_DATABASE_URL": self.url} if self.url else {})}
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        return subprocess.Popen(command, **pipes, env=about, cwd=self.file.parent)

    def report(self):
        """Return the report that the ledger keeps of the newest benchmark."""
        with closing(open_ledger(self.url or self.workspace / "ledger.sqlite")) as ledger:
            return json.loads(ledger.report(ledger.benchmarks()[0].id))

    def run(self, **options):
        """Run it in this process, which is much faster, and return the report."""
        with counting(self.log):
            return report_json(run(self.file, workspace=self.workspace, **options))

    def finish(self, child=None, **options):
        """Run it to its end in another process, and return the report."""
        child = child or self.start(**options)
        _, complaint = child.communicate(timeout=300)
        assert child.returncode == 0, complaint
        return json.loads(self.out.read_text())

    def executed(self, since=0):
        """List the searches that were begun, and the builds: of those only the unit."""
        lines = self.log.read_bytes()[since:].splitlines() if self.log.exists() else []
        return [self._named(json.loads(line)[1:]) for line in lines]

    def _named(self, row):
        """Call a query by its key."""
        return tuple(self.names.get(part, part) if at == 1 else part for at, part in enumerate(row))

    def searches(self, since=0):
        """Count each search that was begun."""
        return Counter(one for one in self.executed(since) if len(one) == 3)

    def at(self):
        """Return where the log ends now."""
        return self.log.stat().st_size if self.log.exists() else 0

    def ask(self, statement):
        """Look into the ledger, or change it."""
        if self.url:
            return self._ask_server(statement)
        path = self.workspace / "ledger.sqlite"
        if not path.exists():
            return []
        with closing(sqlite3.connect(path, timeout=60)) as connection:
            there = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'recorded_once'")
            found = connection.execute(statement).fetchall() if there.fetchone() else []
            connection.commit()
            return found

    def _ask_server(self, statement):
        import psycopg

        with psycopg.connect(self.url.replace("+psycopg", "")) as connection:
            if connection.execute("SELECT to_regclass('workers')").fetchone() == (None,):
                return []
            found = connection.execute(statement)
            return found.fetchall() if found.description else []

    def begun(self):
        """Return the id of the newest benchmark, once there is one."""
        found = self.ask("SELECT id FROM benchmarks ORDER BY number DESC LIMIT 1")
        return found[0][0] if found else ""

    def committed(self):
        """List the searches whose answers are in the ledger."""
        rows = self.ask(
            'SELECT tapes."key", "query", round FROM recorded JOIN tapes'
            " ON tapes.number = recorded.tape"
        )
        return [self._named(row) for row in rows]

    def tapes(self):
        """Map each search to what it found."""
        rows = self.ask(
            'SELECT tapes."key", "query", round, value, recorded.error FROM recorded'
            " JOIN tapes ON tapes.number = recorded.tape"
        )
        found = {self._named(row[:3]): row[3:] for row in rows}
        assert len(found) == len(rows)  # no search is stored twice
        return found

    def times(self):
        """Return the tapes of times: what is found is on others."""
        return {tape for (tape,) in self.ask("SELECT tape FROM units WHERE kind = 'time'")}

    def states(self):
        """Tell how its benchmarks ended, the oldest first."""
        return [state for (state,) in self.ask("SELECT state FROM benchmarks ORDER BY number")]


def _write(folder):
    """Write a corpus and queries over it."""
    draw = random.Random(7)
    (folder / "docs").mkdir(parents=True)
    for number in range(60):
        body = [
            f"def {draw.choice(WORDS)}_{draw.choice(WORDS)}_{turn}(path):\n"
            f'    """{" ".join(draw.choices(WORDS, k=8))}."""\n    return path'
            for turn in range(6)
        ]
        (folder / "docs" / f"f{number}.py").write_text("\n\n".join(body) + "\n")
    queries = [
        {
            "query_key": f"q{number}",
            "query_text": " ".join(draw.sample(WORDS, 4)),
            "relevant_docs": [
                {"doc_ref": {"path": f"f{draw.randrange(60)}.py"}, "relevance_grade": 1 + turn}
                for turn in range(2)
            ],
        }
        for number in range(18)  # of fewer than 20 no clusters are looked for
    ]
    (folder / "queries.json").write_text(json.dumps({"queries": queries}))
    time.sleep(SETTLED)


@pytest.fixture(scope="session")
def counted(tmp_path_factory):
    """Make a benchmark of these searches, in a workspace of its own each time."""
    shared = tmp_path_factory.mktemp("shared")
    _write(shared)
    about = {
        "metrics": ["ndcg@10", "recall@20"],
        "dataset": str(shared / "queries.json"),
        "corpus": str(shared / "docs"),
    }

    def make(searches=SEARCHES, url=""):
        place = Counted(tmp_path_factory.mktemp("counted"), url)
        place.file.write_text(json.dumps({**about, "configurations": searches}))
        queries = load(about["dataset"]).queries
        place.names = {query.fingerprint: query.key for query in queries}
        return place

    return make


@pytest.fixture
def wording(snapshot):
    """Compare a text or an error with the stored one, without ids, dates and these names."""

    def compare(value, **names):
        text = str(value)
        for name, found in names.items():
            text = text.replace(str(found), name)
        text = re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d", "DATE", text)
        snapshot(re.sub(r"\b[0-9a-f]{12,}\b", "ID", text))

    return compare


@pytest.fixture(scope="session")
def without_times():
    """Give what leaves times out of a report."""
    return timeless


@pytest.fixture(scope="session")
def differences():
    """Give what lists where two reports differ."""
    return differing

"""A store with a mapping over a small corpus, and benchmarks for it that workers do."""

import json
import os
import random
import time
from contextlib import closing
from pathlib import Path

from assay.datasets.load import load
from assay.workflows.service.allowed import Allowed
from assay.workflows.service.create_benchmark import create_benchmark
from assay.workspace.ledger.ledger import open_ledger
from assay.workspace.locate import Workspace
from assay.workspace.store.store import open_service_store

__all__ = ["ServiceWork", "write_data"]

ANN = {"author": "ann"}
WORDS = ("retry", "request", "pool", "timeout", "index", "query", "vector", "ranking", "document")
WORDS += ("corpus", "grade", "judge", "lease", "fence", "ledger", "tape", "stage", "build", "disk")
SEARCHES = [
    {"name": "words", "search": "lexical", "depth": 50, "top_k": 20},
    {"name": "near", "search": "dense", "model": "static", "depth": 50, "top_k": 20},
    {"name": "both", "model": "static", "fusion": "rrf", "depth": 50, "top_k": 20},
]
# Searches that take long, take much memory, or end their process; and one that never begins, and
# does not listen to interrupts: so does a library while it builds an index.
STUBBORN_SYSTEM = """
import os, time
from pathlib import Path

Path(__file__).with_name(f"stubborn-{os.getpid()}").touch()
while True:
    try:
        time.sleep(60)
    except BaseException:
        pass
"""
SLOW_SYSTEM = """
import os, signal, time
from pathlib import Path

def slow(query, k):
    time.sleep(0.02)
    return ["d1.md"]

def hungry(query, k):
    kept = [bytearray(b"x" * 2**20) for _ in range(400)]
    time.sleep(60)
    return kept and []

def deadly(query, k):
    os.kill(os.getpid(), signal.SIGKILL)

def leaving(query, k):
    os._exit(0)

def interrupting(query, k):
    raise KeyboardInterrupt

def forking(query, k):
    child = os.fork()
    if child:
        Path(__file__).with_name("forked").write_text(str(child))
        os._exit(1)
    time.sleep(300)

def endless_line(query, k):
    os.write(1, b"x" * 50_000)
    return ["d1.md"]
"""
DOCUMENTS, QUERIES = 60, 18  # of fewer than 20 no clusters are looked for
END_S = 120.0


def write_data(folder):
    """Write a corpus of documents and queries over it, and modules of systems beside it."""
    (folder / "modules").mkdir(parents=True)
    (folder / "modules" / "slow_system.py").write_text(SLOW_SYSTEM)
    (folder / "modules" / "stubborn_system.py").write_text(STUBBORN_SYSTEM)
    draw = random.Random(7)
    (folder / "docs").mkdir()
    for number in range(DOCUMENTS):
        lines = [" ".join(draw.choices(WORDS, k=12)) + "." for _ in range(8)]
        (folder / "docs" / f"d{number}.md").write_text("\n\n".join(lines) + "\n")
    queries = [
        {
            "query_key": f"q{number}",
            "query_text": " ".join(draw.sample(WORDS, 4)),
            "relevant_docs": [
                {"doc_ref": {"path": f"d{at}.md"}, "relevance_grade": 1 + turn}
                for turn, at in enumerate(draw.sample(range(DOCUMENTS), 2))
            ],
        }
        for number in range(QUERIES)
    ]
    (folder / "queries.json").write_text(json.dumps({"queries": queries}))


class ServiceWork:
    """A workspace of a service with a mapping that is resolved, on SQLite or PostgreSQL."""

    def __init__(self, data, workspace, url=""):
        self.data, self.place = data, Workspace(Path(workspace), url)
        self.place.folder.mkdir(parents=True, exist_ok=True)
        with closing(open_service_store(self.place.database)) as store:
            dataset = store.datasets.create(load(str(data / "queries.json")), **ANN)
            corpus = store.corpora.create("docs", {"path": str(data / "docs")}, **ANN)
            self.mapping = store.mappings.create(dataset.id, corpus.id, **ANN).id

    def environment(self, **more):
        """What a process of this workspace is told."""
        url = {"ASSAY_DATABASE_URL": self.place.url} if self.place.url else {}
        about = {"ASSAY_WORKSPACE": str(self.place.folder), "PYTHONPATH": self.modules, **url}
        return {**os.environ, **about, **more}

    def is_stubborn(self, pid):
        """Tell whether a worker has begun with the search that never does."""
        return Path(self.modules, f"stubborn-{pid}").exists()

    @property
    def modules(self):
        """The folder of the modules of systems."""
        return str(self.data / "modules")

    def create(self, name="benchmark", *, allow=(), **request):
        """Create and start a benchmark, as a request does, and return its id."""
        asked = {
            "name": name,
            "mappings": [self.mapping],
            "configurations": SEARCHES,
            "settings": {"untimed": True},
            **request,
        }
        place, allowed = self.place, Allowed([f"corpus={self.data}", *allow])
        with (
            closing(open_service_store(place.database)) as store,
            closing(open_ledger(place.database)) as ledger,
        ):
            about = {"place": place, "store": store, "ledger": ledger, "allowed": allowed}
            id_, _ = create_benchmark(asked, **about, **ANN)
            ledger.start(id_)
        return id_

    def create_slow(self, name="slow", *, function, **request):
        """Create and start a benchmark of a function of one of these modules."""
        system = {"kind": "callable", "function": function}
        return self.create(
            name,
            allow=[f"callable={function}"],
            configurations=[{"name": name, "system": system}],
            **request,
        )

    def ledger(self):
        """Open the ledger."""
        return closing(open_ledger(self.place.database))

    def state(self, id_):
        """Tell the state of a benchmark."""
        with self.ledger() as ledger:
            return ledger.find(id_)

    def wait_for(self, ids, *, seconds=END_S):
        """Wait until benchmarks have ended, and return their states."""
        until = time.monotonic() + seconds
        with self.ledger() as ledger:
            while True:
                found = [ledger.find(one) for one in ids]
                if all(one.finished for one in found):
                    return found
                assert time.monotonic() < until, found
                time.sleep(0.05)

    def wait_until(self, is_so, *, seconds=END_S):
        """Wait until something is so that can be asked of the ledger."""
        until = time.monotonic() + seconds
        with self.ledger() as ledger:
            while not (found := is_so(ledger)):
                assert time.monotonic() < until, "it never came to that"
                time.sleep(0.01)
            return found

    def report(self, id_):
        """Return the report of a benchmark."""
        with self.ledger() as ledger:
            return json.loads(ledger.report(id_))

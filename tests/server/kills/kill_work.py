"""A service with a small benchmark, for tests that kill its processes; some searches are counted.

The benchmark has four configurations. Three are our own; the fourth asks a function that writes
each query to a log before it works on it.
"""

import os
import random
import socket
import subprocess
import sys
import time
from collections import Counter
from contextlib import ExitStack, closing, contextmanager, suppress

from sqlalchemy import text
from tests.server.kills.processes import wait_until
from tests.server.process import STOP_S, running_service
from tests.workflows.conftest import differing, timeless
from tests.workflows.jobs.service_work import QUERIES, SEARCHES, write_data

from assay.corpora.sources.folder import GRAIN
from assay.datasets.load import load
from assay.workspace.ledger.ledger import open_ledger
from assay.workspace.locate import Workspace

__all__ = ["ENDED", "QUERIES", "KillWork", "accepted", "has_ended"]

ENDED = ("completed", "failed", "cancelled", "interrupted")
LEAST_PAGE = 200
COUNTED_SYSTEM = """
import hashlib
import os
import time


def _search(name):
    def search(query, k):
        file = os.open(os.environ["SEARCH_LOG"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        os.write(file, f"{name}\\t{query}\\n".encode())
        os.close(file)
        digest = query.encode()
        for _ in range(ROUNDS):
            digest = hashlib.sha256(digest).digest()
        return list(dict.fromkeys(f"d{one % 60}.md" for one in digest))[:k]
    return search


ROUNDS = 80_000  # some 40 ms
counted = _search("counted")
for _number in range(8):
    globals()[f"counted_{_number}"] = _search(f"counted_{_number}")


def slow(query, k):
    time.sleep(0.1)
    return ["d1.md"]


def hungry(query, k):
    kept = [bytearray(b"x" * 2**20) for _ in range(800)]
    time.sleep(60)
    return kept and []
"""
FUNCTIONS = ("counted", *(f"counted_{number}" for number in range(8)), "slow", "hungry")


class KillWork:
    """Data, a workspace on SQLite or PostgreSQL, and what its ledger holds."""

    def __init__(self, folder, url=""):
        self.data, self.place = folder / "data", Workspace(folder / "workspace", url)
        self.log = folder / "searches.log"
        self.log.touch()
        write_data(self.data)
        (self.data / "modules" / "counted_system.py").write_text(COUNTED_SYSTEM)
        self.mapping = self.token = ""
        self.reference = None
        self.port = free_port()

    @property
    def kind(self):
        """The kind of the database."""
        return "PostgreSQL" if self.place.url else "SQLite"

    @contextmanager
    def service(self, *options, port=None, env=None):
        """Run the service on the same port each time; the token of its first start stays valid."""
        allowed = [f"corpus={self.data}", *(f"callable=counted_system:{one}" for one in FUNCTIONS)]
        words = [word for one in allowed for word in ("--allow", one)]
        words += ["--rate", 1_000_000, "--port", self.port if port is None else port, *options]
        with running_service(self.place.folder, *words, env=self.environment(**env or {})) as one:
            self.token = one.token = self.token or one.token
            yield one

    @contextmanager
    def two_services(self):
        """Run two processes of the service, and three of `assay worker`, on one store."""
        with (
            self.service("--workers", 0) as one,
            self.service("--workers", 0, port=free_port()) as two,
            self.workers(number=3) as workers,
        ):
            yield one, two, workers

    @contextmanager
    def workers(self, *options, number=1):
        """Run processes of `assay worker`, and return them."""
        words = [sys.executable, "-m", "assay", "worker", "--serve"]
        words += ["--workspace", str(self.place.folder), *options]
        about = {**os.environ, **self.environment()}
        with ExitStack() as stack:
            started = []
            for _ in range(number):
                started.append(subprocess.Popen(words, env=about, stderr=subprocess.DEVNULL))
                stack.callback(end, started[-1])
            yield started

    def environment(self, **more):
        """Return what processes of this workspace are given."""
        url = {"ASSAY_DATABASE_URL": self.place.url} if self.place.url else {}
        modules = os.pathsep.join([str(self.data / "modules"), os.environ.get("PYTHONPATH", "")])
        return {"PYTHONPATH": modules, "SEARCH_LOG": str(self.log), **url, **more}

    def fill(self, service):
        """Upload the dataset, and map it onto the corpus."""
        content = (self.data / "queries.json").read_bytes()
        dataset = accepted(service.upload("/api/v1/datasets", content, name="queries.json"))
        corpus = {"name": "docs", "where": {"path": str(self.data / "docs")}}
        corpus = accepted(service.ask("POST", "/api/v1/corpora", corpus))
        about = {"dataset": dataset["id"], "corpus": corpus["id"]}
        self.mapping = accepted(service.ask("POST", "/api/v1/mappings", about))["id"]
        place = f"/api/v1/mappings/{self.mapping}"
        assert service.wait_for(place, lambda one: one["state"] != "pending")["missing"] == 0

    def body(self, name="benchmark", *, function="counted", searches=SEARCHES, **more):
        """Return the request for a benchmark."""
        system = {"kind": "callable", "function": f"counted_system:{function}"}
        configurations = [*searches, {"name": "counted", "system": system}]
        about = {"name": name, "mappings": [self.mapping], "settings": {"untimed": True}}
        return {**about, "configurations": configurations, **more}

    def create(self, service, *, fresh=True, **more):
        """Create a benchmark, by default one that shares no work with others."""
        made = accepted(service.ask("POST", "/api/v1/benchmarks", self.body(**more)))
        if fresh:
            self.separate(made["id"])
        return made["id"]

    def separate(self, id_):
        """Let a benchmark that is not started share no work with others, as `run --fresh` does."""
        with self.ledger() as ledger, ledger._database.writing() as connection:
            statement = text("UPDATE benchmarks SET salt = id WHERE id = :id")
            connection.execute(statement, {"id": id_})

    def start(self, service, id_, **headers):
        """Start a benchmark."""
        accepted(service.ask("POST", f"/api/v1/benchmarks/{id_}/start", headers=headers))

    def finish(self, service, id_):
        """Wait until a benchmark has ended, and return what is told of it."""
        return service.wait_for(f"/api/v1/benchmarks/{id_}", lambda one: one["state"] in ENDED)

    def undisturbed(self, service):
        """Run the benchmark without disturbing it: the others are compared with this one."""
        wait_until(self.settled)  # an index of files that are new has fewer bytes
        id_ = self.create(service)
        self.start(service, id_)
        assert self.finish(service, id_)["state"] == "completed"
        self.reference = id_
        return id_

    def settled(self):
        """Tell whether the documents are old enough for an index to note the state of each file."""
        newest = max(one.stat().st_ctime_ns for one in (self.data / "docs").iterdir())
        return time.time_ns() - newest > GRAIN

    def report(self, service, id_):
        """Return the report of a benchmark, without times."""
        report = accepted(service.ask("GET", f"/api/v1/benchmarks/{id_}/report"))
        report["environment"].pop("git_commit", None)  # somebody may commit meanwhile
        return timeless(report)

    def compare(self, service, id_, *, named="benchmark"):
        """Assert that a benchmark came to what the undisturbed one did, once each."""
        expected, report = (self.report(service, one) for one in (self.reference, id_))
        assert report["benchmark"]["name"] == named
        report["benchmark"]["name"] = expected["benchmark"]["name"]
        differences = differing(expected, report)
        assert not differences, differences
        found = self.outputs(id_)
        assert found == self.outputs(self.reference)
        assert {one["state"] for one in self.units(id_)} == {"completed"}
        rows = self.per_query(service, id_)
        assert rows == self.per_query(service, self.reference)
        assert all(len(some) == QUERIES for some in rows.values())

    def per_query(self, service, id_):
        """Return the scores of each query by run; no query may be listed twice."""
        found = {}
        for run in accepted(service.ask("GET", f"/api/v1/benchmarks/{id_}/runs"))["items"]:
            place = f"/api/v1/benchmarks/{id_}/queries?limit={LEAST_PAGE}&run={run['name']}"
            items = accepted(service.ask("GET", place))["items"]
            keys = [one["query"] for one in items]
            assert len(keys) == len(set(keys))
            found[run["name"]] = [timeless(one) for one in items]
        return found

    def ledger(self):
        """Open the ledger."""
        return closing(open_ledger(self.place.database))

    def units(self, id_):
        """List the units of a benchmark in their order."""
        return self.select(
            "SELECT units.name, units.kind, state, fence FROM steps"
            " JOIN units ON units.key = steps.unit WHERE benchmark = :id ORDER BY place",
            id=id_,
        )

    def outputs(self, id_):
        """Return recorded stage outputs: place and name of a unit, query, round -> output."""
        rows = self.select(
            "SELECT place, units.name, query, round, value, recorded.error FROM steps"
            " JOIN units ON units.key = steps.unit JOIN tapes ON tapes.key = units.tape"
            " JOIN recorded ON recorded.tape = tapes.number WHERE benchmark = :id",
            id=id_,
        )
        found = {
            (row["place"], row["name"], row["query"], row["round"]): (
                None if row["value"] is None else bytes(row["value"]),
                row["error"],
            )
            for row in rows
        }
        assert len(found) == len(rows)  # nothing is stored twice
        return found

    def recorded(self, id_):
        """Return the texts of the queries whose counted search is recorded."""
        texts = {one.fingerprint: one.text for one in load(self.data / "queries.json").queries}
        rows = self.outputs(id_)
        return {texts[query] for _, name, query, _ in rows if name == "search of counted"}

    def select(self, statement, **values):
        """Ask the ledger."""
        with self.ledger() as ledger, ledger._database.reading() as connection:
            return [dict(row) for row in connection.execute(text(statement), values).mappings()]

    def progress(self, id_):
        """Tell what a benchmark is at: start, builds, searches, report; "" if it has ended."""
        (row,) = self.select("SELECT state FROM benchmarks WHERE id = :id", id=id_)
        if row["state"] in ENDED:
            return ""
        units = self.units(id_)
        open_ = {one["kind"] for one in units if one["state"] != "completed"}
        if not units or {one["state"] for one in units} == {"pending"}:
            return "start"
        return "builds" if "build" in open_ else "searches" if open_ - {"report"} else "report"

    def workers_of(self, id_):
        """Return the processes that are noted to work on a benchmark."""
        rows = self.select("SELECT name FROM workers WHERE benchmark = :id", id=id_)
        return [int(row["name"].split("/")[1]) for row in rows]

    def searched(self, since=0):
        """Count the searches in the log, by the name of the function and the query."""
        lines = self.log.read_bytes()[since:].decode().splitlines()
        return Counter(tuple(line.split("\t")) for line in lines)

    def logged(self):
        """Return where the log ends."""
        return self.log.stat().st_size


def accepted(answer):
    """Return what was answered to a request that succeeded."""
    status, _, body = answer
    assert status in (200, 201, 202), (status, body)
    return body


def has_ended(service, id_):
    """Tell whether a benchmark has ended."""
    return accepted(service.ask("GET", f"/api/v1/benchmarks/{id_}"))["state"] in ENDED


def end(process):
    """Stop a process."""
    process.terminate()
    try:
        process.wait(STOP_S)
    finally:
        process.kill()
        process.wait()


def free_port():
    """Find a port that nobody listens on, below those that the system gives to connections."""
    for port in random.SystemRandom().sample(range(20_000, 32_000), 100):
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
    raise AssertionError("no free port")

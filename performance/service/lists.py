"""The list of 10,000 benchmarks, beside bare FastAPI handlers that return the same bytes."""

import http.client
import json
import sqlite3
import time
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from statistics import quantiles

from assay.records.work import Unit
from assay.workspace.ledger.ledger import open_ledger
from performance.service.figures import Figure
from performance.service.server import Served, serving, serving_assay

__all__ = ["Timings", "fill", "lists", "measure_lists"]

BENCHMARKS, RUNS, UNITS = 10_000, 16, 24
REPORTS, REPORT_BYTES = 200, 1_000_000  # the newest ones have the report of a large benchmark
REQUESTS, TURNS, FIRST = 100, 5, 5
PATH = "/api/v1/benchmarks"
PATHS = {
    "first page": PATH,
    "failed ones": f"{PATH}?state=failed",
    "by name": f"{PATH}?contains=99",
    "failed ones by name": f"{PATH}?state=failed&contains=99",
    "a name that none has": f"{PATH}?contains=zzz",
    "first page of 200": f"{PATH}?limit=200",
}
P95_TARGET_MS = 50.0


@dataclass(slots=True)
class Timings:
    """Times of requests in milliseconds, and the CPU time of the server for all of them."""

    taken_ms: list[float] = field(default_factory=list)
    cpu_s: float = 0.0

    @property
    def p50(self) -> float:
        """The median."""
        return quantiles(self.taken_ms, n=100)[49]

    @property
    def p95(self) -> float:
        """The 95th percentile."""
        return quantiles(self.taken_ms, n=100)[94]

    @property
    def cpu_ms(self) -> float:
        """CPU time per request."""
        return self.cpu_s * 1000 / len(self.taken_ms)


def lists(folder: Path, *, number: int = BENCHMARKS) -> list[Figure]:
    """Measure each page beside its bare handler."""
    figures = []
    for name, (ours, bare) in measure_lists(folder, number=number).items():
        figures += [
            Figure(f"{name}, p50", ours.p50, "ms"),
            Figure(f"{name}, p95", ours.p95, "ms", P95_TARGET_MS),
            Figure(f"{name}, p95 of a bare handler", bare.p95, "ms"),
            Figure(f"{name}, ratio of p95", ours.p95 / bare.p95, "x"),
            Figure(f"{name}, ratio of CPU time", ours.cpu_ms / max(bare.cpu_ms, 1e-9), "x"),
        ]
    return figures


def measure_lists(
    folder: Path, *, number: int, requests: int = REQUESTS, turns: int = TURNS
) -> dict[str, tuple[Timings, Timings]]:
    """Ask both in turns, on connections that stay open; returns ours and the bare handler's."""
    workspace, constants = folder / "lists", folder / "constants.json"
    workspace.mkdir(parents=True)
    fill(workspace / "ledger.sqlite", number)
    with serving_assay(workspace) as ours:
        middle, last = _cursors(ours, number)
        paths = {
            **PATHS,
            "middle page": f"{PATH}?cursor={middle}",
            "last page": f"{PATH}?cursor={last}",
        }
        told = {f"/{at}": ours.ask("GET", path) for at, path in enumerate(paths.values())}
        constants.write_text(json.dumps(told), encoding="utf-8")
        found = {name: (Timings(), Timings()) for name in paths}
        with serving(["-m", "performance.service.bare", str(constants)]) as bare:
            for _ in range(turns):
                for at, (name, path) in enumerate(paths.items()):
                    size = _ask(bare, f"/{at}", requests, found[name][1])
                    if _ask(ours, path, requests, found[name][0]) != size:
                        raise SystemExit(f"{path}: the bare handler returns other bytes")
    return found


def fill(database: Path, number: int) -> None:
    """Store one benchmark as the service does, and copies of its rows; one in ten has failed."""
    names = [f"run {run}" for run in range(RUNS)]
    units = [Unit(f"unit {unit}", "stage", f"stage {unit}", total=100) for unit in range(UNITS)]
    with closing(open_ledger(database)) as ledger:
        id_, _ = ledger.create(name="benchmark", about={}, runs=names, job={"a": 1}, author="Ada")
        ledger.start(id_)
        keys = [unit.key for unit in units]
        ledger.prepare(id_, units, uses={name: keys for name in names})
        ledger.finish(id_, "completed", report=b"{}")
    with closing(sqlite3.connect(database)) as connection:
        _copy(connection, "benchmarks", number, {"id": "id || n", "name": "name || ' ' || n"})
        _copy(connection, "runs", number, {"benchmark": "benchmark || n"})
        _copy(connection, "units", number, {"key": "key || '/' || n"})
        _copy(
            connection, "steps", number, {"benchmark": "benchmark || n", "unit": "unit || '/' || n"}
        )
        newest = "number > (SELECT max(number) FROM benchmarks) - ?"
        change = f"UPDATE benchmarks SET report = zeroblob(?) WHERE {newest}"  # noqa: S608
        connection.execute(change, (REPORT_BYTES, REPORTS))
        states = "CASE WHEN number % 10 = 0 THEN 'failed' ELSE 'completed' END"
        connection.execute(f"UPDATE benchmarks SET folded = name, state = {states}")  # noqa: S608
        connection.commit()


def _copy(
    connection: sqlite3.Connection, table: str, number: int, changed: Mapping[str, str]
) -> None:
    """Repeat the rows of a table with other names; ``n`` counts the copies."""
    columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
    columns = [one for one in columns if one != "number"]
    values = ", ".join(changed.get(one, f'"{one}"') for one in columns)
    names = ", ".join(f'"{one}"' for one in columns)
    connection.execute(
        f"""WITH RECURSIVE count (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM count WHERE n < ?)
        INSERT INTO {table} ({names}) SELECT {values} FROM count, {table} ORDER BY n""",  # noqa: S608
        (number - 1,),
    )


def _cursors(served: Served, number: int) -> tuple[str, str]:
    """Return the cursors of a page in the middle of the list, and of its last 50 items."""
    middle = last = cursor = ""
    for seen in range(0, number - 50, 50):
        if seen * 2 <= number:
            middle = cursor
        last, cursor = cursor, served.ask("GET", f"{PATH}?limit=50&cursor={cursor}")["next"]
    return middle, cursor or last


def _ask(served: Served, path: str, requests: int, timings: Timings) -> int:
    """Send requests one after another, and return the size of an answer."""
    connection = http.client.HTTPConnection(served.place, timeout=60)
    size, before = 0, 0.0
    for number in range(FIRST + requests):
        if number == FIRST:
            before = served.cpu_s()
        began = time.perf_counter()
        connection.request("GET", path, headers=served.headers)
        answer = connection.getresponse()
        content = answer.read()
        if number >= FIRST:
            timings.taken_ms.append((time.perf_counter() - began) * 1000)
        if answer.status != 200:
            raise SystemExit(f"{path}: {answer.status} {content.decode()}")
        size = len(content)
    timings.cpu_s += served.cpu_s() - before
    connection.close()
    return size

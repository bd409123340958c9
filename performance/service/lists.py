"""The list of 10,000 benchmarks, beside a bare FastAPI handler that returns the same list."""

import http.client
import json
import sqlite3
import time
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from statistics import quantiles

from assay.records.work import Unit
from assay.workspace.ledger.ledger import open_ledger
from performance.service.server import Served, serving

__all__ = ["fill", "lists"]

BENCHMARKS, RUNS, UNITS = 10_000, 16, 24
REPORTS, REPORT_BYTES = 200, 100_000  # the newest ones have a report of a usual size
REQUESTS, TURNS = 100, 5
PATHS = {
    "first page": "/api/v1/benchmarks",
    "of a state": "/api/v1/benchmarks?state=completed",
    "by name": "/api/v1/benchmarks?contains=99",
    "200 items": "/api/v1/benchmarks?limit=200",
}


def lists(folder: Path, *, number: int = BENCHMARKS, requests: int = REQUESTS) -> dict[str, float]:
    """Measure both in turns, on connections that stay open; times are in milliseconds."""
    place = folder / "lists"
    place.mkdir(parents=True)
    fill(place / "ledger.sqlite", number)
    options = ["--port", "0", "--workers", "0", "--rate", "1000000", "--workspace", str(place)]
    found: dict[str, float] = {}
    with serving(["-m", "assay", "serve", *options]) as ours:
        constant = folder / "constant.json"
        constant.write_text(json.dumps(ours.ask("GET", PATHS["first page"])), encoding="utf-8")
        paths = PATHS | {"far page": f"{PATHS['first page']}?cursor={_far(ours, number)}"}
        with serving(["-m", "performance.service.bare", str(constant)]) as bare:
            times: dict[str, list[float]] = {name: [] for name in ("bare handler", *paths)}
            for _ in range(TURNS):
                times["bare handler"] += _timed(bare.place, "/", {}, requests)
                for name, path in paths.items():
                    times[name] += _timed(ours.place, path, ours.headers, requests)
    for name, taken in times.items():
        cuts = quantiles(taken, n=100)
        found |= {f"{name}, p50 ms": cuts[49], f"{name}, p95 ms": cuts[94]}
    ratio = found["first page, p95 ms"] / found["bare handler, p95 ms"]
    return {"benchmarks": number, **found, "first page / bare handler, p95": ratio}


def fill(database: Path, number: int) -> None:
    """Store one benchmark as the service does, and copies of its rows."""
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
        connection.execute("UPDATE benchmarks SET folded = name, state = 'completed'")
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


def _far(served: Served, number: int) -> str:
    """Return the cursor of a page in the middle of the list."""
    cursor = ""
    for _ in range(number // 400):
        page = served.ask("GET", f"/api/v1/benchmarks?limit=200&cursor={cursor}")
        cursor = page["next"]
    return cursor


def _timed(place: str, path: str, headers: Mapping[str, str], requests: int) -> list[float]:
    """Return how long each request took, without the first ones."""
    connection, taken = http.client.HTTPConnection(place, timeout=60), []
    for number in range(requests + 5):
        began = time.perf_counter()
        connection.request("GET", path, headers=dict(headers))
        answer = connection.getresponse()
        content = answer.read()
        if number >= 5:
            taken.append((time.perf_counter() - began) * 1000)
        if answer.status != 200:
            raise SystemExit(f"{path}: {answer.status} {content.decode()}")
    connection.close()
    return taken

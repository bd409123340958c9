"""Benchmarks of a service."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any
from uuid import uuid4

from assay.client.connection import Connection, item_path
from assay.client.decode import decode
from assay.client.watch import watch
from assay.records.service import BenchmarkProgress, BenchmarkStatus, RunProgress

__all__ = ["BenchmarkVerbs"]

PLACE = "benchmarks"


class BenchmarkVerbs:
    """Create, start, watch and read benchmarks."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def create(self, benchmark: Mapping[str, Any], *, key: str = "") -> BenchmarkStatus:
        """Check a benchmark and create it, pending; all of its problems are raised at once.

        It has the keys of a benchmark file, with ``mappings`` in place of a dataset and a corpus.
        The same ``key`` creates it once, however often it is sent.
        """
        path = f"/{PLACE}"
        made = self._connection.send("POST", path, dict(benchmark), key=key or uuid4().hex)
        return decode(BenchmarkStatus, made)

    def plan(self, benchmark: Mapping[str, Any]) -> dict[str, Any]:
        """Return the runs that a benchmark would have, without creating it."""
        found: dict[str, Any] = self._connection.send("POST", "/plans", dict(benchmark))
        return found

    def list(
        self, *, contains: str = "", state: str = "", deleted: bool = False
    ) -> Iterator[BenchmarkStatus]:
        """List benchmarks, the newest first."""
        asked = {"contains": contains, "state": state, "deleted": deleted}
        return self._connection.pages(f"/{PLACE}", BenchmarkStatus, **asked)

    def get(self, benchmark: str) -> BenchmarkStatus:
        """Return how far a benchmark is."""
        return decode(BenchmarkStatus, self._connection.get(item_path(PLACE, benchmark)))

    def mappings(self, benchmark: str) -> tuple[dict[str, Any], ...]:
        """Return the mappings of a benchmark: ``mapping``, ``dataset``, ``version``, ``corpus``.

        There are none of one that was not started by the service.
        """
        definition = self._connection.get(item_path(PLACE, benchmark)).get("definition") or {}
        return tuple(definition.get("mappings") or ())

    def runs(self, benchmark: str) -> tuple[RunProgress, ...]:
        """Return how far each run of a benchmark is."""
        found = self._connection.get(item_path(PLACE, benchmark, "runs"))
        return tuple(decode(RunProgress, one) for one in found["items"])

    def start(self, benchmark: str, *, key: str = "") -> BenchmarkStatus:
        """Let workers begin; ConflictError if it was started with another ``key`` before."""
        path = item_path(PLACE, benchmark, "start")
        return decode(BenchmarkStatus, self._connection.send("POST", path, key=key or uuid4().hex))

    def cancel(self, benchmark: str) -> BenchmarkStatus:
        """Stop a benchmark; what was recorded is kept."""
        return self._act(benchmark, "cancel")

    def resume(self, benchmark: str) -> BenchmarkStatus:
        """Continue a benchmark that was cancelled or interrupted, or has failed."""
        return self._act(benchmark, "resume")

    def retry(self, benchmark: str) -> int:
        """Run again what failed, and return how much that is."""
        found = self._connection.send("POST", item_path(PLACE, benchmark, "retry"))
        return int(found["retried"])

    def delete(self, benchmark: str, *, revision: int | None = None) -> None:
        """Mark a benchmark as deleted, unless it is running."""
        self._connection.send("DELETE", item_path(PLACE, benchmark), revision=revision)

    def undelete(self, benchmark: str) -> BenchmarkStatus:
        """Bring a deleted benchmark back."""
        return self._act(benchmark, "undelete")

    def watch(
        self, benchmark: str, *, timeout_s: float | None = None
    ) -> Iterator[BenchmarkProgress]:
        """Yield how far a benchmark is whenever that changes, until it has ended."""
        return watch(self._connection, PLACE, benchmark, timeout_s=timeout_s)

    def wait(
        self,
        benchmark: str,
        *,
        progress: Callable[[BenchmarkProgress], object] | None = None,
        timeout_s: float | None = None,
    ) -> BenchmarkStatus:
        """Wait until a benchmark has ended; ``progress`` is called with each change."""
        for state in self.watch(benchmark, timeout_s=timeout_s):
            if progress is not None:
                progress(state)
        return self.get(benchmark)

    def report(
        self,
        benchmark: str,
        *,
        format: str = "",  # noqa: A002
        table: str = "",
    ) -> bytes:
        """Return the report as a file: JSON, or another format such as html, md or csv.

        ``table`` selects the table of a csv, tex or parquet file: scores or queries.
        """
        asked = {"format": format, "table": table}
        return self._connection.ask("GET", _report_path(benchmark, "report"), query=asked).content

    def chart(self, benchmark: str, chart: str, *, run: str = "") -> bytes:
        """Return a chart as SVG; ``run`` selects the run of a chart that is about one."""
        path = item_path(PLACE, benchmark, "charts", chart)
        return self._connection.ask("GET", path, query={"run": run}).content

    def rankings(self, benchmark: str, run: str) -> bytes:
        """Return a run as a run file: TREC, or JSON if an id contains a space."""
        path = _report_path(benchmark, "rankings")
        return self._connection.ask("GET", path, query={"run": run}).content

    def results(self, benchmark: str) -> dict[str, Any]:
        """Return the report without single queries."""
        found: dict[str, Any] = self._connection.get(_report_path(benchmark, "results"))
        return found

    def query_results(
        self, benchmark: str, run: str, *, failed: bool = False
    ) -> Iterator[dict[str, Any]]:
        """List the queries of a run: scores, documents with grades, latency, error."""
        path = _report_path(benchmark, "queries")
        return self._connection.every(path, dict, run=run, failed=failed)

    def _act(self, benchmark: str, act: str) -> BenchmarkStatus:
        return decode(
            BenchmarkStatus, self._connection.send("POST", item_path(PLACE, benchmark, act))
        )


def _report_path(benchmark: str, part: str) -> str:
    return item_path(PLACE, benchmark, part)

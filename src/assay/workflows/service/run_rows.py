"""The queries of a run of a stored report, read once for all pages of their list."""

import json
import threading
from array import array
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from assay.errors import NotFoundError
from assay.records.pages import check_limit, make_page, read_cursor
from assay.records.service import Page
from assay.text.join_list import first_named
from assay.text.quote import quote_value
from assay.workspace.recent_values import RecentValues

__all__ = ["RecentRows", "RunRows", "read_rows"]

CURSOR = "results"
MOST_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class RunRows:
    """The queries of a run as JSON in ASCII, one after the other, and where each of them ends.

    ``failed`` has the numbers of those that failed. The length is what it takes in bytes.
    """

    content: bytes
    ends: "array[int]"
    failed: "array[int]"

    def __len__(self) -> int:
        """Return the number of bytes."""
        return sum(len(one) * one.itemsize for one in (self.ends, self.failed)) + len(self.content)

    def page(self, *, limit: int, cursor: str = "", failed: bool = False) -> Page[bytes]:
        """List the queries in their order, or only those that failed."""
        most, after = check_limit(limit), read_cursor(cursor, CURSOR, first=-1)
        numbers = self.failed if failed else range(len(self.ends))
        rows = [_Row(number, at) for at, number in enumerate(numbers)][after + 1 : after + 1 + most]
        return make_page(rows, limit, CURSOR, lambda row: self._row(row.number), at="place")

    def _row(self, number: int) -> bytes:
        begin = self.ends[number - 1] if number else 0
        return self.content[begin : self.ends[number]]


@dataclass(frozen=True, slots=True)
class _Row:
    """The number of a query among all, and its place in the list that is paged through."""

    number: int
    place: int


class RecentRows:
    """The rows of runs that were asked for last, up to a number of bytes; for all threads."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._rows: RecentValues[Hashable, RunRows] = RecentValues(most_bytes)
        self._lock = threading.Lock()

    def get(self, key: Hashable) -> RunRows | None:
        """Return the rows of a run, if they are here."""
        with self._lock:
            return self._rows.get_many([key]).get(key)

    def put(self, key: Hashable, rows: RunRows) -> None:
        """Take in the rows of a run; those that were not used for longest make room."""
        with self._lock:
            self._rows.put_many({key: rows})


def read_rows(content: bytes, run: str) -> RunRows:
    """Write the queries of a run of a report, which is JSON; NotFoundError without such a run."""
    report = json.loads(content)
    found = next((one for one in report["runs"] if run in (one["name"], *one["aliases"])), None)
    if found is None:
        names = [one["name"] for one in report["runs"]]
        hint = f"available: {first_named(names, 5)}"
        raise NotFoundError(f"unknown run {quote_value(run)}", where="run", hint=hint)
    scored, failed = found["per_query"], found["failed"]
    keys = [*scored, *(key for key in failed if key not in scored)]
    written, ends = bytearray(), array("q")
    for row in _encoded(keys, found, report.get("queries") or {}):
        written += row
        ends.append(len(written))
    numbers = {key: number for number, key in enumerate(keys)}
    return RunRows(bytes(written), ends, array("q", (numbers[key] for key in failed)))


def _encoded(
    keys: list[str], run: Mapping[str, Any], queries: Mapping[str, Any]
) -> Iterator[bytes]:
    encoder = json.JSONEncoder(separators=(",", ":"), allow_nan=False)  # in ASCII: see json_answer
    for key in keys:
        yield encoder.encode(_query(key, run, queries)).encode("ascii")


def _query(key: str, run: Mapping[str, Any], queries: Mapping[str, Any]) -> dict[str, Any]:
    about = queries.get(key) or {}
    ranking = (run.get("rankings") or {}).get(key, [])
    scores = (run.get("ranking_scores") or {}).get(key) or [None] * len(ranking)
    judged = about.get("judged") or {}
    return {
        "query": key,
        "text": about.get("text", ""),
        "scores": run["per_query"].get(key, {}),
        "latency_ms": ((run.get("latency_ms") or {}).get("queries") or {}).get(key),
        "error": run["failed"].get(key),
        "results": [
            {"document": document, "score": score, "grade": judged.get(document)}
            for document, score in zip(ranking, scores, strict=False)
        ],
    }

"""A service, as a Python program uses it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from assay.client.benchmarks import BenchmarkVerbs
from assay.client.connection import Connection, item_path
from assay.client.corpora import CorpusVerbs
from assay.client.datasets import DatasetVerbs
from assay.client.jobs import JobVerbs
from assay.client.judgments import JudgmentVerbs
from assay.client.mappings import MappingVerbs
from assay.client.tokens import TokenVerbs
from assay.records.service import AuditEntry

__all__ = ["Client"]

Side = str | Mapping[str, Any]
"""A benchmark by its id, or a run of it, or a report."""


class Client:
    """The service at a URL, asked with a token: the argument, or ASSAY_TOKEN.

    The URL may be the start link that `assay serve` prints. Each request ends after ``timeout_s``;
    those that can be repeated are sent again for up to ``patience_s`` while the service is busy or
    restarts. Errors of the service are raised as the same errors of `assay.errors`.
    """

    def __init__(
        self, url: str, *, token: str | None = None, timeout_s: float = 60, patience_s: float = 30
    ) -> None:
        self._connection = Connection(url, token=token, timeout_s=timeout_s, patience_s=patience_s)
        self.datasets = DatasetVerbs(self._connection)
        self.corpora = CorpusVerbs(self._connection)
        self.mappings = MappingVerbs(self._connection)
        self.benchmarks = BenchmarkVerbs(self._connection)
        self.judgments = JudgmentVerbs(self._connection)
        self.jobs = JobVerbs(self._connection)
        self.tokens = TokenVerbs(self._connection)

    @property
    def url(self) -> str:
        """The address of the service, without a token."""
        return self._connection.base

    def compare(
        self,
        baseline: Side,
        candidates: Sequence[Side],
        **options: Any,  # noqa: ANN401
    ) -> dict[str, Any]:
        """Compare runs or whole reports, each an id or ``{"benchmark": ID, "run": NAME}``.

        A report of a file is ``{"report": CONTENT}``. Options are ``primary``, ``margin``,
        ``alpha``, ``flips`` and ``seed``.
        """
        body = {"baseline": _side(baseline), "candidates": [_side(one) for one in candidates]}
        found: dict[str, Any] = self._connection.send("POST", "/comparisons", {**body, **options})
        return found

    def gate(self, baseline: Side | None, current: Side, **options: Any) -> dict[str, Any]:  # noqa: ANN401
        """Check whether a report is worse than another one by more than is allowed.

        Both are an id, ``{"benchmark": ID, "run": NAME}`` or ``{"report": CONTENT}``. Options are
        ``allow``, ``min``, ``max``, ``preset`` and others, as of `assay.gate`; where all of them
        are limits, ``baseline`` may be None.
        """
        before = None if baseline is None else _side(baseline)
        body = {"baseline": before, "current": _side(current), **options}
        found: dict[str, Any] = self._connection.send("POST", "/gate", body)
        return found

    def search(self, query: str, **options: Any) -> dict[str, Any]:  # noqa: ANN401
        """Search a ``corpus`` or ``mapping`` with a ``configuration``; returns also the receipt."""
        found: dict[str, Any] = self._connection.send(
            "POST", "/search", {"query": query, **options}
        )
        return found

    def members(self, kind: str) -> dict[str, str]:
        """List metrics, suites, models or another kind of `assay list`: names and what they are."""
        found = self._connection.get(item_path("lists", kind))["items"]
        return {one["name"]: one["summary"] for one in found}

    def audit(self, *, kind: str = "", object: str = "", author: str = "") -> Iterator[AuditEntry]:  # noqa: A002
        """List who did what to which object, the newest first; for administrators."""
        asked = {"kind": kind, "object": object, "author": author}
        return self._connection.pages("/audit", AuditEntry, **asked)

    def health(self) -> dict[str, Any]:
        """Return the state of the service: its version, database, workers and disk."""
        found: dict[str, Any] = self._connection.get("/health")
        return found

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _side(given: Side) -> dict[str, Any]:
    return {"benchmark": given} if isinstance(given, str) else dict(given)

"""A service, as a Python program uses it."""

from collections.abc import Mapping, Sequence
from typing import Any

from assay.client.benchmarks import BenchmarkVerbs
from assay.client.connection import Connection, item_path
from assay.client.corpora import CorpusVerbs
from assay.client.datasets import DatasetVerbs
from assay.client.decode import decode
from assay.client.judgments import JudgmentVerbs
from assay.client.mappings import MappingVerbs
from assay.records.service import JobStatus

__all__ = ["Client"]


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

    @property
    def url(self) -> str:
        """The address of the service, without a token."""
        return self._connection.base

    def compare(
        self,
        baseline: Mapping[str, str],
        candidates: Sequence[Mapping[str, str]],
        **options: Any,  # noqa: ANN401
    ) -> dict[str, Any]:
        """Compare runs of benchmarks, each ``{"benchmark": ID, "run": NAME}``."""
        body = {"baseline": dict(baseline), "candidates": [dict(one) for one in candidates]}
        found: dict[str, Any] = self._connection.send("POST", "/comparisons", {**body, **options})
        return found

    def gate(self, baseline: str, current: str, **options: Any) -> dict[str, Any]:  # noqa: ANN401
        """Check whether a benchmark is worse than another one by more than is allowed.

        Options are ``allow``, ``min``, ``max``, ``preset`` and others, as of `assay.gate`.
        """
        body = {"baseline": baseline, "current": current, **options}
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

    def job(self, job: str) -> JobStatus:
        """Return how far a job in the background is."""
        return decode(JobStatus, self._connection.get(item_path("jobs", job)))

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

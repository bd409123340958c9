"""Measurements of the service for Prometheus: its requests, and what is open in its ledger."""

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.registry import Collector
from starlette.types import ASGIApp, Message, Receive, Scope, Send

if TYPE_CHECKING:
    from prometheus_client.metrics_core import Metric

    from assay.server.state import Service

__all__ = ["CONTENT_TYPE_LATEST", "MeasureRequests", "ServiceMetrics"]

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
BOUNDS_S = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
OTHER = "other"  # what no route takes: its path is whatever somebody typed


class ServiceMetrics:
    """A registry of its own for each application, so that several in a process do not mix."""

    def __init__(self, service: "Service") -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "assay_requests",
            "Requests that reached a route.",
            ("method", "route", "status"),
            registry=self._registry,
        )
        self._seconds = Histogram(
            "assay_request_seconds",
            "Time to the end of an answer.",
            ("method", "route"),
            buckets=BOUNDS_S,
            registry=self._registry,
        )
        ProcessCollector(registry=self._registry)
        self._registry.register(_Vitals(service))

    def note(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request."""
        known = method if method in METHODS else OTHER
        self._requests.labels(known, route, str(status)).inc()
        self._seconds.labels(known, route).observe(seconds)

    def text(self) -> bytes:
        """Write all measurements as Prometheus reads them."""
        return generate_latest(self._registry)


class _Vitals(Collector):
    """Reads the ledger whenever somebody asks."""

    def __init__(self, service: "Service") -> None:
        self._service = service

    def describe(self) -> "Iterator[Metric]":
        """Name nothing: the ledger is not to be read when the registry is made."""
        return iter(())

    def collect(self) -> "Iterator[Metric]":
        """Tell what is open, and who works on it."""
        from assay.workflows.service.vitals import read_vitals

        found = read_vitals(self._service.ledger, self._service.place)
        for name, states in (("benchmarks", found.benchmarks), ("jobs", found.jobs)):
            family = GaugeMetricFamily(f"assay_{name}", f"Stored {name}.", labels=("state",))
            for state, count in states.items():
                family.add_metric((state,), count)
            yield family
        yield GaugeMetricFamily("assay_workers", "Workers that work now.", found.workers)
        help_ = "For how long the oldest work has had no worker."
        yield GaugeMetricFamily("assay_waiting_seconds", help_, found.waiting_s)
        yield GaugeMetricFamily("assay_disk_free_bytes", "Free disk.", found.disk_free_bytes)


class MeasureRequests:
    """Middleware that counts requests by the template of their route, never by their path."""

    def __init__(self, app: ASGIApp, metrics: ServiceMetrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and note what became of it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        status, began = 500, time.perf_counter()

        async def watched(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, watched)
        finally:
            route = getattr(scope.get("route"), "path", OTHER)
            self._metrics.note(scope["method"], route, status, time.perf_counter() - began)

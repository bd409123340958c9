"""What a benchmark of a service is made of: its runs, mappings and settings."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from assay.benchmarks.file.matrix import distinct
from assay.benchmarks.work.job import BenchmarkJob
from assay.records import Benchmark
from assay.searches.configuration.configuration import describe
from assay.workspace.ledger.ledger import Ledger

__all__ = ["describe_plan", "describe_stored"]

PINNED = ("mapping", "name", "dataset", "version", "corpus")


def describe_plan(benchmark: Benchmark, pins: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Describe what a request is for: its runs, each with the cells that come to the same."""
    runs = [
        {"name": one.name, "aliases": [*aliases], "configuration": describe(one)}
        for one, aliases in distinct(benchmark.configurations)
    ]
    cells = benchmark.cells or len(benchmark.configurations)
    return {
        "name": benchmark.name,
        "description": benchmark.description,
        "mappings": [{key: pin[key] for key in PINNED} for pin in pins],
        "metrics": [*benchmark.metrics],
        "primary": benchmark.primary,
        "baseline": benchmark.baseline,
        "cells": cells,
        "merged": max(0, cells - len(runs)),
        "notes": [*benchmark.merged],
        "runs": runs,
    }


def describe_stored(ledger: Ledger, benchmark: str) -> dict[str, Any] | None:
    """Describe what a benchmark of the ledger is made of; None where its job was not stored."""
    stored = ledger.job(benchmark)
    if not stored.content:
        return None
    job = BenchmarkJob.from_json(stored.content, where=benchmark)
    plan = describe_plan(job.benchmark, job.mappings)
    return {**plan, "settings": {**asdict(job.settings), "fresh": bool(stored.salt)}}

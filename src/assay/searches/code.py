"""A name of all that decides what stages find besides data and settings: programs and machine."""

import os
import platform
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.metadata import EntryPoint, distributions
from importlib.util import find_spec
from pathlib import Path

import assay
from assay.searches.environment import environment

__all__ = ["code"]

ROOMS = (
    *("benchmarks", "columns", "corpora", "engines", "http", "index_health", "judging", "models"),
    *("records", "searches", "workspace"),
)


@cache
def code() -> str:
    """Change whenever another version could find something else, or take another time for it.

    Tapes are used again only where it is the same: our own source, the libraries that search, and
    the machine, for what is on a tape was also timed.
    """
    around = environment(seed=0, fingerprints={})
    machine = [str(around[key]) for key in ("platform", "cores", "memory_mb", "cpu", "packages")]
    told = [assay.__version__, platform.python_version(), *machine, *_installed(), *_threads()]
    digest = sha256("\n".join(told).encode())
    for path in _sources(Path(assay.__file__).parent):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _sources(home: Path) -> Iterator[Path]:
    for room in ROOMS:
        yield from sorted((home / room).rglob("*.py"))


def _installed() -> Iterator[str]:
    """Name the grammars that cut code into chunks, and the plugins of others, with versions."""
    for one in sorted(distributions(), key=lambda one: str(one.name)):
        plugins = [entry for entry in one.entry_points if entry.group.startswith("assay.")]
        if plugins or str(one.name).startswith("tree-sitter"):
            yield f"{one.name} {one.version}"
        yield from map(_content, plugins)


def _threads() -> Iterator[str]:
    """Name what is said about threads: latencies depend on it."""
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        yield f"{name} {os.environ.get(name, '')}"


def _content(plugin: EntryPoint) -> str:
    """Hash the module of a plugin: who writes one changes it without a new version."""
    found = find_spec(plugin.module.partition(".")[0])
    place = Path(found.origin) if found and found.origin else None
    if place is None or not place.is_file():
        return plugin.value
    files = sorted(place.parent.rglob("*.py")) if place.name == "__init__.py" else [place]
    return sha256(b"".join(file.read_bytes() for file in files)).hexdigest()

"""The options of the plugin: ``--assay-search-*`` in a command, ``assay_search_*`` in a file."""

import re
from pathlib import Path

import pytest

__all__ = [
    "WORKERS",
    "add_options",
    "header",
    "is_benchmark_file",
    "is_strict",
    "unmatched_patterns",
]

WORKERS = "assay_search_folder"  # the input of a pytest-xdist worker: where reports are shared
SUFFIXES = (".yaml", ".yml", ".json")
USUAL = ("assay.yaml", "assay.yml")  # `assay init` writes the first
HEAD = 1 << 16  # characters of a file that is looked at
DATASET = re.compile(r"^[\"']?datasets?[\"']?\s*:", re.MULTILINE)
REPEATED = {
    "allow": ("FIGURE:AMOUNT", "how much worse than the baseline a figure may be: ndcg@10:5%%"),
    "min": ("FIGURE:VALUE", "smallest value of a figure: mrr@10:0.6"),
    "max": ("FIGURE:VALUE", "largest value of a figure: latency_p95_ms:100"),
    "preset": ("NAME", "checks by name, see `assay list presets`"),
    "report": ("REPORT", "use this report of `assay run -o` and do not run its benchmark"),
}


def add_options(parser: pytest.Parser) -> None:
    """Register them; what is given for a session replaces what a baseline has stored."""
    group = parser.getgroup("assay-search", "assay-search: gates on search quality as tests")
    collected = "collect assay.yaml, or the files of the ini option assay_search_benchmarks"
    group.addoption("--assay-search-benchmarks", action="store_true", help=collected)
    for name, (value, text) in REPEATED.items():
        told = f"{text}; can be repeated"
        group.addoption(
            f"--assay-search-{name}", action="append", default=[], metavar=value, help=told
        )
    strict = "fail inconclusive checks instead of passing them with a note"
    group.addoption("--assay-search-strict", action="store_true", help=strict)
    folder = "folder of blessed baselines (default: the nearest assay-baselines)"
    group.addoption("--assay-search-baselines", metavar="FOLDER", help=folder)
    patterns = "names or globs of benchmark files that are collected as tests"
    parser.addini("assay_search_benchmarks", patterns, type="args", default=[])
    parser.addini("assay_search_strict", strict, type="bool", default=False)
    parser.addini("assay_search_baselines", folder, type="string", default="")


def is_strict(config: pytest.Config) -> bool:
    """Tell whether inconclusive checks fail."""
    return bool(config.option.assay_search_strict or config.getini("assay_search_strict"))


def is_benchmark_file(path: Path, session: pytest.Session) -> bool:
    """Tell whether a file is to be collected: it has a name that is collected, or was given."""
    if path.suffix.lower() not in SUFFIXES:
        return False
    if any(path.match(pattern) for pattern in _patterns(session.config)):
        return True
    return session.isinitpath(path) and (path.name in USUAL or _has_dataset(path))


def _patterns(config: pytest.Config) -> tuple[str, ...]:
    named = (*config.getini("assay_search_benchmarks"),)
    return named or (USUAL if config.option.assay_search_benchmarks else ())


def unmatched_patterns(config: pytest.Config) -> list[str]:
    """Name the configured patterns with a folder that no file matches, most likely misspelled."""
    root, named = config.rootpath, config.getini("assay_search_benchmarks")
    every = (*(one for one in named if "/" in one.strip("/")),)
    return [one for one in every if not any(root.glob(one)) and not any(root.rglob(one))]


def _has_dataset(path: Path) -> bool:
    """Look for what every benchmark has: a file that was given may be of another plugin."""
    if path.suffix.lower() == ".json":
        from assay.benchmarks.file.read_benchmark import is_benchmark

        return is_benchmark(path)
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            return bool(DATASET.search(file.read(HEAD)))
    except OSError:
        return False


def header(config: pytest.Config) -> str | None:
    """Say what is checked; None where nothing of the plugin is used."""
    checks = [
        f"{kind} {one}"
        for kind in ("allow", "min", "max", "preset")
        for one in getattr(config.option, f"assay_search_{kind}")
    ]
    reports = config.option.assay_search_report
    files = [arg for arg in config.args if arg.partition("::")[0].endswith(SUFFIXES)]
    if not (checks or reports or files or _patterns(config)):
        return None
    parts = [", ".join(checks) or "checks of the blessed baselines"]
    parts += [f"reports {', '.join(reports)}"] if reports else []
    return "; ".join([*parts, *(["strict"] if is_strict(config) else [])])

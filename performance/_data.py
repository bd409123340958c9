"""Runs and judgments of any size, made once in a child process and kept until the end."""

from pathlib import Path

from performance._measure import measure, progress, script
from performance._settings import Settings

__all__ = ["run_files"]


def run_files(
    settings: Settings, variant: str = "plain", size: tuple[int, int] | None = None
) -> tuple[Path, Path]:
    """Return the paths of judgments and run; the same arguments give the same bytes."""
    queries, documents = size or (settings.queries, settings.documents)
    stem = settings.folder / f"{variant}-{queries}x{documents}"
    qrels, run = stem.with_suffix(".qrels.trec"), stem.with_suffix(".trec")
    if not run.exists():
        progress(f"making a run: {variant}, {queries:,} queries x {documents:,} documents")
        measure(script("make_run", variant, queries, documents, qrels, run))
    return qrels, run

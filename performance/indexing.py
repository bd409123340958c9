"""Indexing a repository: the first time, after one change, and what it takes in memory and disk."""

import sys
import time
from pathlib import Path
from statistics import median
from typing import Any

from performance._measure import ONE_THREAD, Usage, measure, progress, script
from performance._result import Result, Row
from performance._settings import DOCUMENTS, QUERIES, Settings

__all__ = ["indexing"]

FILES, EMBEDDED = 2_000, 150
RATE = 200  # files per second and core, at least
LESS = 20  # times, after one change
MEMORY = 2e9  # bytes, at most
EACH = 10_000  # bytes per document, at most; stored text apart
SETTLED_S = 3  # a file that changed just now is read again: it could change within the same tick


def indexing(settings: Settings) -> Result:
    """Measure the command that people type, and the call inside of a process."""
    files, embedded = (_scaled(number, settings) for number in (FILES, EMBEDDED))
    result = Result(f"Indexing: a repository of {files:,} files; {embedded:,} of them with vectors")
    made = _made(settings.folder / "repository", files)
    result.rows.extend(_words(settings, files))
    rows, hybrid = _hybrid(settings, embedded)
    result.rows.extend(rows)
    result.notes.append(
        f"Files of {made['bytes'] / files:,.0f} bytes on average: modules of the standard library "
        "whose definitions have other names, and some TypeScript, Go and Markdown. CPU time of "
        "the whole command, all threads, from its start to its end; a call alone is one in a "
        f"process that has done it before; medians of {settings.repeats}. Bytes on disk are those "
        f"of {hybrid['documents']:,} documents in {hybrid['chunks']:,} chunks, with vectors of one "
        f"byte per number, without the {hybrid['sizes']['text_bytes'] / 1e6:.1f} MB of stored text."
    )
    return result


def _scaled(number: int, settings: Settings) -> int:
    return max(20, round(number * settings.queries * settings.documents / (QUERIES * DOCUMENTS)))


def _made(folder: Path, files: int) -> dict[str, Any]:
    progress(f"indexing: making a repository of {files:,} files")
    made = measure(script("make_repository", folder, files, 4)).json()
    time.sleep(SETTLED_S)
    return made


def _words(settings: Settings, files: int) -> list[Row]:
    """Index words only: from nothing, with nothing changed, with one file changed."""
    corpus, place = settings.folder / "repository", settings.folder / "words"
    first = _median([_index(corpus, place / str(turn)) for turn in range(settings.repeats)])
    same = _median([_index(corpus, place / "0") for _ in range(settings.repeats)])
    changed = _median([_changed(corpus, place / "0") for _ in range(settings.repeats)])
    single = _median([_changed(corpus, place / "0", ONE_THREAD) for _ in range(settings.repeats)])
    alone = measure(script("index_assay", corpus, place / "0", "lexical", 6)).json()["cpu_s"]
    least = LESS if settings.standard else None
    times: Any = {"peer": "first time", "theirs": first, "ratio": "times"}
    return [
        Row("words", first, f"{RATE} files/s", files / RATE, target=_one(settings)),
        Row("words, one file changed", changed, **times, target=least),
        Row("words, one file changed, one BLAS thread", single, **times),
        Row("words, one file changed, the call alone", median(alone[1:]), **times),
        Row("words, nothing changed", same, **times),
    ]


def _hybrid(settings: Settings, files: int) -> tuple[list[Row], dict[str, Any]]:
    """Index words and vectors of a smaller repository."""
    corpus, place = settings.folder / "embedded", settings.folder / "hybrid"
    _made(corpus, files)
    used = _index(corpus, place, search="hybrid")
    found = measure(script("index_assay", corpus, place, "hybrid", 1)).json()
    sizes = found["sizes"]
    kept = sum(sizes.values()) - sizes["text_bytes"]
    target, budget = _one(settings), EACH * found["documents"]
    rows = [
        Row("words and vectors, memory", used.peak_bytes, "2 GB", MEMORY, "bytes", target=target),
        Row("words and vectors, on disk", kept, "10 KB each", budget, "bytes", target=target),
    ]
    return rows, found


def _one(settings: Settings) -> float | None:
    return 1.0 if settings.standard else None


def _median(used: list[Usage]) -> float:
    return median(each.cpu_s for each in used)


def _index(
    corpus: Path, place: Path, environment: dict[str, str] | None = None, *, search: str = "lexical"
) -> Usage:
    progress(f"indexing: {search}, {place.name}")
    program = Path(sys.executable).with_name("assay")
    command = [str(program), "index", str(corpus), "--workspace", str(place)]
    return measure([*command, "--search", search], environment)


def _changed(corpus: Path, place: Path, environment: dict[str, str] | None = None) -> Usage:
    file = min(corpus.rglob("*.py"))
    with file.open("a", encoding="utf-8") as opened:
        opened.write(f"\n# {time.time_ns()}\n")
    return _index(corpus, place, environment)

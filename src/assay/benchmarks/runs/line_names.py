"""Chunks by their lines: what a report calls them, instead of by bytes."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from assay.benchmarks.collections.collection import CorpusReading
from assay.benchmarks.collections.open_collections import OpenCollections
from assay.benchmarks.runs.run_result import RunResult
from assay.errors import AssayError
from assay.records import Comparisons, Run
from assay.records.chunk import chunk_span

__all__ = ["LineNames", "line_names"]


@dataclass(frozen=True, slots=True)
class LineNames:
    """Names of chunks as people write places: ``file:first-last``.

    They are by collection, since two corpora may have documents of one name; ``of_query`` is the
    collection of each query.
    """

    names: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    of_query: Mapping[str, str] = field(default_factory=dict)

    def run(self, run: Run) -> Run:
        """Rename the results of a run."""
        if not self.names:
            return run
        shown = {
            key: tuple(self._name(key, name) for name in found)
            for key, found in run.rankings.items()
        }
        return replace(run, rankings=shown)

    def facts(self, told: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
        """Rename the judged chunks of queries."""
        if not self.names:
            return {key: dict(one) for key, one in told.items()}
        return {
            key: {**one, "judged": {self._name(key, name): g for name, g in one["judged"].items()}}
            for key, one in told.items()
        }

    def comparisons(self, compared: Comparisons | None) -> Comparisons | None:
        """Rename the chunks that should be judged next."""
        if compared is None or not self.names:
            return compared
        asked = [
            replace(one, document=self._name(one.query, one.document))
            for one in compared.judge_next
        ]
        return replace(compared, judge_next=tuple(asked))

    def _name(self, query: str, chunk: str) -> str:
        return self.names.get(self.of_query.get(query, ""), {}).get(chunk, chunk)


def line_names(
    collections: OpenCollections, results: Sequence[RunResult], compared: Comparisons | None
) -> LineNames:
    """Name the chunks that a report shows by their lines; two of one line keep their bytes, too."""
    if collections.unit != "chunk":
        return LineNames()
    of_query = {one.key(query.key): one.name for one in collections.each for query in one.queries}
    shown: dict[str, dict[str, None]] = {one.name: {} for one in collections.each}
    for one in results:
        for key, found in one.run.rankings.items():
            shown[of_query[key]] |= dict.fromkeys(found)
    for asked in compared.judge_next if compared else ():
        shown[of_query[asked.query]][asked.document] = None
    names = {one.name: _labels(one.reading, shown[one.name]) for one in collections.each}
    return LineNames(names, of_query)


def _labels(reading: CorpusReading, names: Iterable[str]) -> dict[str, str]:
    lines = _lines(reading, names)
    labels = {name: f"{chunk_span(name)[0]}:{a}-{b}" for name, (a, b) in lines.items()}
    times = Counter(labels.values())
    several = {name: f"{one}#{name.rpartition('#')[2]}" for name, one in labels.items()}
    return {name: one if times[one] == 1 else several[name] for name, one in labels.items()}


def _lines(reading: CorpusReading, names: Iterable[str]) -> dict[str, tuple[int, int]]:
    """Look up the first and the last line of chunks in the texts of a corpus."""
    inside: dict[str, list[tuple[str, int, int]]] = {}
    for name in names:
        document, start, end = chunk_span(name)
        inside.setdefault(document, []).append((name, start, end))
    found: dict[str, tuple[int, int]] = {}
    with suppress(AssayError, OSError):  # a corpus that is gone by now takes nothing from a report
        for read in reading.again.documents():
            spans = inside.get(read.id, ())
            data = read.text.encode("utf-8", "replace") if spans else b""
            for name, start, end in spans:
                first = 1 + data.count(b"\n", 0, start)
                found[name] = (first, first + data.count(b"\n", start, max(start, end - 1)))
    return found

"""How fast things go on this machine: from earlier runs if there were any, else from a try."""

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any

from assay.corpora.text.count_tokens import count_tokens
from assay.records import Configuration, Embedder, Track, Vectors, untracked
from assay.records.plan import Estimate
from assay.searches.environment import machine
from assay.searches.open_models import OpenModels
from assay.text.count_noun import count_noun
from assay.workspace.ledger.ledger import Ledger, TapeUsage
from assay.workspace.vector_cache import cached

__all__ = ["Rates"]

TRYING_S = 1.5  # for a few chunks, with each model
TRIED = 8  # chunks; ...
QUICK_S = 0.3  # ... more, if all of these take no longer
LEAST = 50  # chunks of an earlier build that tell a rate
REPORTS = 10  # that are looked through, from the newest
ROWS = 60  # of a tape
MACHINE = ("platform", "cores", "cpu")
# Where nothing is known: what a search over some thousand chunks takes here or there.
ASSUMED_MS = {"rerank": 500.0, "search": 50.0, "study": 50.0, "coherence": 20.0, "embed": 20.0}
ASSUMED_ELSE_MS = 2.0
ASSUMED_BYTES = 500.0  # of a row on tape


@dataclass(eq=False)
class Rates:
    """What is known of this machine; ``vectors`` is the file of cached vectors.

    Whether searches that failed are to be done ``again`` decides whether they count as recorded.
    """

    ledger: Ledger | None
    vectors: Path | None = None
    again: bool = True
    _known: dict[str, Estimate] = field(default_factory=dict)

    @cached_property
    def tapes(self) -> Sequence[TapeUsage]:
        """All units of the workspace."""
        return self.ledger.tapes() if self.ledger else ()

    @cached_property
    def _by_key(self) -> dict[str, TapeUsage]:
        return {tape.key: tape for tape in self.tapes}

    def has(self, tape: str) -> bool:
        """Tell whether any stage output is recorded."""
        return tape in self._by_key and self._by_key[tape].rows > 0

    def recorded(self, tape: str, queries: Sequence[str], *, rounds: int) -> tuple[int, int]:
        """Count the recorded outputs of some queries: successes, and failures that stay."""
        if self.ledger is None or not self.has(tape):
            return 0, 0
        wanted = set(queries)
        rows = (row for row in self.ledger.rows(tape) if row.round < rounds)
        failed = [bool(row.error) for row in rows if row.query in wanted]
        return failed.count(False), 0 if self.again else failed.count(True)

    def is_timed_again(self, unit: str) -> bool:
        """Tell whether times are taken again, because the machine was busy."""
        return self.ledger is not None and self.again and bool(self.ledger.facts(unit).get("busy"))

    def remembered(self, embedder: Embedder, texts: Sequence[str]) -> float:
        """Return the fraction of texts whose vectors are cached."""
        if self.vectors is None or not self.vectors.exists() or not texts:
            return 0.0
        memory = cached(_ModelName(embedder), self.vectors)
        try:
            return sum(_is_known(memory.embed, text) for text in texts) / len(texts)
        finally:
            memory.close()

    def embedding(
        self, model: str, embedder: Embedder, texts: Sequence[str], *, reading: float
    ) -> Estimate:
        """Return the seconds per token of embedding; ``reading`` are those of all the rest."""
        key = f"embedding {embedder.fingerprint}"
        if key not in self._known:
            found = next(self._earlier(model, reading), None)
            self._known[key] = found or _tried(embedder, texts)
        return self._known[key]

    def asking(self, embedder: Embedder, queries: Sequence[str]) -> Estimate:
        """Return the milliseconds of embedding a query."""
        key = f"asking {embedder.fingerprint}"
        if key not in self._known:
            embedder.embed(["a query that comes first"], query=True)  # whose first use is not timed
            began = time.perf_counter()
            for text in queries[:2]:
                embedder.embed([text], query=True)
            count = max(len(queries[:2]), 1)
            each = 1000 * (time.perf_counter() - began) / count
            self._known[key] = Estimate(each, f"measured on {count_noun(count, 'query')}")
        return self._known[key]

    def reranking(
        self, chosen: Configuration, models: OpenModels, query: str, texts: Sequence[str]
    ) -> Estimate:
        """Return the milliseconds of judging one text."""
        key = f"rerank {chosen.rerank} {chosen.model}"
        if key not in self._known:
            scorer = models.reranker(chosen)
            if scorer is None:
                return self.assumed("rerank")
            scorer.score("a query that comes first", texts[:1])
            began = time.perf_counter()
            scorer.score(query, texts[1 : TRIED + 1] or texts[:1])
            count = len(texts[1 : TRIED + 1]) or 1
            each = 1000 * (time.perf_counter() - began) / count
            tried = f"measured on 1 query and {count_noun(count, 'chunk')}"
            self._known[key] = Estimate(each, tried)
        return self._known[key]

    def on_tape(self, tapes: Sequence[str], name: str) -> Estimate | None:
        """Return the milliseconds of a stage by its own outputs, else by the newest of its name."""
        own = [self._by_key[tape] for tape in tapes if tape in self._by_key]
        alike = [tape for tape in self.tapes if tape.name == name and tape.rows]
        newest = sorted(alike, key=lambda tape: tape.used, reverse=True)
        for tape in [*own, *newest[:6]]:
            if found := self._timed(tape):
                whose = "recorded" if tape.key in tapes else "as in another run"
                return Estimate(found, f"{whose} on {_day(tape.used)}")
        return None

    def assumed(self, name: str) -> Estimate:
        """Return the milliseconds of a stage of which nothing is known, and say so."""
        each = ASSUMED_MS.get(name, ASSUMED_ELSE_MS)
        return Estimate(each, f"unknown, {each:g} ms each assumed")

    def row_bytes(self, name: str) -> Estimate:
        """Return the bytes of a recorded row."""
        alike = [tape for tape in self.tapes if tape.name == name and tape.rows]
        if not alike:
            return Estimate(ASSUMED_BYTES, f"unknown, {ASSUMED_BYTES:,.0f} bytes each assumed")
        each = sum(tape.bytes for tape in alike) / sum(tape.rows for tape in alike)
        return Estimate(each, f"outputs of stage {name} in the workspace")

    def _timed(self, tape: TapeUsage) -> float | None:
        if self.ledger is None:
            return None
        key = f"times of {tape.key}"
        if key not in self._known:
            rows = islice(self.ledger.rows(tape.key), ROWS)
            took = [row.times["total"] for row in rows if "total" in row.times]
            self._known[key] = Estimate(median(took) if took else -1.0, "")
        found = self._known[key].value
        return found if found >= 0 else None

    def _earlier(self, model: str, reading: float) -> Iterator[Estimate]:
        """Find out from earlier reports of this machine how long a model takes for a token."""
        here = machine()
        for day, report in self._reports():
            around = report.get("environment", {})
            if any(around.get(key) != here[key] for key in MACHINE):
                continue
            for run in report.get("runs", ()):
                found = _rate(run, model, reading)
                if found is not None:
                    yield Estimate(found, f"rate measured on this machine on {day}")

    def _reports(self) -> Iterator[tuple[str, Mapping[str, Any]]]:
        if self.ledger is None:
            return
        over = [one for one in self.ledger.benchmarks() if one.finished is not None]
        for one in over[:REPORTS]:
            data = self.ledger.report(one.id)
            if data:
                yield _day(one.finished or 0.0), json.loads(data)


class _ModelName:
    """A model that is only asked for its name: what is not cached is not computed."""

    def __init__(self, embedder: Embedder) -> None:
        self.name, self.fingerprint = embedder.name, embedder.fingerprint
        self.dimension = embedder.dimension

    def count(self, text: str) -> int:
        raise KeyError(text)

    def embed(
        self, texts: Sequence[str], *, query: bool = False, track: Track = untracked
    ) -> Vectors:
        raise KeyError(len(texts))


def _is_known(embed: Callable[[Sequence[str]], Vectors], text: str) -> bool:
    try:
        embed([text])
    except KeyError:
        return False
    return True


def _tried(embedder: Embedder, texts: Sequence[str]) -> Estimate:
    """Embed a few chunks, spread over the sample; more of them where that takes no time."""
    embedder.embed(["a text that comes first"])  # whose first use is not timed
    count, took, some = 2, 0.0, texts
    while True:
        some = texts[:: max(len(texts) // count, 1)][:count]
        began = time.perf_counter()
        embedder.embed(some)
        took = time.perf_counter() - began
        following = TRIED if count < TRIED else 4 * count
        if len(some) < count or took * following / count > (TRYING_S if count < TRIED else QUICK_S):
            break
        count = following
    tokens = sum(map(count_tokens, some))
    return Estimate(took / max(tokens, 1), f"measured on {count_noun(len(some), 'chunk')}")


def _rate(run: Mapping[str, Any], model: str, reading: float) -> float | None:
    """Return the seconds per token of an earlier build, as if no vector had been cached."""
    built = run.get("indexing") or {}
    chunks, tokens = built.get("chunks") or 0, built.get("tokens") or 0
    known = (run.get("configuration") or {}).get("model") == model
    if not known or chunks < LEAST or not tokens or not built.get("seconds_complete"):
        return None
    if built.get("remembered_vectors", 0) >= chunks:
        return float(built["remembered_seconds"]) / tokens
    return max(float(built["seconds"]) / tokens - reading, 0.0) or None


def _day(seconds: float) -> str:
    return datetime.fromtimestamp(seconds).astimezone().strftime("%Y-%m-%d")

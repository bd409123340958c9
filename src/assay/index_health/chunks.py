"""The chunks of an index: empty and oversized ones, their sizes, and those that are equal."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

import numpy as np

from assay.corpora.text.count_tokens import count_tokens
from assay.index_health.look import SAMPLE, IndexState, make_finding, share_of
from assay.records import HealthFinding, Ints, Track
from assay.searches.parts import text_of

__all__ = ["Texts", "chunks", "duplicates", "read_texts"]

PAGE = 1000  # texts that are read at once
FEW = 5  # tokens: a chunk with fewer says nothing


@dataclass
class Texts:
    """What one reading of all texts found."""

    tokens: Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    bytes: int = 0
    blank: list[int] = field(default_factory=list)
    copies: list[int] = field(default_factory=list)

    @property
    def sizes(self) -> Mapping[str, Any]:
        """The distribution of sizes in tokens."""
        if not len(self.tokens):
            return {}
        low, middle, high, most = np.percentile(self.tokens, [5, 50, 95, 100])
        return {"p5": float(low), "p50": float(middle), "p95": float(high), "max": int(most)}


def read_texts(look: IndexState, *, track: Track) -> Texts:
    """Read every text once: its size, whether it is blank, whether it stood there before."""
    found, tokens, met = Texts(), [], set()
    rows = look.snapshot.rows
    pages = [rows[start : start + PAGE] for start in range(0, len(rows), PAGE)]
    for page in track(pages, "checking chunks", total=len(pages), unit="pages"):
        for row, text in zip(page.tolist(), look.snapshot.texts(page.tolist()), strict=True):
            tokens.append(count_tokens(text))
            plain = " ".join(text.split()).encode("utf-8", "surrogatepass")
            found.bytes += len(text.encode("utf-8", "surrogatepass"))
            if not plain:
                found.blank.append(row)
                continue
            digest = sha256(plain).digest()[:16]
            if digest in met:
                found.copies.append(row)
            met.add(digest)
    found.tokens = np.array(tokens, dtype=np.int64)
    return found


def chunks(look: IndexState, texts: Texts) -> Iterator[HealthFinding]:
    """Tell which chunks are too small or too large to say what they are about."""
    total = len(texts.tokens)
    blank = "Lexical search never finds chunks without words, and dense search only at random."
    yield share_of(
        "chunks",
        "empty",
        len(texts.blank),
        total,
        blank,
        watch=0.0,
        bad=0.05,
        cases=_names(look, texts.blank),
    )
    small = look.snapshot.rows[texts.tokens < FEW] if total else look.snapshot.rows
    tiny = (
        f"Chunks of fewer than {FEW} tokens contain too little text to be distinguished, and "
        "crowd the results: raise min_chunk or chunk_size."
    )
    yield share_of(
        "chunks",
        f"below {FEW} tokens",
        len(small),
        total,
        tiny,
        watch=0.05,
        bad=0.2,
        cases=look.names(small),
    )
    yield _oversized(look, texts)
    shown = ", ".join(f"{name} {value:,.0f}" for name, value in texts.sizes.items())
    meaning = "Chunk sizes in tokens, counted in the same way as chunk_size."
    yield make_finding("chunks", "tokens", shown or "none", meaning)


def _oversized(look: IndexState, texts: Texts) -> HealthFinding:
    """Count chunks beyond what the model reads at once, or else beyond what was asked for."""
    window = getattr(look.embedder, "window", None)
    if look.embedder is not None and window:
        return _beyond_window(look, int(window))
    chosen = look.configuration
    if chosen.chunker == "whole":
        meaning = (
            "Documents are not split into chunks, and the model does not report its input limit."
        )
        return make_finding("chunks", "oversized", None, meaning, state="unknown")
    most = 2 * chosen.chunk_size + chosen.overlap  # code is cut by characters, not tokens
    large = look.snapshot.rows[texts.tokens > most] if len(texts.tokens) else look.snapshot.rows
    meaning = (
        "Chunks are more than twice as large as requested: choose a smaller chunk_size, and "
        "run `assay index` again."
    )
    return share_of(
        "chunks",
        f"above {most} tokens",
        len(large),
        len(texts.tokens),
        meaning,
        watch=0.01,
        bad=0.1,
        cases=look.names(large),
    )


def _beyond_window(look: IndexState, window: int) -> HealthFinding:
    rows = look.snapshot.rows[look.some(len(look.snapshot.rows))]
    parts = [rows[start : start + PAGE] for start in range(0, len(rows), PAGE)]
    count = look.embedder.count if look.embedder else count_tokens
    sizes = [
        count(text_of(chunk)) for part in parts for chunk in look.snapshot.chunks(part.tolist())
    ]
    large = rows[np.array(sizes, dtype=np.int64) > window] if sizes else rows
    sampled = f" ({SAMPLE:,} chunks sampled)" if len(look.snapshot.rows) > SAMPLE else ""
    meaning = (
        f"Chunks exceed the model's input limit of {window} tokens{sampled}: their vectors are an "
        "average over parts, or ignore the end. Choose a smaller chunk_size."
    )
    return share_of(
        "chunks",
        f"above {window} model tokens",
        len(large),
        len(rows),
        meaning,
        watch=1 / 3,  # the default search has .28 on code, and .06 on prose
        bad=2 / 3,
        cases=look.names(large),
    )


def duplicates(look: IndexState, texts: Texts) -> Iterator[HealthFinding]:
    """Find chunks and documents that occur more than once."""
    equal = (
        "Chunks have the same text as another chunk, apart from whitespace, and each takes a place "
        "in the results: exclude copies, generated files and boilerplate with --exclude."
    )
    yield share_of(
        "duplicates",
        "equal chunks",
        len(texts.copies),
        len(texts.tokens),
        equal,
        watch=0.05,
        bad=0.2,
        cases=_names(look, texts.copies),
    )
    full = [one for one in look.held if one.chunks and one.content_hash]
    known = Counter(one.content_hash for one in full)
    first = {one.content_hash: one.id for one in reversed(full)}
    copies = [one.path or one.id for one in full if first[one.content_hash] != one.id]
    same = (
        "Documents are identical to another document: a relevant document appears twice in the "
        "results, or the judged one ranks below its copy. Exclude copies with --exclude."
    )
    yield share_of(
        "duplicates",
        "equal documents",
        sum(known.values()) - len(known),
        len(full),
        same,
        watch=0.02,
        bad=0.2,
        cases=copies,
    )


def _names(look: IndexState, rows: list[int]) -> tuple[str, ...]:
    return look.names(np.array(rows, dtype=np.int64))

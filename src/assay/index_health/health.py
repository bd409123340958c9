"""Check an index as it is: whether its documents can be found."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from assay.index_health.answers import (
    KnownAnswers,
    Pairs,
    answers_indexed,
    find_answers,
    pair_answers,
    pair_neighbours,
)
from assay.index_health.chunks import Texts, chunks, duplicates, read_texts
from assay.index_health.contents import compare, coverage, staleness, statistics
from assay.index_health.look import SAMPLE, IndexState
from assay.index_health.vectors import embedding, near_equal_vectors, recalls, undirected
from assay.records import Corpus, Dataset, Health, Track, untracked
from assay.records.model import is_given

__all__ = ["EXPECTED", "IndexState", "health_of"]

EXPECTED = ("documents", "chunks", "texts", "vectors", "words", "bytes", "generation")


def health_of(
    look: IndexState,
    corpus: Corpus,
    *,
    sizes: Mapping[str, int],
    age_s: float = 0.0,
    others: int = 0,
    dataset: Dataset | None = None,
    track: Track = untracked,
) -> Health:
    """Look at all there is; the index stays as it is, and the corpus is read where it changed."""
    seen = compare(look.snapshot, corpus, track=track)
    texts = read_texts(look, track=track) if _is_whole(look) else None
    judged = None if dataset is None else find_answers(look, corpus, dataset, track=track)
    pairs, notes = _pairs(look, dataset, judged, track)
    quality, figures = embedding(look, pairs)
    findings = [
        *statistics(look, seen, sizes, texts.bytes if texts else None),
        *coverage(look, seen),
        *([answers_indexed(judged)] if judged else ()),
        *([undirected(look)] if look.embedder else ()),
        *(chunks(look, texts) if texts and _reads_texts(look) else ()),
        *(duplicates(look, texts) if texts and _reads_texts(look) else ()),
        *([near_equal_vectors(look)] if look.embedder else ()),
        *staleness(look, seen, age_s=age_s, others=others),
        *recalls(look, pairs.queries),
        *quality,
    ]
    index = _index(look, texts, sizes)
    return Health(corpus.name, index, tuple(findings), figures, (*notes, *_sampled(look)))


def _is_whole(look: IndexState) -> bool:
    """Tell whether all texts are there: else the statistics say what is lost."""
    stored, expected = look.snapshot.stored, sum(one.chunks for one in look.held)
    return stored["chunks"] == stored["texts"] == expected


def _reads_texts(look: IndexState) -> bool:
    """Tell whether a search depends on texts: not where all it has are given vectors."""
    return look.configuration.lexical is not None or not is_given(look.embedder)


def _pairs(
    look: IndexState, dataset: Dataset | None, judged: KnownAnswers | None, track: Track
) -> tuple[Pairs, list[str]]:
    """Pair queries with their answers; where that leads to nothing, neighbouring chunks."""
    if look.embedder is None:
        return Pairs(), []
    if dataset is None or judged is None:
        return pair_neighbours(look), []
    found = pair_answers(look, dataset, judged, track=track)
    if len(found.one):
        return found, []
    problem = f"no relevant document of {dataset.name} is in the index"
    return pair_neighbours(look), [f"{problem}: alignment is measured on neighbouring chunks"]


def _index(look: IndexState, texts: Texts | None, sizes: Mapping[str, int]) -> dict[str, Any]:
    chosen, stored = look.configuration, look.snapshot.stored
    return {
        "search": chosen.search,
        "chunker": chosen.chunker,
        "lexical": chosen.lexical,
        "dense": chosen.dense,
        "model": chosen.model,
        "generation": look.snapshot.generation,
        "settings": look.snapshot.settings,
        "content": look.snapshot.fingerprint,
        "documents": len(look.held),
        "languages": dict(Counter(one.language or "none" for one in look.held).most_common()),
        **stored,
        **sizes,
        "chunk_tokens": dict(texts.sizes) if texts else {},
    }


def _sampled(look: IndexState) -> list[str]:
    count = len(look.directed[0]) if look.embedder else 0
    if count <= SAMPLE:
        return []
    return [f"vectors are measured on a random sample: {SAMPLE:,} of {count:,} chunks"]

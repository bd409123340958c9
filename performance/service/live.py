"""A benchmark for a service to run: made, resolved and ready to be started."""

import random
from typing import Any

from performance.service.server import Served

__all__ = ["make_benchmark"]

DOCUMENTS, QUERIES, WORDS, LENGTH, TERMS = 300, 300, 3_000, 120, 6
CONFIGURATION = {
    "name": "lexical",
    "search": "lexical",
    "language": ["none", "english"],
    "chunk_size": [128, 256, 512, 1024],
}
ASKS = 15  # times that each query is run: together with eight runs about half a minute of work


def make_benchmark(served: Served, *, queries: int = QUERIES, asks: int = ASKS) -> str:
    """Upload a dataset, resolve it against its own documents, and return the benchmark's id."""
    dataset = served.upload("/api/v1/datasets", _dataset(queries))["id"]
    mapping = served.ask("POST", "/api/v1/mappings", {"dataset": dataset, "corpus": dataset})["id"]
    served.wait_for(f"/api/v1/mappings/{mapping}", "resolved")
    body = {
        "name": "live",
        "mappings": [mapping],
        "configurations": [CONFIGURATION],
        "settings": {"live": True, "asks": asks},
    }
    return str(served.ask("POST", "/api/v1/benchmarks", body)["id"])


def _dataset(queries: int) -> dict[str, Any]:
    """Make documents of random words, and queries of words that a document has."""
    chance = random.Random(21)
    vocabulary = [f"word{number}" for number in range(WORDS)]
    texts = [chance.choices(vocabulary, k=LENGTH) for _ in range(DOCUMENTS)]
    documents = [{"id": f"d{at}", "text": " ".join(words)} for at, words in enumerate(texts)]
    asked = [
        {
            "query_key": f"q{number}",
            "query_text": " ".join(chance.sample(texts[number % DOCUMENTS], TERMS)),
            "relevant_docs": [
                {"doc_ref": {"document_id": f"d{number % DOCUMENTS}"}, "relevance_grade": 2}
            ],
        }
        for number in range(queries)
    ]
    about = {"schema_version": "1.0", "metadata": {"name": "live"}}
    return {**about, "documents": documents, "queries": asked}

"""A small dataset with its corpus in the store of a service, and benchmarks over it."""

from assay.records import Dataset, Document, Judgment, Query, Reference

__all__ = ["PATHS", "make_mapping", "request_for", "run_benchmark"]

PATHS = ("apple", "pear", "plum", "cherry", "grape", "melon")


def make_mapping(service, *, missing=False):
    """Store six documents and a query for each; the last is judged with a missing document."""
    documents = tuple(
        Document(f"{one}.txt", f"The {one} is a fruit; this page is about the {one}.")
        for one in PATHS
    )
    queries = []
    for at, one in enumerate(PATHS):
        lost = missing and at == len(PATHS) - 1
        told = f"{one}-lost.txt" if lost else f"{one}.txt"
        queries.append(Query(one, f"what is a {one}", (Judgment(Reference(document_id=told), 2),)))
    dataset = Dataset("fruit", tuple(queries), documents=documents)
    stored = service.store.datasets.create(dataset, author="Ada")
    where = {"source": "dataset", "dataset": stored.id, "version": 1}
    corpus = service.store.corpora.create("fruit pages", where, author="Ada")
    return service.store.mappings.create(stored.id, corpus.id, author="Ada").id


def run_benchmark(client, wait_for_job, mapping, **body):
    """Create a benchmark by the API, start it, and work on it here until it has ended."""
    made = client.post("/api/v1/benchmarks", json=request_for(mapping, **body))
    assert made.status_code == 201, made.text
    found = made.json()["id"]
    assert client.post(f"/api/v1/benchmarks/{found}/start").status_code == 202
    wait_for_job(found)
    return found


def request_for(mapping, **body):
    """Ask for two runs that differ, without latencies."""
    configurations = [
        {"name": "plain", "search": "lexical"},
        {"name": "stemless", "search": "lexical", "language": "none"},
    ]
    told = {"name": "fruits", "mappings": [mapping], "configurations": configurations}
    return {**told, "baseline": "plain", "settings": {"untimed": True}, **body}

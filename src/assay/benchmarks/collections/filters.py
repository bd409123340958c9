"""The filters of queries against the documents of a corpus: what they match, and what they hide."""

from collections.abc import Iterator, Mapping, Sequence

from assay.errors import InputError
from assay.records import Configuration, Corpus, Dataset, Resolution
from assay.records.filters import Filters
from assay.searches.configuration.nested_settings import is_asked, passed_fields
from assay.text.count_noun import count_noun
from assay.text.join_list import first_named, join_list
from assay.text.quote import quote

__all__ = ["check_filters", "filter_notes", "ignored_filters"]

RECORDED = "run_file"  # its answers were made elsewhere: whether by filters, nobody knows

NAMED = 5  # queries that a note names


def check_filters(dataset: Dataset) -> None:
    """Refuse filters that our own searches cannot read."""
    for query in dataset.queries:
        _ = query.filters


def ignored_filters(dataset: Dataset, configurations: Sequence[Configuration]) -> Iterator[str]:
    """Name the outside systems whose requests do not pass on the filters that queries have."""
    queries = sum(1 for query in dataset.queries if query.extra.get("filters"))
    for chosen in configurations if queries else ():
        system = chosen.system
        if not is_asked(system) or (system or {}).get("kind") == RECORDED:
            continue
        if not passed_fields([system])("filters"):
            asked = f"the filters of {count_noun(queries, 'query', 'queries')}"
            yield f'"{chosen.name}" ignores {asked}: its request has no {{query.filters}}'


def filter_notes(dataset: Dataset, corpus: Corpus, resolution: Resolution) -> tuple[str, ...]:
    """Name the queries whose filters match no document, or leave out a relevant one."""
    asked = _filters(dataset)
    if not asked:
        return ()
    relevant = resolution.queries_by_document(dataset)
    unmatched, hidden, documents = set(asked.values()), dict.fromkeys(asked, False), 0
    without = dict.fromkeys((c.field for one in asked.values() for c in one.conditions), 0)
    for document in corpus.documents(texts=False, hashes=False):
        documents += 1
        fields = document.fields
        without |= {name: count + 1 for name, count in without.items() if name not in fields}
        unmatched -= {one for one in unmatched if one.match(fields)}
        for key in (key for key in relevant.get(document.id, ()) if key in asked):
            hidden[key] = hidden[key] or not asked[key].match(fields)
    nothing = [key for key, one in asked.items() if one in unmatched and documents]
    left_out = [key for key in asked if hidden[key] and key not in {*nothing}]
    lacking = _lacking(without, documents) if nothing or left_out else ""
    return (
        *_told(nothing, "match no document"),
        *_told(left_out, "leave out relevant documents"),
        *([lacking] if lacking else []),
    )


def _filters(dataset: Dataset) -> dict[str, Filters]:
    """Return the filters of each query that has some we can read."""
    found = {}
    for query in dataset.queries:
        try:
            found[query.key] = query.filters
        except InputError:  # of an outside system, which knows what they mean
            continue
    return {key: one for key, one in found.items() if one}


def _lacking(without: Mapping[str, int], documents: int) -> str:
    """Say how many documents lack the fields of filters, the most frequent first."""
    few = sorted((name for name in without if without[name]), key=lambda name: -without[name])
    told = [f"{without[name]:,} have no {quote(name)}" for name in few[:NAMED]]
    return f"of {documents:,} documents, {join_list(told, most=NAMED)}" if told else ""


def _told(queries: Sequence[str], what: str) -> Iterator[str]:
    if queries:
        number = count_noun(len(queries), "query", "queries")
        yield f"the filters of {number} {what}: {first_named(queries, NAMED, show=quote)}"

"""Open the vectors that collections bring, and refuse searches that would ignore them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from assay.benchmarks.collections.collection import OpenCollection
from assay.errors import InputError
from assay.models.given.location import VectorLocation, missing_vectors
from assay.models.given.own_vectors import OpenVectors, VectorPlaces
from assay.models.given.vector_file import VectorFile, open_vectors
from assay.records import Benchmark, Configuration, Dataset
from assay.searches.configuration.nested_settings import is_asked, is_store
from assay.searches.stores import check_width
from assay.text.join_list import join_list, join_names

__all__ = ["with_vectors"]

TEXTS, PLACEHOLDERS = "texts", "placeholders"  # what the metadata of a dataset may say
OLDER = ("family", "clusters")  # what it says where an earlier version made it


def with_vectors(
    benchmark: Benchmark, collections: Sequence[OpenCollection]
) -> list[OpenCollection]:
    """Open the vectors of each collection if a configuration has ``model: given``.

    Texts that are placeholders must not be searched: only the vectors of such a dataset mean
    something. Beside real texts any search may ignore vectors, since comparing is the point.
    """
    return [_with_vectors(benchmark, one) for one in collections]


def _with_vectors(benchmark: Benchmark, one: OpenCollection) -> OpenCollection:
    if _has_placeholders(one.dataset):
        _refuse_reading(benchmark.configurations, one.dataset)
    users = [chosen for chosen in benchmark.configurations if chosen.has_given_vectors]
    if one.places is None:
        return one
    if not users:
        return _with_notes(one, _unused(one.places))
    own = [chosen for chosen in users if not is_asked(chosen.system)]
    found = _opened(one, one.places, documents=bool(own))
    for chosen in (chosen for chosen in own if is_store(chosen.system)):
        check_width(chosen, found.queries.dimension)
    return replace(_with_notes(one, found.notes), vectors=found)


def _with_notes(one: OpenCollection, notes: Iterable[str]) -> OpenCollection:
    return replace(one, dataset=replace(one.dataset, notes=(*one.dataset.notes, *notes)))


def _unused(places: VectorPlaces) -> Iterator[str]:
    """Tell of vectors that are beside the data, where no configuration asks for them."""
    with suppress(InputError):  # what is wrong with them matters to nobody
        names = [at.path.name for at in (places.of_documents(), places.of_queries()) if at]
        if names:
            are = "is" if len(names) == 1 else "are"
            yield f"{join_list(names)} {are} not used: no configuration has model: given"


def _has_placeholders(dataset: Dataset) -> bool:
    told: Mapping[str, object] = dataset.metadata
    return told.get(TEXTS) == PLACEHOLDERS or told.get(OLDER[0]) == OLDER[1]


def _refuse_reading(configurations: Sequence[Configuration], dataset: Dataset) -> None:
    """Refuse the configurations that search the texts of a dataset, or show them to a model."""
    names = [chosen.name for chosen in configurations if _reads_texts(chosen)]
    if names:
        problem = f"the texts are placeholders, and {join_names(names)} would search them"
        hint = "only its vectors can be searched: use search: dense and model: given without rerank"
        raise InputError(problem, where=dataset.name, hint=hint)


def _reads_texts(chosen: Configuration) -> bool:
    if is_asked(chosen.system):
        return False
    return chosen.search != "dense" or not chosen.has_given_vectors or chosen.rerank is not None


def _opened(one: OpenCollection, places: VectorPlaces, *, documents: bool) -> OpenVectors:
    """Open the files; those of documents only where an index is made of them."""
    keys = {query.key: True for query in places.dataset.queries}
    queries = _file(places.of_queries(), keys, "query")
    if not documents:
        return OpenVectors(queries)
    found = OpenVectors(queries, _file(places.of_documents(), one.reading.words, "document"))
    _ = found.embedder(asked=False)  # which refuses vectors of different lengths
    return found


def _file(location: VectorLocation | None, ids: Mapping[str, bool], noun: str) -> VectorFile:
    if location is None:
        raise missing_vectors(noun)
    return open_vectors(location, ids, noun=noun)

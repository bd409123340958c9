"""The corpus of a dataset: the one given, or what it holds or names itself."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

from assay.corpora.no_corpus import NOTE, NoCorpus
from assay.corpora.per_collection import CollectionCorpora, as_mapping, is_split, split_corpus
from assay.corpora.refuse_empty import refuse_empty
from assay.datasets.resolve.resolve import needs, resolve, take_as_ids, with_rows
from assay.errors import InputError, ProblemsError
from assay.records import (
    Benchmark,
    Corpus,
    Dataset,
    Define,
    Resolution,
    ResolvedReference,
    Track,
    untracked,
)
from assay.records.skipped_files import SkippedFiles
from assay.searches.configuration.nested_settings import is_asked
from assay.text.count_noun import count_noun

__all__ = ["opened_benchmark", "opened_corpus", "resolve_in"]

KINDS = "a folder, a .jsonl file, git:REPOSITORY@REVISION or stdlib"
HINT = f"specify a corpus with --corpus (corpus= in Python): {KINDS}"
IN_FILE = "add `corpus: PATH` to the benchmark file, or a corpus to the dataset"
BESIDE = f"specify a corpus with --corpus PATH (corpus= in Python): {KINDS}"


def opened_corpus(
    dataset: Dataset, corpus: object, *, relative_to: str = "", hint: str = HINT
) -> Corpus:
    """Open a corpus: given (relative to a folder), inline, or named by the dataset.

    ``hint`` says how to give one, where there is none.
    """
    from assay.corpora.open_corpus import open_corpus
    from assay.corpora.sources.inline import inline

    if isinstance(corpus, list | tuple):
        return inline(corpus)
    if is_split(corpus := as_mapping(corpus)):
        return _split(dataset, cast("Mapping[str, Any]", corpus), relative_to=relative_to)
    if corpus is not None:
        return open_corpus(corpus, relative_to=relative_to)
    if dataset.documents:
        return inline(dataset.documents, name=dataset.name)
    if dataset.corpus:
        return open_corpus(dataset.corpus, relative_to=dataset.home)
    problem = "the dataset has no corpus and contains no documents"
    raise InputError(problem, where=dataset.name, hint=hint)


def _split(dataset: Dataset, corpus: Mapping[str, Any], *, relative_to: str) -> CollectionCorpora:
    """Open the corpus of each collection that queries name."""
    from assay.corpora.open_corpus import open_corpus

    names = [*dict.fromkeys(query.collection for query in dataset.queries)]
    if "" in names:
        hint = "add its collection (or repo) to each query, or give one corpus"
        raise InputError("some queries name no collection", where=dataset.name, hint=hint)
    try:
        known = split_corpus(corpus, names, relative_to=relative_to)
    except InputError as error:
        raise InputError(error.problem, where="corpus", hint=error.hint) from None
    each = {name: open_corpus(one, relative_to=relative_to) for name, one in known.items()}
    return CollectionCorpora(f"{count_noun(len(each), 'collection')} of {dataset.name}", each)


def opened_benchmark(
    benchmark: Benchmark, *, dataset: Dataset | None = None
) -> tuple[Dataset, Corpus]:
    """Open the dataset and the corpus of a benchmark; what cannot be opened names its file.

    A ``dataset`` that was read before is not read again. Where only systems of others are searched,
    there need not be a corpus.
    """
    dataset = _read_dataset(benchmark) if dataset is None else dataset
    named = benchmark.corpus is not None or dataset.documents or dataset.corpus
    if not named and all(is_asked(one.system) for one in benchmark.configurations):
        return replace(dataset, notes=(*dataset.notes, NOTE)), NoCorpus()
    hint = IN_FILE if benchmark.file else BESIDE
    try:
        corpus = opened_corpus(dataset, benchmark.corpus, relative_to=benchmark.home, hint=hint)
    except InputError as error:
        raise _named(error, benchmark, error.hint) from None
    return dataset, corpus


def _read_dataset(benchmark: Benchmark) -> Dataset:
    from assay.datasets.load import load

    try:
        return load(benchmark.dataset, **cast("dict[str, Any]", benchmark.reading))
    except ProblemsError:  # they name the lines of the dataset, where they are mended
        raise
    except InputError as error:
        unknown = "--format" in error.hint  # an option of other commands
        convert = "convert it with `assay dataset convert --format NAME`"
        hint = convert if unknown else error.hint
        raise _named(error, benchmark, hint) from None


def _named(error: InputError, benchmark: Benchmark, hint: str) -> InputError:
    places = (benchmark.file, error.where)
    return InputError(error.problem, where=", ".join(filter(None, places)), hint=hint)


def resolve_in(
    corpus: Corpus,
    dataset: Dataset,
    *,
    doing: str = "reading",
    track: Track = untracked,
    local: bool = False,
) -> Resolution:
    """Resolve the references of a dataset in a corpus; texts are read only for symbols.

    Files are read as a search reads them: only then is known which PDF files are documents.
    Progress shows ``doing``, by default that the corpus is read. Without a corpus references are
    taken as ids. Of several collections the ids begin with their names, unless they are ``local``.
    """
    if isinstance(corpus, NoCorpus):
        return take_as_ids(dataset)
    if isinstance(corpus, CollectionCorpora):
        return _resolve_each(corpus, dataset, doing=doing, track=track, local=local)
    texts, hashes = needs(dataset)
    files = isinstance(corpus.skipped, SkippedFiles) and corpus.skipped.from_files
    documents = corpus.documents(texts=texts, hashes=hashes or files)
    tracked = track(documents, f"{doing} {corpus.name}", unit="documents")
    found = resolve(dataset, tracked, define=_define() if texts else None, corpus=corpus.name)
    refuse_empty(corpus)
    return replace(found, skipped=corpus.skipped)


def _resolve_each(
    corpora: CollectionCorpora, dataset: Dataset, *, doing: str, track: Track, local: bool
) -> Resolution:
    """Resolve the references of each collection in its own corpus."""
    rows: dict[str, list[ResolvedReference]] = {query.key: [] for query in dataset.queries}
    documents = 0
    for name, corpus in corpora.each.items():
        asked = tuple(query for query in dataset.queries if query.collection == name)
        found = resolve_in(corpus, replace(dataset, queries=asked), doing=doing, track=track)
        documents += found.documents
        for row in found.rows:
            start = "" if local else f"{name}/"
            named, partial, near = (
                tuple(f"{start}{one}" for one in ids)
                for ids in (row.documents, row.partial, row.candidates)
            )
            rows[row.query].append(replace(row, documents=named, partial=partial, candidates=near))
    whole = Resolution((), 0, 0, 0, 0, corpora.name, documents, corpora.skipped)
    return with_rows(dataset, whole, [row for some in rows.values() for row in some])


def _define() -> Define:
    from assay.corpora.programs.defined_names import defined_names

    return defined_names

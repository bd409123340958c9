"""Which corpus a dataset is asked about: the one given, or what it holds or names itself."""

from assay.errors import InputError
from assay.records import Corpus, Dataset

__all__ = ["opened_corpus"]


def opened_corpus(dataset: Dataset, corpus: object, *, relative_to: str = "") -> Corpus:
    """Open a corpus: given (relative to a folder), inline, or named by the dataset."""
    from assay.corpora.open_corpus import open_corpus
    from assay.corpora.sources.inline import inline

    if isinstance(corpus, list | tuple):
        return inline(corpus)
    if corpus is not None:
        return open_corpus(corpus, relative_to=relative_to)
    if dataset.documents:
        return inline(dataset.documents, name=dataset.name)
    if dataset.corpus:
        return open_corpus(dataset.corpus, relative_to=dataset.home)
    hint = "say where it is (--corpus): a folder, a .jsonl file, git:REPOSITORY@REVISION or stdlib"
    raise InputError("names no corpus and holds no documents", where=dataset.name, hint=hint)

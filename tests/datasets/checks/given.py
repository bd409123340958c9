"""Datasets and findings for the tests of the checks, as short as they can be written."""

from assay.datasets.checks import Evidence, examine
from assay.datasets.resolve.resolve import resolve
from assay.records import Dataset, Document, Judgment, Query, Reference

__all__ = ["dataset", "document", "found", "judged", "query"]


def judged(name, grade=1, **options):
    """Judge a document by id, or by whatever reference is given."""
    reference = name if isinstance(name, Reference) else Reference(document_id=name)
    return Judgment(reference, grade, **options)


def query(key, text, *judgments, **options):
    return Query(key, text, tuple(judgments), **options)


def dataset(*queries, **options):
    return Dataset("made", tuple(queries), **options)


def document(name, text, **options):
    return Document(name, text, **options)


def found(check, asked, documents=None, *, define=None, **options):
    """Return one check's finding, over a corpus where documents are given."""
    if documents is None:
        return examine(Evidence(asked, **options))[check]
    resolution = resolve(asked, documents, define=define)
    evidence = Evidence(asked, resolution, **options)
    return examine(evidence, iter(documents), define=define)[check]

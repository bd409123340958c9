"""The judgments of a report are those that it was made with."""

import numpy as np
import pytest

from assay.benchmarks.queries.query_facts import about_queries
from assay.datasets.resolve.as_judgments import as_judgments
from assay.judging.reported_judgments import reported_judgments
from assay.records import Dataset, Judgment, Judgments, Query, Reference, Report


def report_of(dataset, judgments):
    return Report(
        benchmark={},
        dataset={},
        corpus={},
        environment={},
        runs=(),
        queries=about_queries(dataset, judgments),
    )


def rows(judgments):
    documents = [name.decode() for name in judgments.documents.tolist()]
    return sorted(zip(judgments.query.tolist(), documents, judgments.grades.tolist(), strict=True))


def dataset_of(*queries, **more):
    return Dataset("small", tuple(queries), scale=3, **more)


def query(key, *judged, weight=1.0):
    judgments = tuple(Judgment(Reference(document_id=one), grade) for one, grade in judged)
    return Query(key, f"text of {key}", judgments, weight=weight)


def test_judgments_of_one_document_each_are_exact():
    dataset = dataset_of(query("q1", ("a", 3), ("b", 0)), query("q2", ("a", 1)))
    asked = as_judgments(dataset)
    found = reported_judgments(report_of(dataset, asked), scale=3)
    assert found.queries == asked.queries
    assert rows(found) == rows(asked)
    assert found.items is None
    assert found.scale == asked.scale


def test_weights_of_queries_are_kept():
    dataset = dataset_of(query("q1", ("a", 3), weight=3.0), query("q2", ("b", 1)))
    asked = as_judgments(dataset)
    found = reported_judgments(report_of(dataset, asked), scale=3)
    assert found.query_weights(["q1", "q2"]).tolist() == pytest.approx(
        asked.query_weights(["q1", "q2"]).tolist()
    )


def test_items_of_several_documents_and_missing_ones_stay_items():
    given = {"q1": [({"a": 1.0, "b": 1.0}, 3), ({"c": 1.0}, 2), ({}, 3)], "q2": [({"a": 1.0}, 1)]}
    asked = Judgments.of_items(given, scale=3)
    dataset = dataset_of(query("q1"), query("q2"))
    found = reported_judgments(report_of(dataset, asked), scale=3)
    assert rows(found) == rows(asked)
    assert len(np.unique(found.items)) == 4
    together = [found.items[at] for at, name in enumerate(found.documents) if name in (b"a", b"b")]
    assert together[0] == together[1]

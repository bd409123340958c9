"""A stand-in plays the package ir_datasets, whose data cannot be had here."""

import sys
from collections import namedtuple
from types import SimpleNamespace

import pytest

from assay.datasets.load import load
from assay.datasets.save import save
from assay.errors import InputError
from assay.records import Dataset, Judgment, Query, Reference

Topic = namedtuple("Topic", "query_id title description")
Qrel = namedtuple("Qrel", "query_id doc_id relevance iteration")


class StandIn:
    """Has what we use of a dataset of the package."""

    def __init__(self, package, *, fetches=False, qrels=True):
        self.package, self.fetches, self.qrels = package, fetches, qrels

    def has_queries(self):
        return True

    def has_qrels(self):
        return self.qrels

    def queries_iter(self):
        if self.fetches:
            self.package.lazy_libs.requests().get("https://data.example")
        yield Topic("1", "wing", "about wings")
        yield Topic("2", "unjudged", "")

    def qrels_iter(self):
        yield Qrel("1", "d1", 2, "0")
        yield Qrel("1", "d2", 0, "0")
        yield Qrel("9", "d2", 1, "0")


@pytest.fixture
def package(monkeypatch):
    package = SimpleNamespace(lazy_libs=SimpleNamespace(requests=lambda: 1 / 0))
    datasets = {
        "small/test": StandIn(package),
        "far": StandIn(package, fetches=True),
        "bare": StandIn(package, qrels=False),
    }
    package.load = datasets.__getitem__
    monkeypatch.setitem(sys.modules, "ir_datasets", package)
    return package


def test_by_hand(package, snapshot):
    before = package.lazy_libs.requests
    dataset = load("ir_datasets:small/test")
    judgments = (
        Judgment(Reference(document_id="d1"), 2),
        Judgment(Reference(document_id="d2"), 0),
    )
    assert dataset.queries == (Query("1", "wing", judgments, extra={"description": "about wings"}),)
    assert (dataset.name, dataset.scale) == ("small-test", 2)
    assert len(dataset.notes) == 2
    snapshot(dataset.notes)
    assert package.lazy_libs.requests is before


def test_nothing_is_downloaded(package, snapshot):
    with pytest.raises(InputError, match=r"hint: (.|\n)*ir_datasets export far") as caught:
        load("ir_datasets:far")
    snapshot(caught.value)


def test_wrong_names_and_parts(package, snapshot):
    with pytest.raises(InputError, match=r"^ir_datasets:x: ") as caught:
        load("ir_datasets:x")
    snapshot(caught.value)
    with pytest.raises(InputError, match="qrels") as caught:
        load("ir_datasets:bare")
    snapshot(caught.value)


def test_it_cannot_be_written(tmp_path):
    with pytest.raises(InputError, match="not written"):
        save(Dataset("d", ()), tmp_path / "x", format="ir_datasets")


def test_without_the_package(monkeypatch):
    monkeypatch.setitem(sys.modules, "ir_datasets", None)
    with pytest.raises(InputError, match=r"hint: pip install ir_datasets"):
        load("ir_datasets:cranfield")

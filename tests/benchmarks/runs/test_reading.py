"""How many results are opened before the first relevant one, and how many tokens are read."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.benchmarks.collections.collection import CorpusReading, OpenCollection
from assay.benchmarks.collections.open_collections import OpenCollections
from assay.benchmarks.collections.truth import truth_of
from assay.benchmarks.runs.reading import first_relevant, with_reading
from assay.benchmarks.runs.run_result import RunResult
from assay.corpora.text.count_tokens import count_tokens
from assay.errors import InputError
from assay.records import (
    Dataset,
    Document,
    Evaluation,
    Judgment,
    Judgments,
    Query,
    Rankings,
    Reference,
    Resolution,
    ResolvedReference,
    Run,
    encode,
)

TEXTS = {"a": "one two three", "b": "naïve café\r\n", "c": "", "d": "four"}


class Corpus:
    """Some texts, read as often as it is counted."""

    name, skipped = "c", {}

    def __init__(self, texts=TEXTS, error=None):
        self.texts, self.error, self.read = texts, error, 0

    def documents(self, *, texts=True, hashes=True, known=None):
        self.read += 1
        for name, text in self.texts.items():
            yield Document(name, text)
        if self.error:
            raise self.error


def sites_of(corpus, relevant, *, name=""):
    queries = tuple(
        Query(key, "?", tuple(Judgment(Reference.named(one), 1) for one in names))
        for key, names in relevant.items()
    )
    dataset = Dataset("d", queries)
    rows = tuple(
        ResolvedReference(query.key, one.reference, (one.reference.name,), "document_id")
        for query in queries
        for one in query.judgments
    )
    truth = truth_of(dataset, Resolution(rows, len(rows), len(rows), 0, 0), leaked=[])
    collection = OpenCollection(name, dataset, CorpusReading(corpus), stored="content")
    return OpenCollections((collection,), dataset, truth)


def ranked(lists):
    sizes = [len(one) for one in lists.values()]
    offsets = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
    names = encode(name for one in lists.values() for name in one)
    return Rankings("run", tuple(lists), offsets, names, np.zeros(len(names)), "order")


def tried_as(lists, asked):
    evaluation = Evaluation("run", tuple(asked), {}, {})
    return RunResult(Run("run", "f", {}), ranked(lists), evaluation)


def test_by_hand():
    corpus = Corpus()
    collections = sites_of(
        corpus, {"first": ["a"], "third": ["d", "x"], "none": ["x"], "lost": ["a"]}
    )
    lists = {"first": ["a", "b"], "third": ["b", "c", "d"], "none": ["a", "b"]}
    one, other = with_reading(
        collections, [tried_as(lists, collections.truth.judgments.queries)] * 2
    )
    assert one.run.reading == other.run.reading == {
        "first": {"opened": 1, "tokens": 3},
        "third": {"opened": 3, "tokens": count_tokens(TEXTS["b"]) + 0 + 1},
        "none": {"opened": None, "tokens": None},
        "lost": {"opened": None, "tokens": None},
    }  # fmt: skip
    assert corpus.read == 1


@pytest.mark.parametrize(
    "corpus",
    [Corpus({"b": "x"}), Corpus({"b": "x"}, error=InputError("gone")), Corpus({}, error=OSError())],
    ids=["another", "refused", "unreadable"],
)
def test_where_the_text_cannot_be_had_only_results_are_counted(corpus):
    collections = sites_of(corpus, {"q": ["a"]})
    (one,) = with_reading(collections, [tried_as({"q": ["b", "a"]}, ["q"])])
    assert one.run.reading == {"q": {"opened": 2, "tokens": None}}


def test_where_nothing_is_found_nothing_is_read():
    corpus = Corpus()
    collections = sites_of(corpus, {"q": ["a"]})
    failed = RunResult(Run("run", "f", {}, status="failed"))
    empty, same = with_reading(collections, [tried_as({"q": []}, ["q"]), failed])
    assert empty.run.reading == {"q": {"opened": None, "tokens": None}}
    assert same is failed
    assert corpus.read == 0


def test_of_a_run_that_was_asked_less_only_that_is_told():
    collections = sites_of(Corpus(), {"q": ["a"], "p": ["a"]})
    (one,) = with_reading(collections, [tried_as({"q": ["a"]}, ["q"])])
    assert one.run.reading == {"q": {"opened": 1, "tokens": 3}}


def test_the_name_of_a_dataset_stands_before_a_key():
    collections = sites_of(Corpus(), {"q": ["a"]}, name="left")
    joined = replace(
        collections.dataset, queries=(replace(collections.dataset.queries[0], key="left/q"),)
    )
    rows = tuple(replace(row, query="left/q") for row in collections.truth.resolution.rows)
    truth = truth_of(joined, replace(collections.truth.resolution, rows=rows), leaked=[])
    (one,) = with_reading(
        replace(collections, dataset=joined, truth=truth), [tried_as({"left/q": ["a"]}, ["left/q"])]
    )
    assert one.run.reading == {"left/q": {"opened": 1, "tokens": 3}}


@given(
    st.dictionaries(
        st.sampled_from(["q", "p"]),
        st.dictionaries(st.sampled_from("abcdé"), st.integers(-1, 2), min_size=1),
        min_size=1,
    ),
    st.lists(st.sampled_from("abcdé"), unique=True),
)
def test_the_first_relevant_rank_is_found(judged, order):
    judgments = Judgments.of_items(
        {key: [({name: 1.0}, grade) for name, grade in one.items()] for key, one in judged.items()}
    )
    found = first_relevant(judgments, ranked(dict.fromkeys(judged, tuple(order))))
    expected = [
        next((at for at, name in enumerate(order, 1) if one.get(name, 0) > 0), 0)
        for one in judged.values()
    ]
    assert found.tolist() == expected

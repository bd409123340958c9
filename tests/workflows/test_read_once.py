"""In one run a corpus is read twice, models are opened and systems tried once."""

import json
import sys
from collections import Counter
from contextlib import closing
from functools import lru_cache

import pytest

from assay.benchmarks import conduct
from assay.benchmarks.collections.open_collections import open_collections
from assay.benchmarks.work.job import BenchmarkJob
from assay.cli import start
from assay.corpora.sources._streamed_corpus import StreamedCorpus
from assay.models import open_embedder, open_reranker
from assay.reports.runs.json import json as report_json
from assay.searches import check
from assay.workspace.ledger.ledger import open_ledger

WORDS = {"name": "words", "search": "lexical"}
BOTH = {"name": "both", "model": "static", "depth": 20, "top_k": 20}
RANKED = {"name": "ranked", "rerank": "maxsim", "rerank_depth": 5, "depth": 20, "top_k": 20}
THEIRS = {"name": "theirs", "system": {"kind": "callable", "function": "theirs.py:search"}}
SYSTEM = """
def search(query, top):
    return ["a.md", "b.md"]
"""


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    for name, text in {"a": "red apple", "b": "green pear", "c": "blue sky"}.items():
        (tmp_path / "docs" / f"{name}.md").write_text(text)
    judged = [{"doc_ref": {"path": "a.md"}, "relevance_grade": 1}]
    queries = [{"query_key": "q", "query_text": "an apple", "relevant_docs": judged}]
    (tmp_path / "queries.json").write_text(json.dumps({"queries": queries}))
    (tmp_path / "theirs.py").write_text(SYSTEM)
    return tmp_path


@pytest.fixture
def count(monkeypatch):
    """Count readings of a corpus, opened models, trials of systems, and reports made as JSON."""
    seen = Counter()

    def counted(owner, name, key):
        original = getattr(owner, name)

        def call(*given, **options):
            seen[key] += 1
            return original(*given, **options)

        monkeypatch.setattr(owner, name, call)

    read = StreamedCorpus.documents

    def documents(self, **options):
        seen["reads of the corpus"] += self.name == "docs"
        return read(self, **options)

    monkeypatch.setattr(StreamedCorpus, "documents", documents)
    for module in (open_embedder, open_reranker):
        counted(module, module.__name__.rpartition(".")[2], module.__name__.rpartition("_")[2])
    counted(check, "open_system", "trials of a system")
    tried = check.TemporaryDirectory  # in which a store is opened to try it

    def folder(**options):
        seen["trials of a store"] += 1
        return tried(**options)

    monkeypatch.setattr(check, "TemporaryDirectory", folder)
    made = report_json.json.__wrapped__

    def once(report):
        seen["reports as JSON"] += 1
        return made(report)

    cached = lru_cache(maxsize=1)(once)
    monkeypatch.setattr(report_json, "json", cached)
    monkeypatch.setattr(conduct, "report_json", cached)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)  # so that the plan is shown first
    return seen


def run(*configurations, more=()):
    asked = {"dataset": "queries.json", "corpus": "docs", "configurations": configurations}
    with open("bench.json", "w") as file:  # noqa: PTH123
        json.dump(asked, file)
    command = ["run", "bench.json", "--workspace", "w", "--asks", "1", "-o", "report.json"]
    assert start([*command, "--json", *more]) == 0


def test_one_index(place, count, capsys):
    run(WORDS)
    assert count["reads of the corpus"] == 2  # for its fingerprint and truth, and for the index
    assert count["reports as JSON"] == 1  # for the ledger, the file and the terminal


def test_an_index_that_is_there(place, count, capsys):
    run(WORDS)
    count.clear()
    run(WORDS)
    assert count["reads of the corpus"] == 1


def test_each_index_is_one_more_reading(place, count, capsys):
    run(WORDS, BOTH, {**BOTH, "name": "small", "chunk_size": 64})
    assert count["reads of the corpus"] == 1 + 3


def test_several_datasets_over_one_corpus(place, count, capsys):
    other = json.loads((place / "queries.json").read_text())
    other["queries"][0]["query_text"] = "a pear"
    (place / "more.json").write_text(json.dumps(other))
    asked = {"datasets": ["queries.json", "more.json"], "corpus": "docs", "configurations": [WORDS]}
    (place / "bench.json").write_text(json.dumps(asked))
    assert start(["run", "bench.json", "--workspace", "w", "--asks", "1"]) == 0
    assert count["reads of the corpus"] == 2


def test_each_model_is_opened_once(place, count, capsys):
    run(
        BOTH,
        {**BOTH, "name": "small", "chunk_size": 64},
        RANKED,
        {**RANKED, "name": "deeper", "rerank_depth": 8},
    )
    assert (count["embedder"], count["reranker"]) == (2, 1)  # static and minilm; maxsim


def test_systems_and_stores_are_tried_once(place, count, capsys):
    """Their documents are known from the one reading; a store reads the corpus to be filled."""
    run(THEIRS, WORDS)
    assert count["trials of a system"] == 1
    assert count["reads of the corpus"] == 2
    count.clear()
    run({**BOTH, "name": "stored", "search": "dense", "system": {"kind": "lancedb"}}, WORDS)
    assert count["trials of a store"] == 1
    assert count["reads of the corpus"] == 2


def test_a_helper_reads_the_corpus_only_to_index_it(place, count, capsys):
    """What a worker must know of a corpus is in the ledger: its truth is for who sums up."""
    run(WORDS)
    count.clear()
    with closing(open_ledger("w/ledger.sqlite")) as ledger:
        job = BenchmarkJob.from_json(ledger.job(ledger.benchmarks()[0].id).content)
    (collection,) = open_collections(job.placed, contents=job.contents)
    assert collection.content == job.contents[0]
    assert count["reads of the corpus"] == 0

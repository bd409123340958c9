"""A stand-in for a search that is built: it counts common words, and says that it is no engine."""

import json
from dataclasses import replace

import numpy as np
import pytest

from assay.records import Report, Run
from assay.searches.built_search import AnswerCheck


class StandIn:
    """No engine: answers by common words, or as it is told; its clock runs only while it works."""

    def __init__(self, documents, *, name="stand-in", answers=None, takes_ms=1.0, clock=None):
        self.documents = documents
        self.fingerprint = name
        self.answers = dict(answers or {})
        self.takes_ms = takes_ms
        self.clock = clock
        self.asked = []
        self.closed = False
        self.notes = ("this is a stand-in",)
        self.indexing = {"files": len(documents), "documents": len(documents), "seconds": 0.5}
        self.indexing |= {"chunks": len(documents), "tokens": 10, "peak_memory_mb": 12.0}
        self.indexing |= {"files_per_second": 2.0, "tokens_per_second": 20.0}
        self.storage = {"index_bytes": 100 * len(documents), "bytes_per_document": 100.0}

    timed = True
    concurrency = 1

    def studied(self, query):
        return None

    def checked(self, answers):
        return AnswerCheck()

    def found(self, query, *, exclude=()):
        text = query.text
        self.asked.append((text, frozenset(exclude)))
        takes = self.takes_ms(len(self.asked)) if callable(self.takes_ms) else self.takes_ms
        if self.clock is not None:
            self.clock.now += int(takes * 1e6)
        answer = self.answers.get(text, self._common(text))
        if isinstance(answer, Exception):
            raise answer
        pairs = [(name, score) for name, score in answer if name not in exclude]
        scores = np.array([score for _, score in pairs], np.float64)
        return (
            [name for name, _ in pairs],
            scores,
            {"lexical": takes / 4, "cut": takes / 2, "total": takes},
        )

    def _common(self, text):
        asked = set(text.split())
        scored = [(name, len(asked & set(text.split()))) for name, text in self.documents.items()]
        return sorted((pair for pair in scored if pair[1]), key=lambda pair: (-pair[1], pair[0]))

    def close(self):
        self.closed = True


class Clock:
    """Stands still unless a stand-in moves it."""

    now = 0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def stand_in():
    return StandIn


@pytest.fixture
def place(tmp_path):
    """A corpus of four files, and a dataset of three queries over it, one of them lost."""
    files = {"a.md": "red apple", "b.md": "green pear", "c.md": "red car", "d.md": "blue sky"}
    (tmp_path / "docs").mkdir()
    for name, text in files.items():
        (tmp_path / "docs" / name).write_text(text)
    queries = [
        query("q1", "red apple", ("a.md", 3), ("c.md", 1), category="fruit"),
        query("q2", "green pear", ("b.md", 2), category="fruit"),
        query("q3", "blue sky", ("d.md", 3), category="nature"),
    ]
    (tmp_path / "queries.json").write_text(json.dumps({"queries": queries}))
    return tmp_path


def query(key, text, *judged, **options):
    grades = [{"doc_ref": {"path": path}, "relevance_grade": grade} for path, grade in judged]
    return {"query_key": key, "query_text": text, "relevant_docs": grades, **options}


@pytest.fixture(scope="session")
def scored_report():
    """Make a report of runs from their scores of ndcg@10 by query, and what is known of queries."""

    def make(runs, queries=None, *, baseline="", truth=None, changes=None):
        made = [
            Run(
                name=name,
                fingerprint=name,
                configuration={},
                scores={"ndcg@10": float(np.mean([*scores.values()]))} if scores else {},
                per_query={query: {"ndcg@10": score} for query, score in scores.items()},
            )
            for name, scores in runs.items()
        ]
        return Report(
            benchmark={"name": "b", "primary": "ndcg@10", "baseline": baseline},
            dataset={},
            corpus={},
            environment={},
            runs=tuple(replace(run, **(changes or {}).get(run.name, {})) for run in made),
            truth=truth or {},
            queries=queries or {},
        )

    return make

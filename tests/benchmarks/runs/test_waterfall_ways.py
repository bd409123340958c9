"""However a benchmark is run, its waterfall is the same, to the bit; and what is read besides."""

import json

import numpy as np
import pytest
from tests.benchmarks.measuring import Memory

import assay
from assay.benchmarks.work.ask import Reply, ask_all
from assay.benchmarks.work.stage_outputs import TRACED, TracingTape, outputs_of_traces
from assay.benchmarks.work.tapes import by_query
from assay.corpora.text.count_tokens import count_tokens
from assay.errors import InputError
from assay.records import Query, RecordedAnswer

WORDS = ["river", "stone", "cloud", "bridge", "harvest", "lantern", "meadow", "copper", "winter"]
WORDS += ["orchard"]
STATIC = {"model": "static", "depth": 20, "top_k": 10}
CHUNKS = {**STATIC, "lexical_unit": "chunk", "chunk_size": 32}
SEARCHES = {
    "words": {"search": "lexical", "top_k": 10, "depth": 12},
    "near": {**STATIC, "search": "dense", "threshold": 0.2},
    "both": {**STATIC, "fusion": "z_score"},
    "chunks": {**CHUNKS, "fusion": "rrf", "threshold": 0.8, "collapse": "sum"},
    "shallow": {**CHUNKS, "depth": 10},
    "structure": {
        **STATIC,
        "search": "dense",
        "chunk_size": 32,
        "threshold": 0.05,
        "coherence": True,
        "mmr": {"always": True, "k": 5},
    },
    "judged": {**CHUNKS, "fusion": "rrf", "rerank": True, "rerank_depth": 5},
}
TEXT = """
def search(query, top):
    if "stone" in query:
        raise ValueError("no stone is turned")
    return [("d20.md", 2.0), ("d01.md", 1.0), ("d02.md", 0.5), ("d03.md", 0.1)][:top]
"""


class Judge:
    """No model: likes long texts."""

    name = fingerprint = "long"

    def score(self, _query, texts):
        return [float(len(text)) for text in texts]


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """Thirty pages of several paragraphs, and queries of which one leaves a page out."""
    home = tmp_path_factory.mktemp("ways")
    (home / "docs").mkdir()
    for at in range(30):
        text = "\n\n".join(
            " ".join(WORDS[(at * step + i) % 10] for i in range(12)) * (1 + at % 3)
            for step in range(1, 4)
        )
        (home / "docs" / f"d{at:02}.md").write_text(f"# Page {at}\n\n{text}\n")
    (home / "long").mkdir()
    for name in ("model.onnx", "tokenizer.json"):
        (home / "long" / name).write_text("{}")
    (home / "mine.py").write_text(TEXT)
    queries = [asked(at) for at in range(1, 9)]
    queries[2]["exclude"] = ["d03.md", "d04.md"]
    queries[3]["relevant_docs"].append({"doc_ref": {"path": "lost.md"}, "relevance_grade": 3})
    (home / "queries.json").write_text(json.dumps({"queries": queries}))
    (home / "others.json").write_text(json.dumps({"queries": queries[:2]}))
    return home


def asked(at):
    pages = {f"d{(at * k) % 30:02}.md": k % 3 + 1 for k in range(1, 6)}
    return {
        "query_key": f"q{at}",
        "query_text": f"{WORDS[at]} {WORDS[(at * 3 + 1) % 10]}",
        "relevant_docs": [
            {"doc_ref": {"path": path}, "relevance_grade": grade} for path, grade in pages.items()
        ],
    }


@pytest.fixture
def measured(place, monkeypatch):
    monkeypatch.setattr("assay.models.open_reranker.open_reranker", lambda *_, **__: Judge())
    monkeypatch.setattr("assay.benchmarks.spine.analyse", lambda *_, **__: {})  # is not asked

    def running(configurations, *, datasets=None, **options):
        folder = f"cross-encoder:{place / 'long'}"
        given = {
            "metrics": ["ndcg@5", "recall@5"],
            "primary": "ndcg@5",
            "configurations": [
                {"name": name, **one, **({"rerank": folder} if "rerank" in one else {})}
                for name, one in configurations.items()
            ],
            **(datasets or {"dataset": str(place / "queries.json"), "corpus": str(place / "docs")}),
        }
        options = {"asks": 1, "workspace": place / "ws", **options}
        report = assay.run(given, **options)
        primary = report.benchmark["primary"]
        for run in report.runs:
            total = sum(run.waterfall.values())
            assert total == pytest.approx(1 - run.scores[primary], abs=1e-9)
        return {run.name: run for run in report.runs}

    return running


def facts(run):
    return (dict(run.waterfall), dict(run.losses), dict(run.missed), dict(run.reading))


def test_stages_whole_searches_and_sweeps_lose_the_same(measured):
    staged = measured(SEARCHES)
    live = measured(SEARCHES, live=True)
    swept = measured(SEARCHES | {"deep": {**CHUNKS, "depth": 50}}, untimed=True, asks=None)
    for name in SEARCHES:
        assert facts(staged[name]) == facts(live[name]) == facts(swept[name]), name
        for query, losses in staged[name].losses.items():
            score = staged[name].per_query[query]["ndcg@5"]
            assert sum(losses.values()) == pytest.approx(1 - score, abs=1e-9)
    stages = {name: [*run.waterfall] for name, run in staged.items()}
    ends = (["judgments", "corpus"], ["cut", "order"])
    assert stages == {
        name: [*ends[0], *between, *ends[1]]
        for name, between in {
            "words": ["lexical"],
            "near": ["dense", "threshold", "collapse"],
            "both": ["retrieve", "fuse"],
            "chunks": ["retrieve", "fuse", "threshold", "collapse"],
            "shallow": ["retrieve", "fuse", "collapse"],
            "structure": ["dense", "threshold", "collapse", "coherence", "diversify"],
            "judged": ["retrieve", "fuse", "rerank", "collapse"],
        }.items()
    }
    assert staged["chunks"].waterfall["threshold"] > 0
    assert staged["words"].waterfall["lexical"] > 0
    assert staged["words"].losses["q3"]["judgments"] > 0
    assert staged["words"].missed["q4"]['path "lost.md"'] == "corpus"


def test_of_a_system_of_others_there_is_one_stage(measured, place):
    system = {"kind": "callable", "function": f"{place / 'mine.py'}:search"}
    (run,) = measured({"theirs": {"system": system, "top_k": 10}}).values()
    assert [*run.waterfall] == ["judgments", "corpus", "search", "order", "failed"]
    assert run.waterfall["search"] > 0
    failed = [query for query in run.failed if query in run.losses]
    assert failed
    assert all({*run.losses[query]} <= {"corpus", "failed"} for query in failed)
    assert run.missed["q3"]["d03.md"] == "judgments"

    counts = {
        path.name: count_tokens(path.read_text()) for path in sorted((place / "docs").iterdir())
    }
    assert run.reading["q2"] == {"opened": 3, "tokens": counts["d20.md"] + counts["d01.md"]
                                 + counts["d02.md"]}  # fmt: skip
    assert run.reading["q4"] == {"opened": 1, "tokens": counts["d20.md"]}
    assert run.reading["q7"] == {"opened": None, "tokens": None}
    assert {*run.reading} == {f"q{at}" for at in range(1, 9)}


def test_each_of_several_datasets_counts_the_same(measured, place):
    both = {
        "datasets": [
            {"dataset": str(place / name), "corpus": str(place / "docs")}
            for name in ("queries.json", "others.json")
        ]
    }
    alone = measured({"words": SEARCHES["words"]})["words"]
    few = {"dataset": str(place / "others.json"), "corpus": str(place / "docs")}
    other = measured({"words": SEARCHES["words"]}, datasets=few)["words"]
    run = measured({"words": SEARCHES["words"]}, datasets=both)["words"]
    for stage, loss in run.waterfall.items():
        assert loss == pytest.approx((alone.waterfall[stage] + other.waterfall[stage]) / 2)
    assert run.losses["others/q1"] == other.losses["q1"]
    assert run.reading["queries/q2"] == alone.reading["q2"]
    assert run.missed["queries/q4"] == alone.missed["q4"]


class Found:
    def __init__(self, *rows):
        self.rows = np.array(rows, np.int64)


class Traced:
    def __init__(self, *rows):
        self.found = Found(*rows)


class Built:
    """Answers with the number of the query, through two parts, a fusion and a cut."""

    def __init__(self):
        self.last, self.asked = None, []
        self.searcher = self
        self.pipeline = self
        self.retrieve = ("lexical", "dense")

    def found(self, query, *, exclude=()):
        at = int(query.key)
        self.asked.append(query.key)
        self.last = self
        self.traced = [Traced(at), Traced(at, 2), Traced(at, 2), Traced(at)]

    def best_chunks(self, asked, rows):
        return rows + 100


def test_a_trace_is_on_the_tape_with_the_answer():
    built, tape = Built(), Memory()
    queries = [Query(str(at), "text") for at in range(4)]
    names = {query.fingerprint: query.key for query in queries}
    one = queries[1].fingerprint
    tape.record([RecordedAnswer(one, 0, b"answer")])
    tape.record([RecordedAnswer(one, TRACED, np.array([1, 1, 7], "<i8").tobytes())])
    tracing = TracingTape(built, tape)

    def ask(query):
        if query.key == "3":
            raise InputError("failed")
        built.found(query)
        return Reply(b"answer")

    ask_all(tracing.asking(ask), queries, tracing, rounds=2)
    assert all(row.round < 2 or row.round == TRACED for row in tape.rows())
    first = [names[row.query] for row in tape.rows() if row.round == TRACED]
    assert first == ["1", "0", "2"]
    tracing.finish(queries)
    found = {
        key: [one.tolist() for one in lists]
        for key, lists in outputs_of_traces(by_query(tape.rows(), queries))
    }
    assert found == {
        "1": [[7]],
        "2": [[2, 2, 2], [2, 2], [102]],
        "0": [[0, 0, 2], [0, 2], [100]],
    }
    assert sum(row.round == TRACED for row in tape.rows()) == len(queries)


def test_whoever_is_stopped_has_a_trace_of_all_that_was_recorded():
    built, tape = Built(), Memory()
    tracing = TracingTape(built, tape)
    tracing.asking(lambda query: built.found(query) or Reply(b""))(Query("0", "text"))
    assert not [*tape.rows()]
    tracing.record([RecordedAnswer("0", 0, b"answer")])
    assert [row.round for row in tape.rows()] == [TRACED, 0]
    tracing.record([RecordedAnswer("0", 1)])
    assert [row.round for row in tape.rows()] == [TRACED, 0, 1]


def test_what_filters_leave_out_is_lost_by_the_filter(tmp_path):
    for name, year in (("old", 2019), ("new", 2024)):
        text = f"---\nyear: {year}\n---\n# River\n\nThe river and the bridge.\n"
        (tmp_path / "docs").mkdir(exist_ok=True)
        (tmp_path / "docs" / f"{name}.md").write_text(text)
    judged = [{"doc_ref": {"path": f"{name}.md"}, "relevance_grade": 1} for name in ("old", "new")]
    asked = {"query_key": "q", "query_text": "river", "relevant_docs": judged}
    one, two = {"queries": [{**asked, "filters": "year>=2022"}]}, {"queries": [asked]}
    (tmp_path / "one.json").write_text(json.dumps(one))
    (tmp_path / "two.json").write_text(json.dumps(two))
    given = {
        "dataset": str(tmp_path / "one.json"),
        "corpus": str(tmp_path / "docs"),
        "metrics": ["ndcg@10"],
        "configurations": [{"name": "words", "search": "lexical"}],
    }
    (run,) = assay.run(given, untimed=True).runs
    lost = 1 - 1 / (1 + 1 / np.log2(3))  # one of two relevant documents can be found
    assert run.losses == {"q": {"filter": pytest.approx(lost)}}
    assert run.missed == {"q": {"old.md": "filter"}}

    both = [{"dataset": str(tmp_path / f"{name}.json"), "name": name} for name in ("two", "one")]
    (run,) = assay.run({**given, "dataset": None, "datasets": both}, untimed=True).runs
    assert run.waterfall["filter"] == pytest.approx(lost / 2)
    assert sum(run.waterfall.values()) == pytest.approx(lost / 2)

    (run,) = assay.run({**given, "dataset": str(tmp_path / "two.json")}, untimed=True).runs
    assert "filter" not in run.waterfall

"""What is swept in memory is what each search would answer, to the bit."""

import json

import pytest

import assay
from assay.errors import InputError

WORDS = ["river", "stone", "cloud", "bridge", "harvest", "lantern", "meadow", "copper", "winter"]
WORDS += ["orchard"]


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """Thirty pages of several paragraphs, and queries of which one leaves a page out."""
    home = tmp_path_factory.mktemp("swept")
    (home / "docs").mkdir()
    for at in range(30):
        text = "\n\n".join(
            " ".join(WORDS[(at * step + i) % 10] for i in range(12)) * (1 + at % 3)
            for step in range(1, 4)
        )
        front = f"---\npart: {at % 4}\n---\n"
        (home / "docs" / f"d{at:02}.md").write_text(f"{front}# Page {at}\n\n{text}\n")
    queries = [
        {
            "query_key": f"q{at}",
            "query_text": f"{WORDS[at]} {WORDS[(at * 3 + 1) % 10]}",
            "relevant_docs": [
                {"doc_ref": {"path": f"d{(at * k) % 30:02}.md"}, "relevance_grade": k}
                for k in (1, 2)
            ],
        }
        for at in range(1, 9)
    ]
    queries[2]["exclude"] = ["d03.md", "d06.md"]
    queries[4]["filters"] = {"part": ["0", "2"]}
    (home / "queries.json").write_text(json.dumps({"queries": queries}))
    return home


def answers(place, configurations, **options):
    given = {
        "dataset": str(place / "queries.json"),
        "corpus": str(place / "docs"),
        "metrics": ["ndcg@10", "recall@5"],
        "configurations": configurations,
    }
    folder = place / "runs"
    report = assay.run(given, save_runs=folder, **options)
    texts = {one.name: one.per_query for one in report.runs}
    saved = {path.name: path.read_text() for path in sorted(folder.iterdir())}
    return report, texts, saved


SWEPT = [
    {"name": "words", "search": "lexical", "lexical_unit": "chunk", "threshold": [None, 0.1]},
    {"name": "near", "search": "dense", "model": "static", "depth": [15, 40], "top_k": 12},
    {
        "name": "both",
        "model": "static",
        "lexical_unit": "chunk",
        "fusion": ["rrf", "min_max"],
        "weights": [[0.4, 0.6], [1, 0]],
        "depth": [20, 50],
        "top_k": 15,
        "chunk_size": 32,
    },
    {
        "name": "pages",
        "model": "static",
        "fusion": ["blend", "z_score"],
        "collapse": ["max", "sum"],
        "lexical_unit": "document",
    },
]


def test_swept_in_memory_it_answers_as_it_does_stage_by_stage(place):
    swept, scores, runs = answers(place, SWEPT, untimed=True)
    live, expected, live_runs = answers(place, SWEPT, live=True, asks=1, fresh=True)
    assert scores == expected
    assert runs == live_runs
    assert [run.fingerprint for run in swept.runs] == [run.fingerprint for run in live.runs]
    assert all(run.latency_ms == {} for run in swept.runs)
    assert swept.plan["stages"] < live.plan["stages"]
    assert swept.recommendations["fastest"] is None


def test_a_query_that_leaves_documents_out_has_others_in_their_place(place):
    report, _, _ = answers(place, SWEPT[1:2], untimed=True)
    documents = report.runs[0].rankings["q3"]
    assert not {"d03.md", "d06.md"} & set(documents)
    assert len(documents) == 10


def test_what_follows_by_a_model_is_not_swept(place):
    asked = [{"name": "again", "model": "minilm", "rerank": ["maxsim", None], "depth": 20}]
    asked[0]["top_k"] = 10
    _, scores, runs = answers(place, asked, untimed=True)
    _, expected, live = answers(place, asked, live=True, asks=1)
    assert (scores, runs) == (expected, live)


def test_two_datasets_over_one_corpus_have_their_own_answers(place):
    """The same keys, other questions: nothing of one is taken for the other."""
    given = json.loads((place / "queries.json").read_text())
    for query in given["queries"]:
        query["query_text"] = " ".join(reversed(WORDS[:3])) + f" {query['query_key']}"
    (place / "others.json").write_text(json.dumps(given))
    both = [{"dataset": str(place / name), "corpus": str(place / "docs"), "name": name[:3]}
            for name in ("queries.json", "others.json")]  # fmt: skip
    asked = {"datasets": both, "metrics": ["ndcg@10"], "configurations": SWEPT[:2]}
    swept = assay.run(asked, untimed=True)
    live = assay.run(asked, live=True, asks=1, fresh=True)
    for one, other in zip(swept.runs, live.runs, strict=True):
        assert one.per_query == other.per_query
        assert one.rankings == other.rankings
    assert swept.runs[0].rankings["que/q1"] != swept.runs[0].rankings["oth/q1"]


def test_a_model_that_answers_nothing_takes_nothing_from_the_others(place, monkeypatch):
    from assay.searches.searcher import Searcher

    def gone(*_, **__):
        raise InputError("status 400")

    monkeypatch.setattr(Searcher, "embed", gone)
    report, _, _ = answers(place, SWEPT[:2], untimed=True, fresh=True)
    words, near = report.runs[0], report.runs[-1]
    assert (words.status, near.status) == ("completed", "failed")
    assert near.error == "status 400"

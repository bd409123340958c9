"""What is known of each query, by itself and in the report of a benchmark."""

import json
from types import SimpleNamespace

import numpy as np
import pytest

import assay
from assay.benchmarks.queries.query_facts import about_queries, query_facts
from assay.benchmarks.runs.run_result import RunResult
from assay.benchmarks.spine import _queries
from assay.datasets.load_judgments import load_judgments
from assay.records import Dataset, Judgments, Query, Rankings, Run, encode
from assay.records.run_settings import RunSettings

ASKED = {
    "q1": {"text": "how?", "judged": {"a.py": 2, "b.md": 0}},
    "q2": {"text": "wo?", "judged": {"Ä.MD": 1, "c.py": 3}},
    "q3": {"text": "", "judged": {}},
}
DATASET = Dataset(
    "d", (Query("q1", "how?", difficulty="hard"), Query("q2", "wo?"), Query("q3", ""))
)


def rankings(**scores):
    offsets = np.concatenate(([0], np.cumsum([len(one) for one in scores.values()])))
    documents = encode(f"d{at}" for one in scores.values() for at in range(len(one)))
    every = np.concatenate([*scores.values()])
    return Rankings("r", tuple(scores), offsets.astype(np.int64), documents, every)


def test_by_hand():
    found = query_facts(
        DATASET,
        ASKED,
        leaked=["q2", "of another dataset"],
        rankings=[rankings(q1=np.array([2.0, 1.0]), q2=np.array([9.0, 1.0]), q3=np.array([]))],
    )
    assert found == {
        "q1": ASKED["q1"] | {"difficulty": "hard", "predicted": 0.5, "file_types": ["py"]},
        "q2": ASKED["q2"] | {"predicted": 0.0, "leaked": True, "file_types": ["md", "py"]},
        "q3": ASKED["q3"] | {"predicted": 1.0},
    }
    assert "predicted" not in ASKED["q1"]  # what was asked is left as it was


def test_filters_are_told_as_in_a_command_and_those_of_a_system_as_they_are():
    given = ({"year": {">=": 2022}}, {"term": {"a": 1}}, None)
    queries = tuple(Query(f"q{at}", "x", extra={"filters": one}) for at, one in enumerate(given))
    judgments = Judgments.of_items({query.key: [({"d": 1.0}, 1)] for query in queries})

    found = about_queries(Dataset("d", queries), judgments)
    assert [one.get("filters") for one in found.values()] == [
        "year>=2022",
        '{"term": {"a": 1}}',
        None,
    ]


def test_what_is_not_known_is_not_there():
    assert query_facts(Dataset("d", ()), {}) == {}
    plain = Dataset("d", (Query("q", "t"),))
    assert query_facts(plain, {"q": {"text": "t"}}) == {"q": {"text": "t"}}


def test_each_collection_has_file_types_by_itself():
    dataset = Dataset("d", (Query("x/1", "", collection="x"), Query("y/1", "", collection="y")))
    judged = {"x/1": {"judged": {"a.py": 1}}, "y/1": {"judged": {"184": 1, "29": 1, "7": 1}}}
    found = query_facts(dataset, judged)
    assert found["x/1"]["file_types"] == ["py"]
    assert "file_types" not in found["y/1"]


def test_each_dataset_of_several_is_placed_by_itself():
    queries = tuple(Query(f"{name}/{at}", "", collection=name) for name in "xy" for at in (1, 2))
    scores = {"x/1": [9.0, 0], "x/2": [5.0, 0], "y/1": [0.2, 0], "y/2": [0.1, 0]}
    ranked = [rankings(**{key: np.array(one) for key, one in scores.items()})]
    asked = {query.key: {} for query in queries}
    joined = Dataset("x, y", queries, metadata={"collections": ["x", "y"]})
    found = query_facts(joined, asked, rankings=ranked)
    assert [one["predicted"] for one in found.values()] == [0, 1, 0, 1]
    found = query_facts(Dataset("d", queries), asked, rankings=ranked)  # repositories of one corpus
    assert [one["predicted"] for one in found.values()] == pytest.approx([0, 1 / 3, 2 / 3, 1])


THINGS = ("retry request", "connection pool", "vector index")


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """Twenty-four queries about three things; one is word for word in its document."""
    folder = tmp_path_factory.mktemp("facts")
    (folder / "docs").mkdir()
    queries = []
    for at in range(24):
        thing = THINGS[at % 3]
        text = f"how is the {thing} number {at} kept by those who ask for it?"
        told = text if at == 5 else f"A {thing}, {at} of all, {'and so on ' * (at % 4)}"
        name = f"f{at}.{'py' if at % 2 else 'md'}"
        (folder / "docs" / name).write_text(told)
        right = [{"doc_ref": {"path": name}, "relevance_grade": 1}]
        level = {"difficulty": "easy" if at < 12 else "hard"}
        asked = {"query_key": f"q{at}", "query_text": text, "relevant_docs": right}
        queries.append(asked | level)
    (folder / "queries.json").write_text(json.dumps({"queries": queries}))
    return folder


def run(place, folder, *configurations, **options):
    told = {
        "dataset": str(place / "queries.json"),
        "corpus": str(place / "docs"),
        "metrics": ["ndcg@10", "recall@5"],
        "configurations": [*configurations],
    }
    return assay.run(told, workspace=folder, untimed=True, **options)


@pytest.fixture(scope="module")
def report(place, tmp_path_factory):
    return run(
        place,
        tmp_path_factory.mktemp("workspace"),
        {"name": "words", "search": "lexical"},
        {"name": "meaning", "search": "dense", "model": "static"},
    )


def test_a_report_has_what_is_known_of_each_query(report):
    q5 = report.queries["q5"]
    assert (q5["difficulty"], q5["leaked"], q5["file_types"]) == ("easy", True, ["py"])
    assert "leaked" not in report.queries["q6"]
    assert all(0 <= one["predicted"] <= 1 for one in report.queries.values())
    assert len({one["cluster"] for one in report.queries.values()}) >= 2


def test_a_report_has_its_scores_without_leaked_queries(report):
    assert report.truth["leaked_queries"] == ["q5"]
    for one in report.runs:
        for metric, score in one.scores_unleaked.items():
            kept = [scores[metric] for key, scores in one.per_query.items() if key != "q5"]
            assert score == pytest.approx(np.mean(kept))
            told = report.analysis["leaked"]["runs"][one.name][metric]
            assert told == {"with": one.scores[metric], "without": score}
        assert [*one.scores_unleaked] == [*one.scores]


def test_renamed_configurations_find_the_same(place, report, tmp_path):
    again = run(
        place,
        tmp_path,
        {"name": "1", "search": "lexical"},
        {"name": "0", "search": "dense", "model": "static"},
    )
    assert again.queries == report.queries


def test_queries_are_clustered_by_the_vectors_of_a_model_where_one_made_them(
    place, tmp_path, monkeypatch
):
    seen = []

    def clustered(texts, *, vectors, seed):
        seen.append({key: len(one) for key, one in vectors.items()})
        return {}

    monkeypatch.setattr("assay.benchmarks.queries.query_facts.cluster_queries", clustered)
    words = {"name": "words", "search": "lexical"}
    meaning = {"name": "meaning", "search": "dense", "model": "static"}
    run(place, tmp_path, words, meaning)
    run(place, tmp_path, words)
    by_model, by_words = seen
    assert [*by_model] == [f"q{at}" for at in range(24)]
    assert len({*by_model.values()}) == 1
    assert by_words == {}


def test_clusters_by_words_are_named_by_what_is_asked_about(place, tmp_path):
    words = run(place, tmp_path, {"name": "words", "search": "lexical"})
    for at in range(24):
        assert set(THINGS[at % 3].split()) < set(words.queries[f"q{at}"]["cluster"].split(", "))


def test_several_datasets_are_told_apart(place, tmp_path, monkeypatch):
    seen = []

    def clustered(texts, *, vectors, seed):
        seen.append([*vectors])
        return dict.fromkeys(texts, "all")

    monkeypatch.setattr("assay.benchmarks.queries.query_facts.cluster_queries", clustered)
    both = [
        {"dataset": str(place / "queries.json"), "corpus": str(place / "docs"), "name": name}
        for name in ("old", "new")
    ]
    told = {
        "datasets": both,
        "metrics": ["ndcg@10"],
        "configurations": [{"name": "near", "search": "dense", "model": "static"}],
    }
    report = assay.run(told, workspace=tmp_path, untimed=True)
    assert seen == [[f"{name}/q{at}" for name in ("old", "new") for at in range(24)]]
    assert report.queries["old/q5"]["leaked"]
    (one,) = report.runs
    kept = [each["ndcg@10"] for key, each in one.per_query.items() if not key.endswith("/q5")]
    assert one.scores_unleaked == {"ndcg@10": pytest.approx(np.mean(kept))}
    assert report.analysis["leaked"]["queries"] == 2


def test_where_every_query_is_leaked_no_score_is_left(place, tmp_path):
    (tmp_path / "docs").mkdir()
    text = "every word of this question stands in the document that answers it"
    (tmp_path / "docs" / "a.md").write_text(f"Once more: {text}.")
    right = [{"doc_ref": {"path": "a.md"}, "relevance_grade": 1}]
    asked = {"query_key": "本", "query_text": text, "relevant_docs": right}
    (tmp_path / "queries.json").write_text(json.dumps({"queries": [asked]}))
    report = run(tmp_path, tmp_path / "workspace", {"name": "words", "search": "lexical"})
    (one,) = report.runs
    assert one.scores == {"ndcg@10": 1.0, "recall@5": 1.0}
    assert one.scores_unleaked == {}
    assert report.analysis["leaked"]["share"] == 1
    assert report.queries["本"]["file_types"] == ["md"]


def test_a_run_that_was_beaten_predicts_nothing():
    whole = rankings(q1=np.array([9.0, 0]), q2=np.array([1.0, 0]))
    part = rankings(q1=np.array([1.0, 1]), q2=np.array([5.0, 0]))
    tried = [
        RunResult(Run("a", "a", {}), whole),
        RunResult(Run("b", "b", {}, status="beaten"), part),
        RunResult(Run("c", "c", {}, status="failed")),
    ]
    dataset = Dataset("d", (Query("q1", ""), Query("q2", "")))
    truth = SimpleNamespace(judgments=load_judgments({"q1": {"d0": 1}}), leaked=(), breakdowns={})
    collections = SimpleNamespace(dataset=dataset, truth=truth, unit="document")
    settings = SimpleNamespace(settings=RunSettings())
    part = SimpleNamespace(collections=collections, job=settings)
    found = _queries(part, collections, tried, SimpleNamespace(query_vectors=dict))
    assert [one["predicted"] for one in found.values()] == [0, 1]


def test_what_was_analysed_is_read_back(report, tmp_path):
    from assay.reports.runs.json.json import json as as_json
    from assay.reports.runs.json.read import load_report

    (tmp_path / "r.json").write_text(json.dumps(as_json(report), allow_nan=False))
    read = load_report(tmp_path / "r.json")
    assert read.queries == report.queries
    assert read.analysis == report.analysis
    assert [one.scores_unleaked for one in read.runs] == [
        one.scores_unleaked for one in report.runs
    ]

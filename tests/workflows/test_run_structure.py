"""A run that ranks by structure: the same numbers in the run and in its account."""

import json

import pytest

import assay
from assay.cli import start
from assay.reports.runs.json import json as report_json

TOPICS = ["apple pie crust", "river boat oar", "steel bridge arch", "violin string bow"]


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """Four topics with six documents each, and two queries per topic."""
    home = tmp_path_factory.mktemp("structure")
    (home / "docs").mkdir()
    for at, topic in enumerate(TOPICS):
        for number in range(6):
            words = topic.split() + [f"{word} {number}" for word in topic.split()[: number % 3]]
            (home / "docs" / f"t{at}-{number}.md").write_text(" ".join(words))
    queries = [
        {
            "query_key": f"q{at}-{word}",
            "query_text": word,
            "relevant_docs": [
                {"doc_ref": {"path": f"t{at}-{number}.md"}, "relevance_grade": 1 + number % 3}
                for number in range(6)
            ],
        }
        for at, topic in enumerate(TOPICS)
        for word in topic.split()[:2]
    ]
    (home / "queries.json").write_text(json.dumps({"queries": queries}))
    (home / "bench.json").write_text(
        json.dumps(
            {
                "dataset": "queries.json",
                "corpus": "docs",
                "metrics": ["ndcg@10", "mrr@10"],
                "configurations": [
                    {"name": "cosine", "search": "dense", "model": "static"},
                    {
                        "name": "coherence",
                        "search": "dense",
                        "model": "static",
                        "coherence": {"gap_margin": 2, "min_drop": 0},
                    },
                    {"name": "mmr", "search": "dense", "model": "static", "mmr": {"always": True}},
                ],
            }
        )
    )
    return home


@pytest.fixture(scope="module")
def report(place):
    return assay.run(place / "bench.json", repeats=1)


def test_the_account_has_the_scores_of_the_runs(report):
    cosine, coherence, mmr = report.runs
    methods = {one.name: one for one in coherence.structure.methods}
    assert methods["cosine"].scores["ndcg@10"] == pytest.approx(cosine.scores["ndcg@10"])
    assert methods["coherence"].scores == pytest.approx(
        {name: coherence.scores[name] for name in methods["coherence"].scores}
    )
    assert {"neighbour_average", "shuffled_graph"} <= set(methods)
    assert cosine.structure is None
    assert mmr.structure is None


def test_the_times_of_the_parts_are_in_the_latency(report):
    stages = report.runs[1].latency_ms["stages"]
    assert {"coherence_build", "coherence_solve", "coherence_rank"} <= set(stages)
    assert "coherence" not in stages
    assert "diversify" in report.runs[2].latency_ms["stages"]


def test_every_element_is_in_the_json(report):
    told = json.loads(json.dumps(report_json(report)))["runs"][1]
    structure = told["structure"]
    assert told["configuration"]["coherence"]["gap_margin"] == 2
    assert structure["queries"] == 8
    assert structure["gates"]["none"] == structure["fallbacks"]["none"] == 8
    assert structure["verdict"]


def test_people_see_it_with_its_controls(place, capsys, monkeypatch):
    monkeypatch.chdir(place)
    assert start(["run", "bench.json", "--repeats", "1", "-o", "out.md"]) == 0
    out = capsys.readouterr().out
    assert "coherence: what structure is worth" in out
    assert "neighbour average" in out
    assert "shuffled graph" in out
    assert "neighbour average" in (place / "out.md").read_text()

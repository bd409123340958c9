"""A run that ranks by structure: the same numbers in the run and in its account."""

import json
import re

import pytest

import assay
from assay.cli import start
from assay.errors import InputError
from assay.reports.runs.json.json import json as report_json

TOPICS = ["apple pie crust", "river boat oar", "steel bridge arch", "violin string bow"]
EACH = 14  # documents of a topic, all relevant: more than a search returns


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """Four topics with fourteen documents each, and two queries per topic."""
    home = tmp_path_factory.mktemp("structure")
    (home / "docs").mkdir()
    for at, topic in enumerate(TOPICS):
        for number in range(EACH):
            words = topic.split() + [f"{word} {number}" for word in topic.split()[: number % 3]]
            (home / "docs" / f"t{at}-{number}.md").write_text(" ".join(words))
    queries = [
        {
            "query_key": f"q{at}-{word}",
            "query_text": word,
            "relevant_docs": [
                {"doc_ref": {"path": f"t{at}-{number}.md"}, "relevance_grade": 1 + number % 3}
                for number in range(EACH)
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
                "metrics": ["ndcg@10", "mrr@10", "ap"],
                "configurations": [
                    {"name": "cosine", "search": "dense", "model": "static", "top_k": 10},
                    {
                        "name": "coherence",
                        "search": "dense",
                        "model": "static",
                        "top_k": 10,
                        "coherence": {"gap_margin": 2, "min_drop": 0},
                    },
                    {"name": "mmr", "search": "dense", "model": "static", "mmr": {"always": True}},
                    {
                        "name": "both",
                        "search": "dense",
                        "model": "static",
                        "top_k": 10,
                        "coherence": {"gap_margin": 2, "min_drop": 0},
                        "mmr": {"always": True},
                    },
                ],
            }
        )
    )
    return home


@pytest.fixture(scope="module")
def report(place):
    return assay.run(place / "bench.json", repeats=1)


def test_the_account_has_the_scores_of_the_runs(report):
    cosine, coherence, mmr, both = report.runs
    methods = {one.name: one for one in coherence.structure.methods}
    assert set(cosine.scores) == {"ndcg@10", "mrr@10", "ap"}  # 56 documents are cut to 10
    for method, run in (
        (methods["cosine"], cosine),
        (methods["coherence"], coherence),
        (both.structure.method("coherence_mmr"), both),
        (both.structure.method("coherence"), coherence),
    ):
        assert {name: method.scores[name] for name in run.scores} == pytest.approx(run.scores)
    assert both.scores != pytest.approx(coherence.scores)
    assert {"neighbour_average", "shuffled_graph"} <= set(methods)
    assert cosine.structure is None
    assert mmr.structure is None


def test_the_verdict_is_of_what_the_run_returns(report):
    _, coherence, _, both = report.runs
    assert (coherence.structure.returned, both.structure.returned) == ("coherence", "coherence_mmr")
    assert "MMR" in both.structure.verdict
    assert "MMR" not in coherence.structure.verdict
    assert both.structure.method("coherence_mmr").latency_ms["p95"] == both.latency_ms["p95"]
    alone = both.structure.method("coherence").latency_ms  # the same search without MMR
    assert 0 < alone["p95"] <= both.latency_ms["p95"]
    assert both.structure.targets["latency"].value == both.latency_ms["p95"]


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
    spread = structure["distributions"]
    for figure in ("delta_h", "coherence_fraction", "efficiency", "condition_bound"):
        assert spread[figure]["values"] == 8, figure
        assert {"mean", "p5", "p50", "p95", "histogram"} <= set(spread[figure])
    assert spread["delta_h"]["histogram"]["counts"]
    assert spread["completeness"]["mean"] == 1
    assert structure["rates"] == {"easy": 0, "low_impact": 0, "gated": 0, "fallback": 0}
    assert {"baseline", "score", "difference"} <= set(structure["redundancy"])
    assert {"difference", "ci"} <= set(structure["parts"]["ungated"]["coherence"])
    assert {"coherence", "coherence_open"} <= set(structure["parts"]["ungated"])
    for one in ("delta_h", "redundancy"):
        related = structure["correlations"][one]
        assert {"spearman", "pearson", "reading", "method"} <= set(related)
        assert related["reading"]
    assert "suggested_alpha" in structure
    assert set(structure["against"]) == {"neighbour_average", "shuffled_graph"}


def test_gated_queries_have_their_part_in_the_json(place, tmp_path):
    benchmark = json.loads((place / "bench.json").read_text())
    gated = benchmark["configurations"][1] | {"coherence": {"gap_margin": 0}}
    benchmark |= {"configurations": [gated], "dataset": str(place / "queries.json")}
    benchmark["corpus"] = str(place / "docs")
    (tmp_path / "bench.json").write_text(json.dumps(benchmark))
    structure = report_json(assay.run(tmp_path / "bench.json", repeats=1))["runs"][0]["structure"]
    assert structure["rates"]["easy"] == 1
    assert structure["parts"]["gated"]["coherence"]["difference"] == 0
    assert "coherence_open" in structure["parts"]["gated"]


def test_people_see_it_with_its_controls(place, capsys, monkeypatch, snapshot):
    monkeypatch.chdir(place)
    assert start(["run", "bench.json", "--asks", "1", "-o", "out.md", "-o", "r.json"]) == 0
    assert "Coherence" in capsys.readouterr().out  # a sentence; all of it is shown by:
    assert start(["show", "r.json"]) == 0
    out = capsys.readouterr().out
    assert "neighbour average" in out
    assert "shuffled graph" in out
    assert out.count(" -o report.md") == 1
    assert out.count("\neasy gate ") == 2
    written = (place / "out.md").read_text()
    tables = re.findall(r"(?m)^\| figure.*\n(?:\|.*\n)+", written)
    assert len(tables) == 2  # of both runs that rank by structure
    for table in tables:
        snapshot(line.split("|")[1].strip() for line in table.splitlines())


def test_a_query_that_cannot_be_studied_ends_no_run(place, monkeypatch):
    from assay.engines.stages import coherence

    real, asked = coherence.study, []

    def studied(rows, query, **options):
        asked.append(query)
        if len(asked) == 1:
            raise InputError("the store did not answer", where="store")
        return real(rows, query, **options)

    monkeypatch.setattr(coherence, "study", studied)
    one = assay.run(place / "bench.json", asks=1, fresh=True).runs[1]
    assert one.status == "completed"
    assert (one.structure.queries, one.structure.studied) == (7, 7)
    said = [note for note in one.notes if note.startswith("1 query") and "e.g." in note]
    assert len(said) == 1, one.notes

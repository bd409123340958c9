"""``assay run --race``, as a person types it, with real indexes."""

import json
import re

import pytest

from assay.cli import start as run
from assay.workflows.run import run as workflow

pytestmark = pytest.mark.usefixtures("no_clusters")

QUERIES = 40
BENCHMARK = """
dataset: queries.json
corpus: {path: docs}
metrics: [ndcg@10]
configurations:
  - {name: words, search: lexical}
  - {name: few, search: lexical, top_k: 20}
  - {name: wrong, system: {kind: run_file, path: wrong.run}}
"""


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Forty documents, a query for each, and a run that finds another each time."""
    (tmp_path / "docs").mkdir()
    for at in range(QUERIES):
        text = f"# Page {at}\n\nThe word{at} and the thing{at}.\n"
        (tmp_path / "docs" / f"d{at}.md").write_text(text)
    queries = [
        {
            "query_key": f"q{at}",
            "query_text": f"word{at} thing{at}",
            "relevant_docs": [{"doc_ref": {"path": f"d{at}.md"}, "relevance_grade": 1}],
        }
        for at in range(QUERIES)
    ]
    (tmp_path / "queries.json").write_text(json.dumps({"queries": queries}))
    lines = [f"q{at} Q0 d{(at + 1) % QUERIES}.md 1 1.0 wrong\n" for at in range(QUERIES)]
    (tmp_path / "wrong.run").write_text("".join(lines))
    (tmp_path / "bench.yaml").write_text(BENCHMARK)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ASSAY_WORKSPACE", str(tmp_path / ".assay"))
    return tmp_path


def test_the_beaten_are_told(files, capsys, snapshot):
    assert run(["run", "bench.yaml", "--race", "--asks", "1", "-o", "report.json"]) == 0
    told = capsys.readouterr()
    (line,) = [line for line in told.out.splitlines() if line.startswith('"wrong"')]
    assert '"words"' in line
    assert {"20", "40", "0.000", "1.000"} <= set(re.findall(r"[\d.]+", line))
    snapshot(line)
    assert "0.000†" in told.out
    snapshot(line for line in told.err.splitlines() if "race" in line)
    report = json.loads((files / "report.json").read_text())
    assert report["race"]["survivors"] == ["words", "few"]
    assert [one["status"] for one in report["runs"]] == ["completed", "completed", "beaten"]
    assert len(report["runs"][2]["per_query"]) == 20


def test_the_check_does_not_let_the_beaten_ship(files, capsys):
    assert run(["run", "bench.yaml", "--race", "--untimed", "--check-all", "--json"]) == 3
    told = json.loads(capsys.readouterr().out)["verdicts"]
    assert [(one["outcome"], one["rule"]) for one in told][-1] == ("hold", "raced")


def test_a_plan_says_that_it_is_the_most(files, capsys, snapshot):
    plans = []
    for options in (["--race"], []):
        assert run(["run", "bench.yaml", "--plan", *options]) == 0
        plans.append([line for line in capsys.readouterr().out.splitlines() if "race" in line])
    raced, plain = plans
    assert plain == []
    assert len(raced) == 1
    snapshot(raced)


def test_one_configuration_is_refused_in_words(files, capsys, snapshot):
    (files / "bench.yaml").write_text(BENCHMARK.split("  - {name: few")[0])
    told = set()
    for plan in ([], ["--plan"]):
        assert run(["run", "bench.yaml", "--race", *plan]) == 2
        told.add(capsys.readouterr().err)
    (err,) = told
    assert "--race" in err
    snapshot(err)


@pytest.mark.parametrize("how", [{"asks": 1}, {"untimed": True}, {"asks": 1, "live": True}])
def test_survivors_score_to_the_bit_what_they_score_without_a_race(files, how):
    full, raced = (workflow("bench.yaml", race=race, **how) for race in (False, True))
    for one, other in zip(full.runs[:2], raced.runs[:2], strict=True):
        assert one.per_query == other.per_query
        assert one.scores == other.scores
        assert one.rankings == other.rankings
        assert one.fingerprint == other.fingerprint
        assert one.intervals == other.intervals
    assert raced.runs[2].per_query.items() <= full.runs[2].per_query.items()


@pytest.mark.long
def test_several_processes_race_as_one_does(files):
    alone = workflow("bench.yaml", race=True, asks=1)
    both = workflow("bench.yaml", race=True, asks=1, parallel=2)
    assert both.race == alone.race


def test_the_file_can_ask_for_it(files):
    (files / "bench.yaml").write_text(BENCHMARK + "race: {alpha: 0.01, first: 10}\n")
    report = workflow("bench.yaml", untimed=True)
    assert report.race["alpha"] == 0.01
    assert report.race["beaten"][0]["after"] < 20


def test_two_datasets_race_as_one(files):
    (files / "bench.yaml").write_text(
        BENCHMARK.replace("dataset: queries.json\ncorpus: {path: docs}", "datasets:\n"
        "  - {name: one, dataset: queries.json, corpus: {path: docs}}\n"
        "  - {name: two, dataset: fewer.json, corpus: {path: docs}}")
    )  # fmt: skip
    queries = json.loads((files / "queries.json").read_text())["queries"][:15]
    (files / "fewer.json").write_text(json.dumps({"queries": queries}))
    report = workflow("bench.yaml", untimed=True, race=True)
    (beaten,) = report.race["beaten"]
    assert (beaten["run"], report.race["queries"]) == ("wrong", QUERIES + 15)
    wrong = report.runs[2]
    assert wrong.status == "beaten"
    assert len(wrong.per_query) == beaten["after"]
    assert {key.partition("/")[0] for key in wrong.per_query} == {"one", "two"}
    full = workflow("bench.yaml", untimed=True)
    assert report.runs[0].scores == full.runs[0].scores

"""Options replace the criteria of a benchmark (primary, margin, ...), as if its file did."""

import json

import pytest

from assay.benchmarks.file.read_benchmark import read_benchmark
from assay.cli import start
from assay.errors import ProblemsError
from assay.workflows.plan import plan
from assay.workflows.run import run

TEXTS = {"retry.md": "retry a failed request", "logs.md": "rotate a log file every day"}
FILE = """
dataset: queries.json
corpus: docs
metrics: [ndcg@10, recall@5]
margin: 0.03
configurations:
  - {name: bm25, search: lexical}
  - {name: whole, search: lexical, lexical_unit: chunk}
"""


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    (tmp_path / "docs").mkdir()
    for name, text in TEXTS.items():
        (tmp_path / "docs" / name).write_text(text)
    queries = [
        {
            "query_key": name,
            "query_text": text,
            "relevant_docs": [{"doc_ref": {"path": name}, "relevance_grade": 1}],
        }
        for name, text in TEXTS.items()
    ]
    (tmp_path / "queries.json").write_text(json.dumps({"queries": queries}))
    (tmp_path / "bench.yaml").write_text(FILE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def criteria(report):
    told = report if isinstance(report, dict) else report.benchmark
    return {key: told[key] for key in ("metrics", "primary", "margin", "alpha", "unjudged")}


ASKED = {"primary": "mrr@10", "margin": 0.05, "alpha": 0.1, "unjudged": "zero"}
WANTED = {"metrics": ["mrr@10", "ndcg@10", "recall@5"], **ASKED}


@pytest.mark.parametrize(
    "form",
    [lambda: "bench.yaml", lambda: read_benchmark("bench.yaml")],
    ids=["file", "record"],
)
def test_they_replace_what_the_file_says(form):
    report = run(form(), untimed=True, **ASKED)
    assert criteria(report) == WANTED
    assert report.comparisons.primary == "mrr@10"
    assert report.comparisons.settings["alpha"] == 0.1
    assert report.comparisons.settings["margin"] == 0.05
    assert report.comparisons.settings["unjudged"] == "zero"


def test_what_is_not_given_stays_as_the_file_says():
    told = run("bench.yaml", untimed=True, alpha=0.2)
    assert criteria(told) == {
        "metrics": ["ndcg@10", "recall@5"],
        "primary": "ndcg@10",
        "margin": 0.03,
        "alpha": 0.2,
        "unjudged": "bounds",
    }


def test_bounds_replace_zero_of_the_file(place):
    (place / "bench.yaml").write_text(f"{FILE}unjudged: zero\n")
    assert read_benchmark("bench.yaml").unjudged == "zero"
    assert read_benchmark("bench.yaml", unjudged="bounds").unjudged == "bounds"


def test_a_primary_metric_of_the_file_comes_first_and_once():
    told = read_benchmark("bench.yaml", primary="R@5")
    assert told.metrics == ("recall@5", "ndcg@10")


def test_they_replace_the_keys_of_another_programs_matrix(place):
    text = (
        "dataset: queries.json\ncorpus: docs\nconfig_matrix: {primary_k: 5, search_modes: [bm25]}\n"
    )
    (place / "matrix.yaml").write_text(text)
    assert read_benchmark("matrix.yaml").primary == "ndcg@5"
    assert read_benchmark("matrix.yaml", primary="mrr").primary == "mrr"


def test_they_are_the_criteria_of_a_benchmark_without_a_file(capsys):
    given = ["--dataset", "queries.json", "--corpus", "docs", "--model", "static"]
    assert start(["run", *given, "--primary", "mrr", "--untimed", "--json", "--quiet"]) == 0
    assert json.loads(capsys.readouterr().out)["benchmark"]["primary"] == "mrr"


@pytest.mark.parametrize("source", ["bench.yaml", None], ids=["file", "record"])
def test_a_wrong_one_is_blamed_and_not_the_file(source):
    form = source or read_benchmark("bench.yaml")
    with pytest.raises(ProblemsError) as refused:
        run(form, primary="ndgc@10", margin=1.5, alpha=0.7, unjudged="none")
    places = [one.where.removeprefix("--") for one in refused.value.problems]
    assert sorted(places) == ["alpha", "margin", "primary", "unjudged"]


def test_a_cutoff_beyond_the_results_is_refused():
    for form in ("bench.yaml", read_benchmark("bench.yaml")):
        with pytest.raises(ProblemsError, match="top_k"):
            run(form, primary="ndcg@500")


def test_the_command_line_takes_shares_as_compare_does(capsys):
    options = ["--primary", "MRR@10", "--margin", "5%", "--alpha", "0.1", "--unjudged", "zero"]
    assert start(["run", "bench.yaml", *options, "--untimed", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["benchmark"]
    assert criteria(told) == WANTED
    repeated = ["--primary", "MRR@10", "--margin", "0.05", "--alpha", "0.1", "--unjudged", "zero"]
    assert told["command"]["options"] == repeated


def test_a_plan_takes_them_too():
    assert plan("bench.yaml", untimed=True, **ASKED).runs


def test_another_primary_metric_uses_what_was_recorded():
    first = run("bench.yaml", untimed=True)
    again = plan("bench.yaml", untimed=True, primary="mrr@10")
    assert first.id
    assert again.searches_left == 0


@pytest.mark.parametrize("quiet", [False, True])
def test_quiet_leaves_only_results_on_the_screen(quiet, capsys):
    options = ["--untimed", "-o", "report.json", *(["--quiet"] if quiet else [])]
    assert start(["run", "bench.yaml", *options]) == 0
    out, err = capsys.readouterr()
    assert "bm25" in out
    assert (err == "") is quiet


def test_quiet_says_errors_all_the_same(capsys):
    assert start(["run", "nowhere.yaml", "--quiet"]) == 2
    assert "nowhere.yaml" in capsys.readouterr().err
    assert start(["run", "bench.yaml", "--plan", "--quiet"]) == 0
    assert capsys.readouterr().err == ""

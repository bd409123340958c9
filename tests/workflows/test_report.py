"""A report is analysed, loaded and written; what cannot be written is refused before."""

import json as plain
import pickle
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest

import assay
from assay import catalogue, extras
from assay.benchmarks import analysis
from assay.errors import InputError, ProblemsError, UsageError
from assay.records import Interval, Report, Run
from assay.reports import ancestors
from assay.reports.charts import kinds
from assay.reports.charts.missing_data import missing_data
from assay.workflows.report_files.content import SHAPED, content
from assay.workflows.report_files.output_files import refuse_files, write_files
from assay.workflows.report_files.with_analysis import with_analysis

NAMES = [
    "r.json", "r.html", "r.md", "r.csv", "r.parquet", "r.tex", "r.queries.csv", "r.scores.parquet",
    "r.queries.md", "r.akashic.json", "r.exocortex.json", "r.consciousdb.json", "r.consciousdb.md",
]  # fmt: skip


def run(name, shift=0.0, **options):
    scores = {f"q{at}": {"ndcg@10": round(0.2 + 0.05 * at + shift, 4)} for at in range(8)}
    times = {f"q{at}": 4.0 + at for at in range(8)}
    return Run(
        **{"name": name, "fingerprint": name, "configuration": {"search": name}}
        | {"scores": {"ndcg@10": 0.375 + shift}, "intervals": {"ndcg@10": Interval(0.3, 0.6)}}
        | {"per_query": scores, "storage": {"index_bytes": 5000}}
        | {"latency_ms": {"mean": 7.5, "p50": 7.5, "p95": 10.7, "p99": 11.0, "queries": times}}
        | options
    )


def report(*runs, **options):
    told = {"metrics": ["ndcg@10"], "primary": "ndcg@10", "baseline": runs[0].name if runs else ""}
    return Report(
        **{"benchmark": {"name": "bench ü", **told}}
        | {"dataset": {"name": "d", "queries": 8}, "corpus": {"name": "c", "documents": 9}}
        | {"environment": {"cores": 2, "seed": 3}, "runs": runs}
        | {"queries": {f"q{at}": {"text": f"wie {at}?", "category": "ops"} for at in range(8)}}
        | options
    )


TWO = report(run("lexical"), run("dense", 0.1))
KINDS = {
    "empty": report(queries={}),
    "failed": report(Run("x", "", {}, "failed", error="no model")),
    "beaten": report(run("a"), run("b", status="beaten")),
    "odd": report(run("日本\n<b>|*`"), run("‮rtl 😀 \x07", 0.1)),
    "whole": TWO,
}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", KINDS)
def test_each_file_of_each_kind_of_report(kind, name):
    found = content(KINDS[kind], name)
    assert found
    if name.endswith(".json"):
        plain.loads(found.decode(), parse_constant=pytest.fail)


@pytest.mark.parametrize("chart", ["quality.svg", "x.latency.PNG"])
def test_a_chart_is_drawn_by_the_name_of_its_file(chart):
    found = content(TWO, chart)
    assert found.startswith(b"<svg" if chart.endswith("svg") else b"\x89PNG")


def test_a_chart_of_one_run_is_another_chart():
    three = report(run("a"), run("b", 0.1), run("c", 0.2))
    drawn = {name: content(three, "differences.svg", run=name) for name in ("b", "c")}
    assert drawn["b"] != drawn["c"]


def test_the_name_of_a_table_needs_a_name_before_it():
    assert content(TWO, "x.queries.csv").startswith(b"run,query,")
    assert content(TWO, "queries.csv").startswith(b"run,fingerprint,")
    assert content(TWO, "akashic.json").startswith(b'{\n  "schema_version"')


def test_every_shape_has_its_extensions():
    assert sorted(SHAPED) == catalogue.files(ancestors)


def test_nothing_to_draw_is_said(snapshot):
    with pytest.raises(InputError, match="energy") as caught:
        content(KINDS["empty"], "energy.svg")
    snapshot(caught.value)


def test_an_unknown_chart_is_refused_with_those_there_are(tmp_path):
    with pytest.raises(InputError, match='"zebra"') as caught:
        refuse_files([str(tmp_path / "zebra.svg")])
    assert all(name in caught.value.hint for name in catalogue.files(kinds))
    refuse_files([str(tmp_path / f"my.{catalogue.files(kinds)[0]}.png")])


@pytest.mark.parametrize(
    ("name", "fact"),
    [
        ("r.zip", '"zip"'),
        ("r", "r: "),
        ("r.trec", "trec: "),
        ("r.akashic.md", r"akashic .*\.md"),
        ("r.consciousdb.csv", r"consciousdb .*\.csv"),
        ("r.akashik.json", '"akashik"'),
        ("r.score.csv", '"score"'),
        ("no/such/r.md", "no/such/r.md: "),
        ("a\0.md", "a.*md: "),
    ],
)
def test_what_cannot_be_written_is_refused(tmp_path, name, fact, snapshot):
    with pytest.raises(InputError, match=fact) as caught:
        refuse_files([str(tmp_path / "good.md"), str(tmp_path / name)])
    snapshot(caught.value)


def test_a_folder_and_a_second_name_of_a_file_are_refused(tmp_path, monkeypatch, snapshot):
    (tmp_path / "d.md").mkdir()
    with pytest.raises(InputError, match=r"d\.md: ") as caught:
        refuse_files([str(tmp_path / "d.md")])
    snapshot(caught.value)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=r"a\.md") as caught:
        refuse_files(["a.md", "b.md", "./a.md"])
    snapshot(caught.value)


@pytest.mark.parametrize("lacks", ["altair", "vl_convert", "jinja2"])
def test_a_missing_extra_is_told_before_anything_is_done(tmp_path, monkeypatch, lacks):
    monkeypatch.setattr(
        extras, "find_spec", lambda name: None if name == lacks else find_spec(name)
    )
    with pytest.raises(InputError, match=r"install .*\[plots\]"):
        refuse_files([str(tmp_path / "r.html")])
    refuse_files([str(tmp_path / "r.md"), str(tmp_path / "r.json")])


def test_one_file_that_fails_costs_no_other(tmp_path, snapshot):
    good, lost, last = (str(tmp_path / name) for name in ("a.json", "energy.svg", "b.md"))
    told = []
    with pytest.raises(InputError, match="energy") as caught:
        write_files(TWO, [good, lost, last], wrote=told.append, later="try later")
    assert told == [good, last]
    assert f"{good}, {last}; try later" in caught.value.hint
    snapshot(caught.value)
    folder = str(tmp_path / "c.md")
    (tmp_path / "c.md").mkdir()
    with pytest.raises(ProblemsError) as both:
        write_files(TWO, [lost, folder])
    assert len(both.value.problems) == 2
    assert "later" not in str(both.value)
    assert good not in str(both.value)
    snapshot(both.value)
    with pytest.raises(ProblemsError) as some:
        write_files(TWO, [good, lost, folder], later="try later")
    again = pickle.loads(pickle.dumps(some.value))
    for said in (some.value, again):
        assert str(said).splitlines()[-1].endswith(f" {good}; try later")
        assert str(said).count("try later") == 1  # of all, and not of the last problem


def test_a_name_that_is_too_long_gets_a_message(tmp_path):
    path = str(tmp_path / f"{'x' * 300}.md")
    refuse_files([path])  # the folder is fine
    with pytest.raises(InputError, match=r"xxx\.md: "):
        write_files(TWO, [path])


def test_an_old_report_is_analysed_and_what_it_tells_stays():
    told = with_analysis(replace(TWO, analysis={"pareto": {"mine": 1}}))
    assert set(told.analysis) == {*catalogue.files(analysis)} - {"analyse"}
    assert told.analysis["pareto"] == {"mine": 1}
    assert with_analysis(told) is told


def test_the_verb_returns_the_report_and_writes(tmp_path):
    path = tmp_path / "r.md"
    told = assay.report(TWO, path)
    assert told.analysis["differences"]
    assert path.read_text(encoding="utf-8").startswith("# bench ü\n")


def test_a_load_is_simulated_in_the_place_of_others():
    told = assay.report(TWO, load=25, cores=3, price=0.5)
    loads = told.analysis["load"]["runs"]["lexical"]["loads"]
    assert {one["qps"] for one in loads} == {25}
    assert told.analysis["load"]["cores"] == 3
    plain.dumps(told.analysis, allow_nan=False)


@pytest.mark.parametrize(
    "wrong", [{"load": 0}, {"load": -1}, {"cores": 0}, {"price": -1}, {"load": float("nan")}]
)
def test_a_load_that_cannot_be_is_refused(wrong):
    with pytest.raises(UsageError):
        assay.report(TWO, **wrong)


def test_without_a_workspace_there_is_no_newest(tmp_path, snapshot):
    with pytest.raises(InputError) as caught:
        assay.report(workspace=tmp_path)
    snapshot(caught.value)


def test_an_unknown_run_is_told(tmp_path):
    with pytest.raises(InputError, match='"zebra"'):
        assay.report(TWO, tmp_path / "x.akashic.json", run="zebra")
    assay.report(TWO, tmp_path / "x.akashic.json", run="dense")
    assert plain.loads((tmp_path / "x.akashic.json").read_text())["config"]["name"] == "dense"


def test_a_shape_of_others_has_what_the_rankings_tell():
    one = run("a", rankings={f"q{at}": ("x", "d") for at in range(8)}, per_query={}, scores={})
    one = replace(
        one, scores={"mrr@10": 0.5}, per_query={f"q{q}": {"mrr@10": 0.5} for q in range(8)}
    )
    judged = {f"q{at}": {"text": "?", "judged": {"d": 1}, "judgments": 1} for at in range(8)}
    told = plain.loads(content(report(one, queries=judged), "x.exocortex.json"))
    assert told["results"]["retrieval"]["recall10"] == 1.0


def test_a_full_disk_costs_no_file_that_was_there(tmp_path, monkeypatch):
    place = tmp_path / "x.csv"
    place.write_bytes(b"old")

    def full(self, content):
        with self.open("wb") as file:
            file.write(content[:1])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(InputError, match=r"x\.csv: .*No space left"):  # as the system says it
        write_files(TWO, [str(place)])
    assert [path.name for path in tmp_path.iterdir()] == ["x.csv"]
    assert place.read_bytes() == b"old"


def test_a_load_of_what_was_not_timed_is_refused(snapshot):
    untimed = report(run("a", latency_ms={}), run("b", latency_ms={}))
    with pytest.raises(InputError) as caught:
        assay.report(untimed, load=50)
    snapshot(caught.value)
    assert assay.report(untimed).analysis["load"] == {}


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("x.akashik.json", " x.akashic.json?"),
        ("a.b.querries.csv", " a.b.queries.csv?"),
        ("qualty.svg", " quality.svg?"),
        ("my.waterfal.PNG", " waterfall.PNG?"),
    ],
)
def test_a_near_miss_is_told_what_was_meant(tmp_path, name, meant):
    with pytest.raises(InputError) as caught:
        refuse_files([str(tmp_path / name)])
    assert meant in caught.value.hint


@pytest.mark.parametrize("name", ["r.v2.json", "2026.11.16.json", "report.final.md", "a.core.csv"])
def test_other_names_of_files_are_as_good_as_any(tmp_path, name):
    refuse_files([str(tmp_path / name)])


def test_a_run_that_no_file_is_about_is_refused(tmp_path, snapshot):
    with pytest.raises(InputError) as caught:
        assay.report(TWO, [tmp_path / "waterfall.svg", tmp_path / "x.md"], run="dense")
    snapshot(caught.value)
    assay.report(TWO, [tmp_path / "differences.svg"], run="dense")
    assay.report(TWO, [tmp_path / "x.akashic.json", tmp_path / "x.md"], run="dense")


def test_what_a_chart_lacks_is_said():
    with pytest.raises(InputError) as caught:
        content(TWO, "clusters.svg")
    assert " 20 " in caught.value.hint
    assert " 8" in caught.value.hint


def test_every_chart_says_what_it_lacks():
    assert all(missing_data(KINDS["empty"], name) for name in catalogue.files(kinds))

"""assay.plot: a chart, or all of them, of a report wherever it is."""

import json

import pytest

import assay
from assay import catalogue
from assay.errors import InputError, UnknownNameError
from assay.records import Interval, Report, Run
from assay.reports.charts import kinds
from assay.reports.runs.json.json import json as as_json
from assay.workflows.report_files.find_chart import OTHERWISE


def run(name, score, ms):
    return Run(
        name=name,
        fingerprint="ab" * 32,
        configuration={"search": "lexical", "depth": int(ms)},
        scores={"ndcg@10": score},
        intervals={"ndcg@10": Interval(score - 0.1, score + 0.1)},
        latency_ms={"mean": ms, "p50": ms, "p95": 2 * ms, "p99": 3 * ms, "stages": {}},
        per_query={"q1": {"ndcg@10": score}, "q2": {"ndcg@10": score / 2}},
    )


@pytest.fixture
def report():
    return Report(
        benchmark={
            "name": "bench",
            "metrics": ["ndcg@10"],
            "primary": "ndcg@10",
            "baseline": "words",
        },
        dataset={"name": "d", "queries": 2, "fingerprint": "0"},
        corpus={"name": "c", "documents": 3, "fingerprint": "1"},
        environment={"cores": 2},
        runs=(run("words", 0.5, 1.0), run("both", 0.7, 20.0)),
    )


def test_a_name_gives_the_chart_of_altair(report):
    chart = assay.plot(report, "quality")
    assert chart.to_dict()["$schema"].startswith("https://vega.github.io/schema/vega-lite/")


def test_no_name_gives_all_charts_for_a_notebook(report):
    shown = assay.plot(report)._repr_html_()
    assert shown.count("<svg ") >= 4
    assert "http://" not in shown.replace("http://www.w3.org/", "")
    assert "quality, differences, scores" in str(assay.plot(report))


def test_a_file_is_read_and_a_run_is_found_by_its_number(report, tmp_path, snapshot):
    file = tmp_path / "report.json"
    file.write_text(json.dumps(as_json(report)))
    title = assay.plot(file, "differences", run="2").to_dict()["title"]["text"]
    snapshot(title)


def test_charts_are_saved_one_or_all(report, tmp_path):
    (one,) = assay.plot(report).save(tmp_path / "quality.PNG")
    assert one.read_bytes().startswith(b"\x89PNG")
    files = assay.plot(report).save(tmp_path / "new" / "folder")
    assert [file.name for file in files][:2] == ["quality.svg", "differences.svg"]
    assert all(file.read_text(encoding="utf-8").startswith("<svg ") for file in files)
    assert sorted((tmp_path / "new" / "folder").iterdir()) == sorted(files)


def test_an_empty_report_says_that_there_is_nothing(snapshot):
    empty = Report(benchmark={"name": "<b>"}, dataset={}, corpus={}, environment={}, runs=())
    plots = assay.plot(empty)
    assert "<b>" not in plots._repr_html_()
    snapshot([plots._repr_html_(), str(plots)])


@pytest.mark.parametrize(
    ("wrong", "fact"),
    [
        ({"chart": 3}, "int"),
        ({"chart": "energy"}, "energy"),
        ({"chart": "differences", "run": "nobody"}, '"nobody"'),
        ({"chart": "quality", "run": "both"}, "quality"),
        ({"chart": "differences", "run": "words"}, '"words"'),
        ({"run": "words"}, '"words"'),
        ({"report": 7}, "int"),
    ],
    ids=str,
)
def test_what_cannot_be_drawn_is_told(wrong, fact, report, snapshot):
    with pytest.raises(InputError, match=fact) as caught:
        assay.plot(**{"report": report, **wrong})
    snapshot(caught.value)


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("qualty", "quality"),
        ("Quality", "quality"),
        ("latencies", "latency"),
        ("settings", "effects"),
        ("Main effects", "effects"),
        ("main-effects", "effects"),
        ("pareto", "quality"),
        ("heatmap", "categories"),
    ],
)
def test_an_unknown_chart_gets_a_near_name(report, tmp_path, name, meant):
    with pytest.raises(UnknownNameError) as caught:
        assay.plot(report, name)
    assert f'"{name}"' in caught.value.problem
    near, _, every = caught.value.hint.partition("?")
    assert near.endswith(f" {meant}")
    assert all(one in every for one in catalogue.files(kinds))
    with pytest.raises(InputError) as caught:
        assay.plot(report).save(tmp_path / f"{name}x.svg")
    assert f" {meant}.svg? " in caught.value.hint


def test_what_is_like_no_chart_gets_a_list_alone(report, snapshot):
    with pytest.raises(UnknownNameError) as caught:
        assay.plot(report, "zebra")
    assert "?" not in caught.value.hint
    snapshot(caught.value)


def test_every_chart_that_goes_by_other_names_is_there():
    assert {*OTHERWISE} <= {*catalogue.files(kinds)}


@pytest.mark.parametrize("name", ["quality.pdf", "qualty.svg", "energy.svg", "taken/quality"])
def test_what_cannot_be_saved_is_told(name, report, tmp_path):
    (tmp_path / "taken").write_text("a file")
    with pytest.raises(InputError):
        assay.plot(report).save(tmp_path / name)


def test_what_there_is_nothing_for_is_told_with_the_reason(report, snapshot):
    with pytest.raises(InputError) as caught:
        assay.plot(report, "clusters")
    assert " 20 " in caught.value.hint
    listed = [name for name, _ in assay.plot(report)]
    assert caught.value.hint.endswith(": " + ", ".join(listed))
    assert {"quality", "differences"} <= {*listed}
    snapshot(caught.value)


def test_all_charts_are_named_in_a_line(report, snapshot):
    assert "2 runs" in repr(assay.plot(report))
    snapshot(repr(assay.plot(report)))

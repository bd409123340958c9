"""sia-code's summary and its file of one configuration, worked by hand."""

import json
from dataclasses import replace

import pytest

from assay.reports.ancestors.sia_code import sia_code
from assay.workflows.report_files.output_files import write_files

DATE = "2026-01-30T12:00:00"


@pytest.fixture
def report(made):
    part = {"recall@5": 0.5, "queries": 1, "errors": 0, "files": 3, "chunks": 9, "seconds": 2.0}
    failed = made.run("other", failed={"q2": "refused"}, collections={"a": part})
    return made.report(made.run(), failed)


def test_the_summary_counts_what_failed(report):
    told = sia_code(report, date=DATE)
    assert [one["name"] for one in told["configurations"]] == ["hybrid", "other"]
    first, other = told["configurations"]
    assert (first["recall@5"], first["mrr"]) == (0.5, 0.75)
    assert (first["queries_processed"], first["queries_failed"]) == (2, 0)
    assert (other["queries_processed"], other["queries_failed"]) == (1, 1)


def test_ranks_count_up_to_five(made):
    rows = {"q1": {"mrr@10": 1 / 5, "recall@5": 1.0}, "q2": {"mrr@10": 1 / 6, "recall@5": 0.0}}
    told = sia_code(made.report(made.run(per_query=rows)), date=DATE)
    assert told["mrr"] == pytest.approx(0.1)
    assert [(one["hit"], one["rank"]) for one in told["results"]] == [(True, 5), (False, 0)]


def test_a_configuration_has_its_repositories(report):
    told = sia_code(report, date=DATE, run="other")
    assert told["repositories"]["a"] == {
        "recall@5": 0.5,
        "queries": 1,
        "queries_failed": 0,
        "files": 3,
        "chunks": 9,
        "seconds": 2.0,
    }
    assert told["results"][1]["error"] == "refused"


def test_each_configuration_has_a_file(report, tmp_path):
    wrote = []
    write_files(report, [str(tmp_path / "x.sia_code.json")], wrote=wrote.append)
    names = ["x.hybrid.sia_code.json", "x.other.sia_code.json", "x.sia_code.json"]
    assert sorted(path.name for path in tmp_path.iterdir()) == names
    assert len(wrote) == 3
    one = json.loads((tmp_path / "x.other.sia_code.json").read_text())
    assert one["name"] == "other"


@pytest.mark.parametrize(
    ("unit", "results", "files"),
    [
        (
            "chunk",
            ("a.py:1-9", "b.py:3-4#0-9", "a.py:10-12", "c:1.py:2-2"),
            ["a.py", "b.py", "c:1.py"],
        ),
        ("symbol", ("a.py::A.x", "a.py::A", "b.py::y"), ["a.py", "b.py"]),
        ("document", ("a.py", "b:1-2"), ["a.py", "b:1-2"]),
    ],
)
def test_files_are_those_of_chunks_and_symbols(made, unit, results, files):
    whole = made.report(made.run(rankings={"q1": results}))
    told = sia_code(replace(whole, benchmark={**whole.benchmark, "unit": unit}), date=DATE)
    assert told["results"][0]["files"] == files

"""`assay report`, called as the command line calls it."""

import json as plain
import subprocess
import sys
from contextlib import closing

import pytest

from assay.cli import start
from assay.records import Interval, Report, Run
from assay.reports.runs.json import json
from assay.workspace.ledger import ledger

REST = ["index", "s", "bytes/doc", "verdict"]


def run(name, shift=0.0):
    scores = {f"q{at}": {"ndcg@10": round(0.2 + 0.05 * at + shift, 4)} for at in range(8)}
    times = {f"q{at}": 4.0 + at for at in range(8)}
    return Run(
        name,
        name,
        {"search": name},
        scores={"ndcg@10": 0.375 + shift},
        intervals={"ndcg@10": Interval(0.3, 0.6)},
        per_query=scores,
        latency_ms={"mean": 7.5, "p50": 7.5, "p95": 10.7, "p99": 11.0, "queries": times},
    )


def report(name="bench", id_="0123456789abcdef"):
    return Report(
        {"name": name, "metrics": ["ndcg@10"], "primary": "ndcg@10", "baseline": "lexical"},
        {"name": "d", "queries": 8},
        {"name": "c", "documents": 9},
        {"cores": 2},
        (run("lexical"), run("dense", 0.1)),
        queries={f"q{at}": {"text": f"how {at}", "category": "ab"[at % 2]} for at in range(8)},
        id=id_,
    )


@pytest.fixture
def call(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ASSAY_WORKSPACE", str(tmp_path / "ws"))
    (tmp_path / "r.json").write_text(plain.dumps(json(report())), encoding="utf-8")

    def called(*arguments):
        code = start([str(one) for one in arguments])
        told = capsys.readouterr()
        return code, told.out, told.err

    return called


def test_the_analysis_is_printed_after_the_headline(call):
    code, out, err = call("report", "r.json")
    assert code == 0
    lines = out.splitlines()
    assert lines[0] == "bench: 8 queries, 9 documents"
    assert lines[1].split() == ["run", "ndcg@10", "change", "p95", "ms", *REST]
    assert out.index("dense") < out.index("\n- ") < out.index("improved")  # what to take is first
    assert "category" in out
    assert "improved" in out
    assert "to forward it: assay report r.json -o report.html" in err


def test_files_are_written_instead_and_named(call, tmp_path):
    code, out, err = call("report", "r.json", "-o", "a.md", "-o", "quality.svg")
    assert (code, out) == (0, "")
    assert err == "wrote a.md\nwrote quality.svg\n"
    assert "## Analysis\n" in (tmp_path / "a.md").read_text()
    assert (tmp_path / "quality.svg").read_text().startswith("<svg")


def test_json_has_the_analysis_and_the_load(call):
    code, out, _ = call(
        "report", "r.json", "--json", "--load", "25", "--cores", "3", "--price", ".5"
    )
    assert code == 0
    told = plain.loads(out)["analysis"]
    assert told["categories"]
    assert told["load"]["cores"] == 3


def test_a_chart_that_there_is_not_stops_before_anything_is_written(call, tmp_path):
    code, _, err = call("report", "r.json", "-o", "a.md", "-o", "zebra.png")
    assert code == 2
    assert 'zebra.png: no chart is called "zebra"' in err
    assert "quality" in err
    assert not (tmp_path / "a.md").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["no.json"], "there is no such report"),
        (["r.json", "--run", "dense"], "--run is about a chart"),
        (["r.json", "--run", "zebra", "-o", "differences.svg"], 'no run "zebra"'),
        (["r.json", "--load", "0"], "--load"),
        (["r.json", "-o", "a.md", "-o", "./a.md"], "is to be written twice"),
        ([], "there is no report in this workspace yet"),
    ],
)
def test_a_wrong_call_gets_one_message(call, arguments, said):
    code, _, err = call("report", *arguments)
    assert code == 2
    assert said in err
    assert "Traceback" not in err


def test_without_a_name_it_is_the_newest(call, tmp_path):
    (tmp_path / "ws").mkdir()
    with closing(ledger(tmp_path / "ws" / "ledger.sqlite")) as opened:
        for name in ("older", "newer", "unfinished"):
            begun = opened.begin(identity=name, name=name, about={}, runs=["a"], resume=False)
            if name != "unfinished":
                made = plain.dumps(json(report(name, begun.id))).encode()
                opened.finish(begun.id, "completed", report=made)
    code, out, _ = call("report")
    which, headline, *_ = out.splitlines()
    assert (code, headline.partition(":")[0]) == (0, "newer")
    assert which.startswith("report ")
    assert which.endswith(", the newest of the workspace")


def test_help_and_run_without_charts_import_nothing_heavy():
    code = "import sys; from assay.cli import start; start(['report', '--help'])"
    code += "; from assay.workflows.run import run; import assay.cli._report"
    code += "; print(sorted({'altair', 'jinja2', 'vl_convert'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_the_list_names_charts_and_shapes(call):
    code, out, _ = call("list", "charts", "shapes", "outputs", "--json")
    assert code == 0
    told = plain.loads(out)
    assert {"quality", "waterfall", "effects"} <= set(told["charts"])
    assert set(told["shapes"]) == {"akashic", "exocortex", "consciousdb"}
    assert {"html", "svg", "png", "json", "md"} <= set(told["outputs"])

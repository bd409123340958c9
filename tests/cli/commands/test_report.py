"""`assay report`, called as the command line calls it."""

import json as plain
import re
import subprocess
import sys
from contextlib import closing
from dataclasses import replace

import pytest

from assay.cli import start
from assay.records import Interval, Report, Run
from assay.reports.runs.json.json import json
from assay.workspace.ledger.ledger import open_ledger


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
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("ASSAY_WORKSPACE", str(tmp_path / "ws"))
    (tmp_path / "r.json").write_text(plain.dumps(json(report())), encoding="utf-8")

    def called(*arguments):
        code = start([str(one) for one in arguments])
        told = capsys.readouterr()
        return code, told.out, told.err

    return called


def test_a_screen_has_the_table_findings_and_where_the_rest_is(call, snapshot):
    code, out, err = call("report", "r.json")
    assert code == 0
    lines = out.splitlines()
    titles = next(line for line in lines if line.startswith("run "))
    assert titles.split() == ["run", "ndcg@10", "p95", "ms"]
    assert out.index("dense") < out.index("\n- ")  # the answer is first
    assert len(lines) < 25
    assert "assay report r.json --all " in err
    assert "assay report r.json -o report.html " in err
    snapshot(out)
    snapshot(err)


def several(name="two"):
    """A report of two datasets, whose mean is the score."""
    told = report(name)
    each = {"queries": 4, "ndcg@10": 0.25}, {"queries": 4, "ndcg@10": 0.5}
    runs = [
        replace(one, collections=dict(zip(("ours", "theirs"), each, strict=True)))
        for one in (*told.runs, run("hybrid", 0.2))
    ]
    collections = {"ours": {"queries": 4}, "theirs": {"queries": 4}}
    return replace(told, dataset={**told.dataset, "collections": collections}, runs=tuple(runs))


@pytest.mark.parametrize("options", [(), ("--all",)])
def test_of_several_datasets_each_has_its_scores_and_the_mean_is_named(
    call, tmp_path, options, snapshot
):
    (tmp_path / "two.json").write_text(plain.dumps(json(several())), encoding="utf-8")
    code, out, _ = call("report", "two.json", *options)
    assert code == 0
    snapshot(line for line in out.splitlines() if line.startswith("two: ") or "collection" in line)
    rows = [line.split() for line in out.splitlines()]
    assert ["run", "ours", "theirs", "mean", "sd", "range"] in rows
    assert ["lexical", "0.2500", "0.5000", "0.3750", "-", "0.2500"] in rows


def test_on_a_small_screen_scores_by_dataset_are_left_to_all_tables(monkeypatch, capsys):
    from assay.cli.terminal import analysis

    for rows, shown in ((14, 0), (60, 1)):
        monkeypatch.setattr(analysis, "rows", lambda rows=rows: rows)
        analysis.show_analysis(several())
        assert capsys.readouterr().out.count("by collection") == shown


def test_all_has_the_tables_each_below_its_sentence_which_is_said_once(call):
    code, out, err = call("report", "r.json", "--all")
    assert code == 0
    assert out.index("dense") < out.index("improved")
    assert "category" in out
    _, screen, _ = call("report", "r.json")
    learnt = [line[2:] for line in screen.splitlines() if line.startswith("- ")]
    assert learnt
    assert all(out.count(line) == 1 for line in learnt)
    assert "assay report r.json -o report.html" in err
    assert "--all" not in err


def test_a_load_is_answered_first_with_its_table_and_asked_again_in_the_last_line(call, snapshot):
    code, out, err = call("report", "r.json", "--load", "50", "--cores", "4", "--price", "0.04")
    assert code == 0
    answers = [line for line in out.splitlines() if re.match(r"50\b.*\b4 cores", line)]
    assert len(answers) == 1
    assert out.index(answers[0]) < out.index("p50 at 50/s") < out.index("p95 ms")
    snapshot(answers)
    asked = "assay report r.json --load 50 --cores 4 --price 0.04"
    assert f"{asked} --all " in err
    assert f"{asked} -o report.html " in err
    _, out, _ = call("report", "r.json", "--load", "50", "--all")
    assert out.count("p50 at 50/s") == 1


def test_a_low_screen_has_fewer_sentences_and_at_least_one(call, monkeypatch):
    def learnt(rows):
        monkeypatch.setattr("assay.cli.terminal.analysis.rows", lambda: rows)
        lines = call("report", "r.json")[1].splitlines()
        return [line for line in lines if line.startswith("- ") and "older version" not in line]

    every = learnt(None)
    assert len(every) > 1
    assert learnt(100) == every
    assert learnt(13) == every[:-1]
    assert learnt(5) == every[:1]


def test_an_older_report_says_once_what_it_lacks(call, tmp_path, snapshot):
    made = report()
    runs = tuple(replace(one, waterfall={"order": 0.5}) for one in made.runs)
    (tmp_path / "new.json").write_text(plain.dumps(json(replace(made, runs=runs))))
    old, new, every = (
        [line for line in call("report", *words)[1].splitlines() if line.startswith("- ")]
        for words in (["r.json"], ["new.json"], ["r.json", "--all"])
    )
    (said,) = set(old) - set(new)
    assert old.count(said) == every.count(said) == 1
    snapshot(said)


def test_those_that_were_beaten_say_so_in_the_table(call, tmp_path, snapshot):
    made = report()
    runs = (*made.runs, replace(run("slow", -0.2), status="beaten"))
    one = {"run": "slow", "after": 5, "by": "dense", "score": 0.2, "leader_score": 0.5}
    race = {"beaten": [one | {"e_value": 25.0}], "survivors": ["lexical", "dense"]}
    race |= {"metric": "ndcg@10", "method": "betting", "alpha": 0.05, "queries": 8}
    race |= {"searches": 21, "searches_full": 24, "saved": 0.125, "statement": "s"}
    raced = replace(made, runs=runs, race=race)
    (tmp_path / "race.json").write_text(plain.dumps(json(raced)))
    _, out, _ = call("report", "race.json")
    assert "\n† " in out
    assert "0.175†" in out
    snapshot(out)


def test_files_are_written_instead_and_named(call, tmp_path):
    code, out, err = call("report", "r.json", "-o", "a.md", "-o", "quality.svg")
    assert (code, out) == (0, "")
    assert [line.split()[-1] for line in err.splitlines()] == ["a.md", "quality.svg"]
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
    assert err.startswith("error: zebra.png: ")
    assert "quality" in err
    assert not (tmp_path / "a.md").exists()


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ("no.json", "no.json"),
        ("r.json --run dense", "--run"),
        ("r.json --run zebra -o differences.svg", '"zebra"'),
        ("r.json --load 0", "--load"),
        ("r.json -o a.md -o ./a.md", "a.md"),
    ],
)
def test_a_wrong_call_gets_one_message(call, arguments, named, snapshot):
    code, out, err = call("report", *arguments.split())
    assert (code, out) == (2, "")
    assert named in err
    snapshot(err)


def test_without_a_name_it_is_the_newest(call, tmp_path, snapshot):
    (tmp_path / "ws").mkdir()
    with closing(open_ledger(tmp_path / "ws" / "ledger.sqlite")) as opened:
        for name in ("older", "newer", "unfinished"):
            begun = opened.begin(identity=name, name=name, about={}, runs=["a"], resume=False)
            if name != "unfinished":
                made = plain.dumps(json(report(name, begun.id))).encode()
                opened.finish(begun.id, "completed", report=made)
                newest = begun.id
    code, out, _ = call("report")
    which = out.splitlines()[0]
    assert code == 0
    assert "\nnewer: " in out
    assert which.startswith(f"report {newest[:8]}")
    snapshot(re.sub(r"[0-9a-f]{8,}.*\d", "ID", which))


def test_help_and_run_without_charts_import_nothing_heavy():
    code = "import sys; from assay.cli import start; start(['report', '--help'])"
    code += "; from assay.workflows.run import run; import assay.cli.terminal.report"
    code += "; print(sorted({'altair', 'jinja2', 'vl_convert'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_the_list_names_charts_and_shapes(call):
    code, out, _ = call("list", "charts", "shapes", "outputs", "--json")
    assert code == 0
    told = plain.loads(out)
    assert {"quality", "waterfall", "effects"} <= set(told["charts"])
    assert set(told["shapes"]) == {"akashic", "exocortex", "consciousdb", "sia_code"}
    assert {"html", "svg", "png", "json", "md"} <= set(told["outputs"])

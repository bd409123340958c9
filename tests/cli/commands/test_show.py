"""`assay show` and `assay compare REPORT REPORT`, called as the command line calls them."""

import inspect
import json as plain
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

import assay
from assay.cli import start
from assay.errors import InputError
from assay.records import Interval, Report, Run, Verdict
from assay.reports.runs.json.json import json
from assay.workspace.ledger.ledger import open_ledger

QUERIES = {
    f"q{at}": {"text": f"how to do {at}", "category": "ops", "judged": {"d1": 3, "d9": 0}}
    for at in range(12)
}


def run(name, shift=0.0, **options):
    scores = [round(0.2 + 0.05 * at + shift, 4) for at in range(12)]
    times = {"mean": 4.0, "p50": 4.0, "p95": 8.0, "p99": 9.0, "intervals": {"p95": [7.0, 9.0]}}
    stage = {"mean": 1.0, "p50": 1.0, "p95": 2.0, "p99": 2.5}
    return Run(
        **{"name": name, "fingerprint": f"{name}-done", "configuration": {"search": name}}
        | {"scores": {"ndcg@10": sum(scores) / 12}, "intervals": {"ndcg@10": Interval(0.3, 0.6)}}
        | {"per_query": {f"q{at}": {"ndcg@10": score} for at, score in enumerate(scores)}}
        | {"latency_ms": {**times, "stages": {"embed": stage}, "queries": {"q7": 8.5, "q1": 2.0}}}
        | {"indexing": {"seconds": 3.25}, "storage": {"index_bytes": 5000}, "judged_at_10": 0.5}
        | {"rankings": {"q0": ("d1", f"{name}.md")}, "categories": {"ops": {"ndcg@10": 0.4}}}
        | options
    )


def report(*runs, **options):
    return Report(
        **{"benchmark": {"name": "bench", "metrics": ["ndcg@10"], "primary": "ndcg@10"}}
        | {"dataset": {"name": "d", "queries": 12, "fingerprint": "d"}}
        | {"corpus": {"name": "c", "documents": 9, "fingerprint": "c"}}
        | {"environment": {"cpu": "A", "cores": 2}, "queries": QUERIES}
        | {"truth": {"total": 12, "resolved": 12, "leaked": 0, "judged@10": 0.5}}
        | {"runs": runs, **options}
    )


@pytest.fixture
def saved(tmp_path, monkeypatch):
    """Write reports into the folder in which commands are called."""
    monkeypatch.chdir(tmp_path)

    def save(name, made):
        (tmp_path / name).write_text(plain.dumps(json(made)), encoding="utf-8")
        return name

    return save


@pytest.fixture
def call(capsys):
    def called(*arguments):
        code = start([str(one) for one in arguments])
        told = capsys.readouterr()
        return code, told.out, told.err

    return called


def test_a_report_is_shown_whole(saved, call, snapshot):
    path = saved("r.json", report(run("lexical"), run("dense"), notes=("be careful",)))
    code, out, err = call("show", path)
    assert code == 0
    assert "0.4750 [0.300, 0.600]" in out
    assert "search" in out.split("bytes/doc")[1]  # the setting that differs
    assert "note: be careful" in err
    snapshot(out)
    snapshot(err)
    _, out, _ = call("show", path, "--json")
    assert plain.loads(out) == plain.loads(Path(path).read_text(encoding="utf-8"))


def test_one_run_is_shown_with_all_that_was_measured(saved, call, snapshot):
    lost = {"q3": "the server was busy"}
    path = saved("r.json", report(run("lexical"), run("dense", failed=lost, aliases=("vectors",))))
    told = set()
    for named in ((path, "--run", "vectors"), (f"{path}:dense",), (path, "--run", "dense-d")):
        code, out, _ = call("show", *named)
        assert code == 0
        told.add(out)
    (out,) = told
    for part in ("vectors", "[0.3000, 0.6000]", "embed", "3.25", "5,000", lost["q3"], "ops"):
        assert part in out
    assert QUERIES["q0"]["text"] in out  # the query that scores least, with its text
    assert out.index("q7") < out.rindex("q1")  # the slowest first
    snapshot(out)
    value = plain.loads(call("show", path, "--run", "dense", "--json")[1])
    assert (value["name"], value["verdict"]) == ("dense", None)


def test_the_parts_of_an_index_that_are_not_counted_are_told(saved, call, snapshot):
    sizes = {"index_bytes": 30, "text_bytes": 50, "vector_bytes": 10, "lexical_bytes": 20}
    path = saved("r.json", report(run("lexical", storage=sizes)))
    out = call("show", path, "--run", "lexical")[1]
    (line,) = [line for line in out.splitlines() if line.startswith("text bytes")]
    assert line.split()[-1] == "50"
    snapshot(line)


def test_one_query_is_shown_over_all_runs(saved, call, snapshot):
    path = saved("r.json", report(run("lexical"), run("dense", 0.1, failed={"q0": "busy"})))
    told = set()
    for named in ("q0", QUERIES["q0"]["text"]):
        code, out, _ = call("show", path, "--query", named)
        assert code == 0
        told.add(out)
    (out,) = told
    for part in ("[3] d1", "lexical.md", "dense.md", "busy"):
        assert part in out
    snapshot(out)
    value = plain.loads(call("show", path, "--query", "q0", "--json")[1])
    assert value["runs"][0]["documents"][0] == {"rank": 1, "document": "d1", "grade": 3}
    assert value["runs"][1]["scores"] == {"ndcg@10": 0.3}
    assert value["text"] == QUERIES["q0"]["text"]


def test_many_runs_with_the_same_documents_have_one_column():
    from assay.reports.runs.tables.of_query import of_query

    kinds = {"q0": ("d1", "d2")}, {"q0": ("d2",)}
    made = report(*(run(f"r{at}", rankings=kinds[at % 2]) for at in range(5)))
    table = of_query(made, "q0")[1]
    assert table.titles == ("rank", "r0 (+2)", "r1 (+1)")
    assert [list(row) for row in table.rows] == [[1, "[3] d1", "d2"], [2, "d2", ""]]
    assert "(+n)" in table.caption
    named = report(*(run(f"{name} and so on and on {'x' * 40}") for name in "abcde"))
    titles = of_query(named, "q0", width=60)[1].titles[1:]
    assert max(map(len, titles)) <= 20


SWEEP = [f"chunks chunk_size={size} fusion={how}" for size in (64, 128) for how in ("rrf", "max")]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("chunks 128 max", 3),  # as a table prints it
        ("chunk_size=128 fusion=rrf", 2),
        ("4 chunks 128 max", 3),  # with the number of its row
        ("4", 3),
        ("64 rrf", 0),
        ("12 ma", 3),  # words without their ends
        ("chun… 64 max", 1),
        ("chunk…8 fusion=rrf", 2),
        ("4 …8 max", 3),
        ("=64 FUSION=r", 0),
    ],
)
def test_a_run_is_found_by_what_was_printed_of_it(saved, call, typed, meant):
    path = saved("r.json", report(*map(run, SWEEP)))
    code, out, _ = call("show", path, "--run", typed)
    assert (code, out.split(": completed")[0]) == (0, SWEEP[meant])


@pytest.mark.parametrize("width", [40, 50, 60, 70, 80])
def test_every_name_that_a_table_shortens_is_found(width):
    from assay.reports.layout import layout
    from assay.reports.runs.phrases.run_numbers import number_runs
    from assay.reports.runs.tables.summary import summary
    from assay.workflows.show import find_run

    made = report(*map(run, [*SWEEP, "words", "both of them, with a reranker of its own"]))
    names = [one.name for one in made.runs]
    for lines in (
        layout(summary(made, width=width), width),
        layout(number_runs(summary(made, width=width), names), width),
    ):
        printed = [line[0].text.strip() for line in lines[2 : 2 + len(names)]]
        assert [find_run(made, name).name for name in printed] == names


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("128", SWEEP[2:]), ("1 chunks 128 max", ()), ("5", ()), ("…", SWEEP)],
    ids=["two", "wrong number", "no such number", "all"],
)
def test_what_may_mean_several_runs_is_asked_back(saved, call, typed, meant, snapshot):
    code, out, err = call("show", saved("r.json", report(*map(run, SWEEP))), "--run", typed)
    assert (code, out) == (2, "")
    assert f'"{typed}"' in err
    assert all(name in err for name in meant)
    snapshot(err)


def test_documents_have_their_whole_names_in_as_many_columns_as_there_is_room_for():
    from assay.reports.layout import layout
    from assay.reports.runs.tables.of_query import of_query

    names = [f"some/long/path/of/a/{at}/document.py" for at in range(5)]
    made = report(*(run(f"r{at}", rankings={"q0": tuple(names)}) for at in range(3)))
    assert len(of_query(made, "q0")) == 2
    _, *tables = of_query(made, "q0", width=80)
    assert [table.titles for table in tables] == [("rank", "r0", "r1"), ("rank", "r2")]
    assert [table.caption[:5] for table in tables] == ["Top d", ""]
    for table in tables:
        text = "\n".join("".join(piece.text for piece in line) for line in layout(table, 80))
        assert all(text.count(name) == len(table.titles) - 1 for name in names)
    assert len(of_query(made, "q0", width=10)) == 4


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (("--run", "lexicla"), '"lexical"'),
        (("--query", "nothing like it"), "q0, q1"),
        (("--query", "q"), '"q"'),
        (("--query", ""), '""'),
        (("--run", "a", "--query", "b"), "--query"),
    ],
    ids=["run", "text", "key", "empty", "both"],
)
def test_what_is_not_in_a_report_is_one_message(saved, call, options, named, snapshot):
    code, out, err = call("show", saved("r.json", report(run("lexical"))), *options)
    assert (code, out) == (2, "")
    assert named in err
    snapshot(err)


@pytest.mark.parametrize("name", ["nothing.json", "deadbeef", "", ".", "no/such/place"])
def test_what_is_no_report_is_one_message(call, tmp_path, name, monkeypatch, snapshot):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ASSAY_WORKSPACE", str(tmp_path / "empty"))
    code, _, err = call("show", name)
    assert code == 2
    assert err.startswith("error: ")
    assert err.count("\n  hint: ") == 1
    snapshot(err)


def test_benchmarks_of_a_workspace_are_listed_and_opened_by_the_start_of_their_id(
    call, tmp_path, snapshot
):
    code, out, err = call("show", "--workspace", tmp_path)
    assert (code, out) == (0, "")
    snapshot(err)
    assert not list(tmp_path.iterdir())  # looking makes nothing
    with closing(open_ledger(tmp_path / "ledger.sqlite")) as opened:
        first = opened.begin(identity="1", name="bench", about={}, runs=["a", "b"], resume=False)
        made = plain.dumps(json(report(run("lexical"), id=first.id))).encode()
        opened.finish(first.id, "completed", report=made)
        second = opened.begin(identity="2", name="later", about={}, runs=["a"], resume=False)
    _, out, _ = call("show", "--workspace", tmp_path)
    assert [line.split()[1] for line in out.splitlines()[2:]] == ["later", "bench"]
    value = plain.loads(call("show", "--workspace", tmp_path, "--json")[1])
    assert value["benchmarks"][1]["runs"] == {"a": "completed", "b": "completed"}
    beginning = next(first.id[:n] for n in range(1, 40) if first.id[:n] != second.id[:n])
    value = plain.loads(call("show", beginning, "--workspace", tmp_path, "--json")[1])
    assert value["id"] == first.id
    for which in ([f"{first.id}:lexical"], ["--run", "lexical"]):  # of the newest report
        value = call("show", *which, "--workspace", tmp_path, "--json")[1]
        assert plain.loads(value)["name"] == "lexical"
    code, _, err = call("show", second.id, "--workspace", tmp_path)
    assert code == 2
    snapshot(err.replace(second.id, "SECOND"))
    code, out, _ = call("compare", first.id, first.id, "--workspace", tmp_path, "--json")
    assert (code, plain.loads(out)["queries"]) == (0, 12)


def test_what_has_no_report_yet_is_finished_by_the_command_that_started_it(call, tmp_path):
    about = {"command": {"verb": "demo", "file": None, "options": [], "flags": ["full"]}}
    with closing(open_ledger(tmp_path / "ledger.sqlite")) as opened:
        one = opened.begin(identity="1", name="demo", about=about, runs=["a"], resume=False)
    for command in (["show", one.id], ["report", one.id], ["report"]):
        code, _, err = call(*command, "--workspace", tmp_path)
        assert code == 2
        assert "`assay demo --full --resume`" in err


def test_what_was_killed_is_told(call, tmp_path, monkeypatch):
    from assay.workspace.ledger import ledger as module

    with closing(open_ledger(tmp_path / "ledger.sqlite")) as opened:
        opened.begin(identity="1", name="lives", about={}, runs=["a"], resume=False)
        gone = f"{module.worker_name().split('/')[0]}/999999999/1"
        monkeypatch.setattr(module, "worker_name", lambda: gone)
        opened.begin(identity="2", name="killed", about={}, runs=["a"], resume=False)
        monkeypatch.setattr(module, "worker_name", lambda: "elsewhere/1/1")
        opened.begin(identity="3", name="far", about={}, runs=["a"], resume=False)
    code, out, err = call("show", "--workspace", tmp_path)
    assert code == 0
    assert [line.split()[1:3] for line in out.splitlines()[2:]] == [
        ["far", "running"],
        ["killed", "interrupted"],
        ["lives", "running"],
    ]
    assert "--resume" in err
    value = plain.loads(call("show", "--workspace", tmp_path, "--json")[1])
    assert [one["state"] for one in value["benchmarks"]] == ["running", "interrupted", "running"]


def test_reports_are_compared_run_by_run(saved, call, tmp_path, snapshot):
    old = saved("old.json", report(run("lexical"), run("gone")))
    changed = run("lexical", 0.1, configuration={"search": "hybrid"})
    made = report(changed, run("fresh"), environment={"cpu": "B", "cores": 2})
    new = saved("new.json", made)
    sheet = tmp_path / "c.csv"
    code, out, err = call("compare", old, new, "-o", sheet, "-o", tmp_path / "c.md")
    assert code == 0
    for part in ("12 queries", "+0.1000", "lexical → hybrid", "lexical: SHIP"):
        assert part in out
    assert "A → B" in err
    snapshot(out)
    snapshot(err)
    rows = pl.read_csv(sheet)
    assert rows["report"].to_list() == ["new.json"]
    assert rows["difference"].to_list() == pytest.approx([0.1])
    assert "SHIP" in (tmp_path / "c.md").read_text(encoding="utf-8")


def test_json_of_compared_reports_has_the_shape_of_a_comparison(saved, call):
    old, new = saved("o.json", report(run("a"))), saved("n.json", report(run("a", 0.1)))
    value = plain.loads(call("compare", old, new, "--json")[1])
    assert {"baseline", "candidates", "judge_next"} <= set(value)
    (one,) = value["candidates"]
    assert {"run", "metrics", "verdict", "costs", "configuration", "report"} <= set(one)
    promised = "baseline candidate difference ci p p_corrected wins ties losses smallest_detectable"
    assert {*promised.split(), "holes"} <= set(one["metrics"]["ndcg@10"])
    assert {"outcome", "reason", "queries_needed"} <= set(one["verdict"])
    assert one["metrics"]["ndcg@10"]["difference"] == pytest.approx(0.1)
    assert value["reports"][0]["times_comparable"] is True


def test_nothing_changed_is_one_line(saved, call, snapshot):
    one = report(run("a"), run("b", 0.1))
    code, out, err = call("compare", saved("o.json", one), saved("n.json", one))
    assert (code, err, out.count("\n")) == (0, "", 1)
    assert {"o.json", "n.json"} <= {*out.split()}
    snapshot(out)


SLOWER = {"mean": 14.0, "p50": 14.0, "p95": 18.0, "p99": 19.0, "intervals": {"p95": [17.0, 19.0]}}


@pytest.mark.parametrize(
    ("runs", "options"),
    [
        ((run("a", 0.001), run("b")), {}),
        ((run("a"), run("c")), {}),
        ((run("a"),), {}),
        ((run("a"), run("b", configuration={"search": "b", "depth": 9})), {}),
        ((run("a"), run("b", storage={"index_bytes": 9000})), {}),
        ((run("a"), run("b", latency_ms={**SLOWER, "stages": {}})), {}),
        ((run("a"), run("b", scores={}, per_query={}, status="failed", error="gone")), {}),
        ((run("a"), run("b")), {"queries": {**QUERIES, "q0": {**QUERIES["q0"], "text": "new"}}}),
    ],
    ids=["score", "name", "gone", "setting", "bytes", "latency", "failed", "query"],
)
def test_any_change_is_shown(saved, call, runs, options):
    old = saved("o.json", report(run("a"), run("b")))
    _, out, _ = call("compare", old, saved("n.json", report(*runs, **options)))
    assert out.count("\n") > 1
    assert "No change:" not in out


def test_runs_without_a_change_are_named_in_a_line(saved, call):
    old = saved("o.json", report(run("a"), run("b")))
    new = report(run("a"), run("b", 0.1), run("c", 0.2))
    _, out, _ = call("compare", old, saved("n.json", new))
    score = new.runs[2].scores["ndcg@10"]
    assert f"added: c (ndcg@10 {score:.3f})\nno change in scores and costs: a\n" in out
    assert not [line for line in out.splitlines() if line.strip().startswith("a ")]


def test_verdicts_that_differ_between_reports_are_told(saved, call):
    pair = [run("a"), run("b")]
    told = [
        replace(report(*pair), uncompared={"b": Verdict(outcome, "Why.")})
        for outcome in ("hold", "ship")
    ]
    old, new = (saved(name, one) for name, one in zip(("o.json", "n.json"), told, strict=True))
    _, out, _ = call("compare", old, new)
    assert "b: verdict in its report HOLD → SHIP" in out
    _, out, _ = call("compare", old, new, "--json")
    changed = plain.loads(out)["reports"][0]["verdicts"]
    assert changed == {"b": {"before": "hold", "after": "ship"}}


def test_costs_that_were_not_compared_are_not_called_the_same(saved, call):
    old = saved("o.json", report(run("a")))
    untimed = saved("n.json", report(run("a", latency_ms={})))
    _, out, _ = call("compare", old, untimed)
    assert out.startswith("No change: ")
    assert "scores and costs" not in out
    assert "were not compared" in out


def test_another_commit_on_the_same_machine_is_told_and_compared(saved, call, snapshot):
    old = saved("o.json", report(run("a"), environment={"cpu": "A", "git_commit": "a" * 40}))
    new = saved("n.json", report(run("a"), environment={"cpu": "A", "git_commit": "b" * 40}))
    _, out, err = call("compare", old, new)
    assert f"{'a' * 12} → {'b' * 12}" in err
    snapshot(err)
    snapshot(out)


def test_two_runs_of_one_report_are_compared(saved, call):
    path = saved("r.json", report(run("a"), run("b", 0.1)))
    code, out, _ = call("compare", f"{path}:a", f"{path}:b")
    assert code == 0
    assert out.index("r.json:b") < out.index("r.json:a") < out.index("+0.1000")
    _, out, _ = call("compare", path, path, "--run", "a")
    assert "b" not in {line.split()[0] for line in out.splitlines() if line.strip()}


@pytest.mark.parametrize(("shift", "code"), [(0.1, 0), (-0.1, 1), (0.0, 3)])
def test_check_turns_the_verdict_into_an_exit_code(saved, call, shift, code):
    old, new = saved("o.json", report(run("a"))), saved("n.json", report(run("a", shift)))
    assert call("compare", old, new, "--check")[0] == code


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ("", "error: "),
        ("r.json", "error: "),
        ("r.json r.json --ties order", "--ties"),
        ("r.json r.json --judge 3", "--judge"),
        ("r.json r.json --corpus c", "--corpus"),
        ("r.json r.json --qrels Q --run a", "--run"),
        ("r.json --models minilm", "--models"),
        ("r.json r.json --run zzz", '"zzz"'),
        ("r.json:a r.json --run b", "--run"),
        ("r.json t.run", "--qrels"),
    ],
)
def test_what_does_not_go_together_is_one_message(
    saved, call, tmp_path, arguments, named, snapshot
):
    saved("r.json", report(run("a")))
    (tmp_path / "t.run").write_text("q1 Q0 d1 1 2.0 x\n")
    code, out, err = call("compare", *arguments.split())
    assert (code, out) == (2, "")
    assert named in err
    snapshot(err)


def test_models_are_run_and_shown(call, monkeypatch):
    asked, known = {}, inspect.signature(assay.run)

    def fake(benchmark, **options):  # the real one embeds for minutes; its own tests run it
        asked.update(options, benchmark=benchmark)
        return report(run("minilm"), run("static"))

    monkeypatch.setattr("assay.workflows.run.run", fake)
    words = ("--models", "minilm,static", "--dataset", "d", "--corpus", "pages")
    code, out, _ = call("compare", *words)
    assert code == 0
    assert asked["corpus"] == "pages"
    assert "progress" in asked
    known.bind(**asked)
    assert (asked["model"], asked["dataset"], asked["benchmark"]) == ("minilm,static", "d", None)
    assert "static" in out


def test_many_runs_get_lines_instead_of_paragraphs(saved, call, snapshot):
    old = saved("o.json", report(*(run(f"r{at}") for at in range(6))))
    new = saved("n.json", report(*(run(f"r{at}", 0.1) for at in range(6))))
    out = call("compare", old, new)[1]
    assert out.count("SHIP") == 6
    snapshot(out)


def test_a_report_is_written_in_every_format(tmp_path):
    from assay.cli.terminal.report import check_report_outputs, write_report

    names = ["r.json", "r.md", "r.tex", "r.csv", "r.parquet", "r.queries.csv", "r.scores.parquet"]
    names += ["r.txt"]
    paths = [str(tmp_path / name) for name in names]
    check_report_outputs(paths)
    written = write_report(paths, report(run("lexical"), run("dense", 0.1)))
    assert written == paths
    queries = pl.read_csv(tmp_path / "r.queries.csv")
    assert queries.columns == ["run", "query", "metric", "score", "error"]
    assert len(queries) == 24
    assert pl.read_parquet(tmp_path / "r.scores.parquet")["run"].to_list() == ["lexical", "dense"]
    assert len(pl.read_csv(tmp_path / "r.csv")) == 2
    assert "lexical" in (tmp_path / "r.txt").read_text()
    assert "| lexical | lexical |" in (tmp_path / "r.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["r.run", "r.trec", "R.TREC"])
def test_a_report_is_no_run_file(tmp_path, name):
    from assay.cli.terminal.report import check_report_outputs

    with pytest.raises(InputError, match="--save-runs"):
        check_report_outputs([str(tmp_path / name)])


def test_the_rules_are_those_of_the_later_benchmark_unless_others_are_given(saved, call):
    told = {"name": "bench", "metrics": ["ndcg@10"], "primary": "ndcg@10"}
    new = report(run("a"), benchmark=told | {"margin": 0.25, "alpha": 0.01})
    places = saved("o.json", report(run("a"))), saved("n.json", new)
    rules = plain.loads(call("compare", *places, "--json")[1])["settings"]
    assert (rules["margin"], rules["alpha"]) == (0.25, 0.01)
    given = call("compare", *places, "--json", "--margin", "10%", "--alpha", "0.05")[1]
    rules = plain.loads(given)["settings"]
    assert (rules["margin"], rules["alpha"]) == (0.1, 0.05)

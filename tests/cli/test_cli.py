"""The command line as a person meets it, in a process of its own where that matters."""

import io
import json
import os
import signal
import subprocess
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from types import SimpleNamespace

import polars as pl
import pytest

from assay.cli import start

TINY = Path(__file__).parents[2] / "examples" / "tiny"
FILES = ("qrels.txt", "bm25.run", "hybrid.run")


def assay(*arguments, cwd=TINY):
    """Run a command in this process."""
    out, err = io.StringIO(), io.StringIO()
    with chdir(cwd), redirect_stdout(out), redirect_stderr(err):
        code = start([*map(str, arguments)])
    return SimpleNamespace(returncode=code, stdout=out.getvalue(), stderr=err.getvalue())


def test_eval_json_has_the_keys_that_programs_rely_on():
    done = assay("eval", *FILES, "-m", "ndcg@10,mrr", "-m", "rbp", "--json", "--per-query")

    value = json.loads(done.stdout)
    assert done.returncode == 0
    assert value["queries"] == 60
    assert [run["run"] for run in value["runs"]] == ["bm25", "hybrid"]
    assert list(value["runs"][0]["scores"]) == ["ndcg@10", "mrr", "rbp(p=0.8)"]
    assert value["runs"][0]["missing_queries"] == 0
    scores = [query["ndcg@10"] for query in value["runs"][0]["per_query"].values()]
    assert sum(scores) / 60 == pytest.approx(value["runs"][0]["scores"]["ndcg@10"], abs=1e-15)


def test_eval_and_compare_look_expected_files_up_in_a_corpus(tmp_path, snapshot):
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "auth.py").write_text("class Session:\n    pass\n")
    (tmp_path / "q.yaml").write_text(
        "queries: [{id: q, query: x, expected_files: [auth.py], expected_symbols: [session]}]\n"
    )
    (tmp_path / "a.run").write_text("q Q0 b.py 1 2 t\nq Q0 .\\\\auth.py 2 1 t\n")
    ndcg = 0.6309297535714575  # 1 / log2(3): one item, met at rank 2
    done = assay("eval", "q.yaml", "a.run", "--corpus", "src", "-m", "ndcg", "--json", cwd=tmp_path)
    (run,) = json.loads(done.stdout)["runs"]
    assert run["scores"]["ndcg"] == pytest.approx(ndcg)
    assert '"auth.py"' in done.stderr
    snapshot(done.stderr)
    (tmp_path / "f.yaml").write_text("queries: [{id: q, query: x, expected_files: [auth.py]}]\n")
    same = ("--qrels", "f.yaml", "--corpus", "src", "-m", "ndcg", "--match-weights", "--json")
    done = assay("compare", "a.run", "a.run", *same, cwd=tmp_path)
    found = json.loads(done.stdout)["candidates"][0]["metrics"]["ndcg"]
    assert found["baseline"] == pytest.approx(ndcg * 0.7)
    done = assay("eval", "q.yaml", "a.run", cwd=tmp_path)
    assert done.returncode == 2
    assert "--corpus" in done.stderr


def test_eval_without_metrics_uses_the_defaults():
    value = json.loads(assay("eval", "qrels.txt", "bm25.run", "--json").stdout)

    names = list(value["runs"][0]["scores"])
    assert names[:3] == ["precision@5", "precision@10", "precision@20"]
    assert names[-2:] == ["mrr", "ap"]
    assert len(names) == 11


def test_eval_reads_standard_input_and_says_what_is_missing(snapshot):
    lines = (TINY / "bm25.run").read_text().splitlines(keepends=True)
    run = "".join(line for line in lines if not line.startswith(("q1 ", "q2 ")))

    command = [sys.executable, "-m", "assay", "eval", "qrels.txt", "-", "-m", "mrr"]
    done = subprocess.run(command, input=run, cwd=TINY, capture_output=True, text=True, check=True)

    assert "stdin" in done.stdout
    assert " 2 " in done.stderr
    snapshot(done.stderr)
    assert next(line for line in done.stdout.splitlines() if line.startswith("missing")).endswith(
        "2"
    )


def test_eval_writes_every_format(tmp_path):
    paths = [tmp_path / f"out.{extension}" for extension in ("csv", "json", "parquet", "md", "tex")]
    outputs = [word for path in paths for word in ("-o", path)]

    done = assay("eval", *FILES, "-m", "ndcg@10", "--per-query", *outputs)

    assert done.returncode == 0, done.stderr
    table = pl.read_csv(paths[0])
    assert table.columns == ["run", "query", "ndcg@10"]
    assert table.shape == (120, 3)
    assert pl.read_parquet(paths[2]).equals(table)
    full = json.loads(paths[1].read_text())["runs"][1]["per_query"]["q7"]["ndcg@10"]
    row = table.filter((pl.col("run") == "hybrid") & (pl.col("query") == "q7"))
    assert row["ndcg@10"][0] == full  # no digit is lost
    assert "| ndcg@10 |" in paths[3].read_text()
    assert r"\toprule" in paths[4].read_text()


def test_runs_of_one_file_name_keep_their_folders(tmp_path):
    for folder in ("old", "new"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "result.run").write_text((TINY / "bm25.run").read_text())

    done = assay("eval", TINY / "qrels.txt", "old/result.run", "new/result.run", cwd=tmp_path)

    assert "old/result.run" in done.stdout
    assert "new/result.run" in done.stdout


def test_compare_json_has_the_keys_that_programs_rely_on():
    done = assay(
        "compare", "bm25.run", "hybrid.run", "--qrels", "qrels.txt", "--json", "-m", "ndcg@10,ap"
    )

    value = json.loads(done.stdout)
    candidate = value["candidates"][0]
    metric = candidate["metrics"]["ndcg@10"]
    assert value["baseline"] == "bm25"
    assert candidate["run"] == "hybrid"
    wanted = (
        "baseline candidate difference ci p p_corrected wins ties losses smallest_detectable holes"
    )
    assert set(wanted.split()) <= set(metric)
    assert candidate["metrics"]["ap"]["holes"] is None
    assert candidate["verdict"]["outcome"] == "ship"
    told = {"outcome", "rule", "reason", "queries_needed", "queries_to_show", "change"}
    told |= {"queries_for_margin"}
    assert set(candidate["verdict"]) == told
    assert metric["ci"][0] < metric["difference"] < metric["ci"][1]
    assert all(set(one) >= {"query", "document"} for one in value["judge_next"])


@pytest.mark.parametrize(
    ("candidates", "code", "code_of_all"),
    [(["hybrid.run"], 0, 0), (["dense.run"], 3, 3), (["hybrid.run", "dense.run"], 0, 3)],
)
def test_check_turns_the_verdict_into_an_exit_code(candidates, code, code_of_all):
    arguments = ("compare", "bm25.run", *candidates, "--qrels", "qrels.txt", "-m", "ndcg@10")

    assert assay(*arguments).returncode == 0, "measured"
    assert assay(*arguments, "--check").returncode == code
    assert assay(*arguments, "--check-all").returncode == code_of_all


def test_check_fails_for_a_worse_candidate():
    done = assay(
        "compare", "hybrid.run", "bm25.run", "--qrels", "qrels.txt", "-m", "ndcg@10", "--check"
    )

    assert done.returncode == 1
    assert "DON'T SHIP" in done.stdout


def test_compare_writes_a_table_with_significance_marks(tmp_path):
    path = tmp_path / "table.tex"

    assay(
        "compare",
        "bm25.run",
        "hybrid.run",
        "dense.run",
        "--qrels",
        "qrels.txt",
        "-m",
        "ndcg@10",
        "-o",
        path,
    )

    rows = [
        line
        for line in path.read_text().splitlines()
        if line.startswith(("bm25", "hybrid", "dense"))
    ]
    assert ["blacktriangle" in row for row in rows] == [False, True, False]
    assert r"\textbf" in rows[1]


COMPARE = "compare bm25.run dense.run --qrels qrels.txt -m mrr"
WRONG = [
    ("eval qrels.txt bm25.run -m precision", "precision@"),
    ("eval qrels.txt bm25.run --scale 2", "qrels.txt: "),
    ("eval qrels.txt bm25.run -o no/such/folder.csv", "no/such/folder.csv"),
    ("eval qrels.txt bm25.run -o scores", "scores"),
    ("eval qrels.txt bm25.run -o a.csv -o a.csv", "a.csv"),
    ("eval - -", "error: "),
    ("eval qrels.txt bm25.run --scale 2000", "--scale"),
    (f"{COMPARE} --seed -1", "--seed"),
    (f"{COMPARE} --margin nan", "nan"),
    (f"{COMPARE} --collections nofile", "nofile"),
    ("compare bm25.run hybrid.run", "--qrels"),
    (f"{COMPARE} --primary rbp_residual", "rbp_residual"),
]


@pytest.mark.parametrize(("arguments", "named"), WRONG, ids=[typed for typed, _ in WRONG])
def test_a_mistake_gets_one_message_and_exit_code_2(arguments, named, monkeypatch, snapshot):
    monkeypatch.setenv("COLUMNS", "80")
    done = assay(*arguments.split())

    assert done.returncode == 2
    assert done.stdout == ""
    assert named in done.stderr
    snapshot(done.stderr)


def test_queries_that_do_not_match_are_said(tmp_path, snapshot):
    run = tmp_path / "other.run"
    run.write_text("x1 Q0 d01 1 3.5 t\n")

    done = assay("eval", "qrels.txt", run)

    assert done.returncode == 2
    assert '"x1"' in done.stderr
    snapshot(done.stderr)


def _with_output(stdout, *arguments):
    command = [sys.executable, "-m", "assay", *map(str, arguments)]
    return subprocess.run(command, cwd=TINY, stdout=stdout, stderr=subprocess.PIPE, check=False)


def test_a_reader_that_has_seen_enough_is_no_verdict(tmp_path):
    reader, writer = os.pipe()
    os.close(reader)
    path = tmp_path / "scores.csv"

    done = _with_output(writer, "eval", *FILES, "--per-query", "-o", path)
    os.close(writer)

    assert done.returncode == 141  # not 1, which --check uses for a candidate that must not ship
    assert b"Traceback" not in done.stderr
    assert b"Exception ignored" not in done.stderr
    assert path.exists()  # files are written before anything is printed


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only some systems have a full device")
def test_a_full_disk_is_said(snapshot):
    with Path("/dev/full").open("w") as full:
        done = _with_output(full, "eval", *FILES)

    assert done.returncode == 2
    snapshot(done.stderr.decode())


def test_names_that_the_output_cannot_spell_are_escaped(tmp_path):
    run = tmp_path / "検索.run"
    run.write_text((TINY / "bm25.run").read_text())
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    command = [sys.executable, "-m", "assay", "eval", "qrels.txt", str(run), "-m", "mrr"]

    done = subprocess.run(command, cwd=TINY, env=environment, capture_output=True, check=False)

    assert done.returncode == 0
    assert b"\\u691c" in done.stdout


def test_an_interrupt_ends_with_130():
    rows = ((q, d) for q in range(400) for d in range(800))
    run = "".join(f"q{q} Q0 d{d} 1 {1 / (d + 1)} t\n" for q, d in rows).encode()
    command = [sys.executable, "-m", "assay", "eval", "qrels.txt", "-"]
    pipe = subprocess.PIPE
    running = subprocess.Popen(command, cwd=TINY, stdin=pipe, stdout=pipe, stderr=pipe)
    running.stdin.write(run)  # far more than a pipe holds: it is being read, and does not end
    running.send_signal(signal.SIGINT)
    _, said = running.communicate(timeout=90)

    assert running.returncode == 130, said
    assert b"Traceback" not in said


def test_intervals_on_request():
    shown = assay("eval", "qrels.txt", "bm25.run", "-m", "ndcg@10", "--intervals").stdout
    done = assay("eval", "qrels.txt", "bm25.run", "-m", "ndcg@10", "--intervals", "--json")

    low, high = json.loads(done.stdout)["runs"][0]["intervals"]["ndcg@10"]
    assert f"0.6813 [{low:.3f}, {high:.3f}]" in shown


def test_the_same_file_twice_gets_a_number():
    value = json.loads(assay("eval", "qrels.txt", "bm25.run", "bm25.run", "--json").stdout)

    assert [run["run"] for run in value["runs"]] == ["bm25.run", "bm25.run (2)"]


def test_compare_says_how_far_the_judgments_carry(tmp_path, snapshot):
    tied = tmp_path / "tied.run"
    lines = (TINY / "bm25.run").read_text().splitlines()
    tied.write_text("".join(f"{' '.join(line.split()[:4])} 1.0 t\n" for line in lines))
    done = assay("compare", "bm25.run", tied, "--qrels", "qrels.txt", "-m", "ndcg@20", "--json")

    states = json.loads(done.stdout)["evaluations"]
    assert states[0]["unjudged"]["20"] > 0.1
    assert states[1]["tied"] == 60 * 19
    snapshot(done.stderr)


def test_a_small_evaluation_imports_nothing_heavy():
    heavy = ("polars", "scipy", "rich", "pandas", "importlib.metadata", "numpy.typing")
    code = f"""
import sys
from assay.cli import start as run
run(["eval", "qrels.txt", "bm25.run", "-m", "ndcg@10"])
print([name for name in {heavy} if name in sys.modules], file=sys.stderr)
"""

    done = subprocess.run(
        [sys.executable, "-c", code], cwd=TINY, capture_output=True, text=True, check=False
    )

    assert done.stderr.strip() == "[]"  # starting stays as fast as a plain numpy script


def test_a_margin_may_be_written_in_percent():
    percent, share = (
        assay(*COMPARE.split(), "--json", "--margin", text) for text in ("5%", "0.05")
    )

    assert percent.stdout == share.stdout


def test_list_names_every_metric():
    value = json.loads(assay("list", "metrics", "--json").stdout)

    assert {"ndcg", "precision", "recall", "mrr", "ap", "bpref", "rbp"} <= set(value)
    assert all(value.values())


def test_collections_of_unlike_size_count_alike(tmp_path):
    groups = tmp_path / "groups.txt"
    groups.write_text("".join(f"q{i} {'few' if i <= 5 else 'many'}\n" for i in range(1, 61)))
    arguments = ("compare", "bm25.run", "hybrid.run", "--qrels", "qrels.txt", "-m", "ap", "--json")

    plain = json.loads(assay(*arguments).stdout)["candidates"][0]["metrics"]["ap"]
    macro = json.loads(assay(*arguments, "--collections", groups).stdout)["candidates"][0]
    deltas = {c["query"]: c["difference"] for c in macro["changes"]}
    means = [
        sum(deltas.get(f"q{i}", 0) for i in part) / len(part)
        for part in (range(1, 6), range(6, 61))
    ]

    assert macro["metrics"]["ap"]["difference"] == pytest.approx(sum(means) / 2)
    assert macro["metrics"]["ap"]["difference"] != plain["difference"]

    groups.write_text("q1 few\nq2\n")
    wrong = assay(*arguments, "--collections", groups)
    assert wrong.returncode == 2
    assert "line 2" in wrong.stderr


def test_a_grade_that_nobody_gave_is_said(snapshot):
    done = assay("eval", "qrels.txt", "bm25.run", "-m", "recall(rel=9)@5")

    assert "recall(rel=9)@5" in done.stderr
    snapshot(done.stderr)


def test_condensing_still_shows_how_much_was_unjudged():
    kept = json.loads(assay("eval", "qrels.txt", "bm25.run", "-m", "ndcg@20", "--json").stdout)
    done = assay(
        "eval", "qrels.txt", "bm25.run", "-m", "ndcg@20", "--json", "--unjudged", "condense"
    )

    assert json.loads(done.stdout)["runs"][0]["unjudged"] == kept["runs"][0]["unjudged"]
    assert kept["runs"][0]["unjudged"]["20"] > 0.1


@pytest.mark.parametrize(
    ("typed", "hint"),
    [("--jsn", 'did you mean "--json"?'), ("--include", "see `assay eval --help`")],
)
def test_an_option_is_suggested_only_where_it_is_near(capsys, typed, hint):
    assert start(["eval", typed]) == 2
    assert capsys.readouterr().err == f'error: unknown option "{typed}"\n  hint: {hint}\n'


def test_a_cutoff_without_its_sign_is_meant(capsys):
    assert start(["eval", str(TINY / "qrels.txt"), str(TINY / "bm25.run"), "-m", "ndcg10"]) == 2
    assert 'did you mean "ndcg@10"?' in capsys.readouterr().err

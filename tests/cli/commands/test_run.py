"""``assay run``, as a person types it, with a real lexical index."""

import json
import os
import re
import subprocess
import sys
from types import SimpleNamespace

import polars as pl
import pytest

from assay.cli import start as run

TEXTS = {
    "retry.py": "def retry_request(times):\n    '''Send a request again when it failed.'''\n",
    "cache.py": "def cached_answer(key):\n    '''Return an answer that was kept.'''\n",
    "logs.md": "# Rotating logs\n\nA log file is rotated every day at midnight.\n",
    "setup.md": "# Setting up\n\nInstall the package, then write a configuration file.\n",
    "users.md": "# Users\n\nEvery user signs in with a password and a second factor.\n",
}
QUERIES = {
    "q1": ("retry a failed request", {"retry.py": 3}, "code"),
    "q2": ("keep the answer in a cache", {"cache.py": 2}, "code"),
    "q3": ("rotate log files", {"logs.md": 3, "setup.md": 0}, "prose"),
    "q4": ("how do I install it", {"setup.md": 2}, "prose"),
}
BENCHMARK = """
dataset: queries.json
corpus: {path: docs}
metrics: [ndcg@10, mrr, recall@5]
baseline: bm25
configurations:
  - {name: bm25, search: lexical}
  - {name: whole, search: lexical, chunker: whole}
  - {name: again, search: lexical}
"""


def write_files(folder):
    (folder / "docs").mkdir()
    for name, text in TEXTS.items():
        (folder / "docs" / name).write_text(text)
    queries = [
        {
            "query_key": key,
            "query_text": text,
            "category": category,
            "relevant_docs": [
                {"doc_ref": {"path": path}, "relevance_grade": grade}
                for path, grade in judged.items()
            ],
        }
        for key, (text, judged, category) in QUERIES.items()
    ]
    (folder / "queries.json").write_text(json.dumps({"queries": queries}))
    (folder / "bench.yaml").write_text(BENCHMARK)


@pytest.fixture
def files(tmp_path, monkeypatch):
    write_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ASSAY_WORKSPACE", str(tmp_path / ".assay"))
    return tmp_path


OUTPUTS = ("report.json", "runs.csv", "report.md", "table.tex")


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """Run the benchmark once, and write all that can be written of it."""
    folder = tmp_path_factory.mktemp("finished")
    write_files(folder)
    command = [sys.executable, "-m", "assay", "run", "bench.yaml", "--save-runs", "runs"]
    done = subprocess.run(
        [*command, *(word for name in OUTPUTS for word in ("-o", name))],
        cwd=folder,
        env={**os.environ, "ASSAY_WORKSPACE": str(folder / ".assay")},
        capture_output=True,
        text=True,
        check=True,
    )
    return SimpleNamespace(folder=folder, out=done.stdout, err=done.stderr)


@pytest.fixture
def there(finished, monkeypatch):
    """Call commands where the benchmark was run."""
    monkeypatch.chdir(finished.folder)
    monkeypatch.setenv("ASSAY_WORKSPACE", str(finished.folder / ".assay"))
    return finished.folder


@pytest.fixture
def report(finished):
    return json.loads((finished.folder / "report.json").read_text())


def test_a_benchmark_is_run_and_told(finished, there, capsys, snapshot):
    out, err = finished.out, finished.err
    lines = out.splitlines()
    assert lines[0].startswith("No pick: ")
    assert re.search(r"^bench: .*\b4 .*\b5 .* of the top 10 judged", out, re.M)
    titles = next(line for line in lines if line.startswith("run "))
    assert {"ndcg@10", "bm25", "p95", "KB/doc", "verdict"} <= set(titles.split())
    assert "whole: " in out
    assert "best quality: " not in out  # that is what `assay show` tells
    (shown,) = set(re.findall(r"assay (show \w+)", err))
    assert run(shown.split()) == 0
    assert "best quality: " in capsys.readouterr().out
    snapshot(
        line for line in (*lines, *err.splitlines()) if re.match('No pick|note: "again"', line)
    )


def test_the_report_holds_what_was_measured(report):
    bm25, whole = report["runs"]
    assert (bm25["name"], bm25["aliases"], bm25["status"]) == ("bm25", ["again"], "completed")
    assert len(bm25["fingerprint"]) == 64
    assert bm25["fingerprint"] != whole["fingerprint"]
    assert bm25["per_query"]["q1"]["mrr"] == 1.0
    assert 0 < bm25["scores"]["ndcg@10"] <= 1
    assert bm25["scores"]["mrr"] == sum(q["mrr"] for q in bm25["per_query"].values()) / 4
    assert bm25["categories"]["code"]["queries"] == 2
    assert bm25["indexing"]["documents"] == 5
    assert bm25["storage"]["bytes_per_document"] > 0
    assert 0 < bm25["latency_ms"]["p50"] <= bm25["latency_ms"]["p95"]
    assert "lexical" in bm25["latency_ms"]["stages"]
    assert report["truth"]["resolved"] == 5
    assert [one["run"] for one in report["verdicts"]] == ["whole"]
    assert report["comparisons"][0]["baseline"] == "bm25"
    assert "verdict" not in report["comparisons"][0]
    assert report["environment"]["packages"]["tantivy"]


def test_the_scores_are_those_of_eval_on_the_saved_runs(there, report, capsys):
    assert sorted(path.name for path in (there / "runs").iterdir()) == ["bm25.run", "whole.run"]
    saved = [str(there / "runs" / f"{name}.run") for name in ("bm25", "whole")]
    options = ["-m", "ndcg@10,mrr,recall@5", "--ties", "order", "--json"]
    assert run(["eval", "queries.json", *saved, *options]) == 0
    again = json.loads(capsys.readouterr().out)
    assert [one["scores"] for one in again["runs"]] == [one["scores"] for one in report["runs"]]


def test_built_twice_it_scores_and_is_called_the_same(files, capsys):
    reports = []
    for _ in range(2):
        assert run(["run", "bench.yaml", "--json", "--untimed", "--fresh"]) == 0
        reports.append(json.loads(capsys.readouterr().out))
    kept = ("name", "fingerprint", "configuration", "scores", "intervals", "per_query")
    one, other = ([{key: r[key] for key in kept} for r in report["runs"]] for report in reports)
    assert one == other


def test_files_are_written_by_their_extension(there, report):
    assert report["schema_version"] == 1
    frame = pl.read_csv(there / "runs.csv")
    assert frame["run"].to_list() == ["bm25", "whole"]
    assert frame["setting chunker"].to_list() == ["auto", "whole"]
    assert "| whole" in (there / "report.md").read_text()
    assert "bm25" in (there / "table.tex").read_text()


@pytest.mark.parametrize(
    ("text", "named"),
    [
        (BENCHMARK.replace("lexical}", "lexical, rrf_k: 9}", 1), "rrf_k"),
        (BENCHMARK.replace("docs", "dogs"), "dogs"),
        (BENCHMARK.replace("queries.json", "query.json"), "query.json"),
        ("", "bench.yaml"),
    ],
    ids=["setting", "corpus", "dataset", "empty"],
)
def test_a_wrong_file_gets_one_message(files, capsys, text, named, snapshot):
    (files / "bench.yaml").write_text(text)
    assert run(["run", "bench.yaml"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert named in err
    snapshot(err)


@pytest.mark.parametrize("option", ["-o nowhere/report.json", "--save-runs bench.yaml"])
def test_an_output_that_cannot_be_written_is_refused_before_anything_is_built(
    files, capsys, option, snapshot
):
    assert run(["run", "bench.yaml", *option.split()]) == 2
    err = capsys.readouterr().err
    assert option.split()[1] in err
    assert not (files / ".assay").exists()
    snapshot(err)


def test_an_interrupt_ends_with_130(files, capsys, monkeypatch):
    from assay.benchmarks.work import piece_work

    def stop(*_, **__):
        raise KeyboardInterrupt

    asked = piece_work.ask_all
    monkeypatch.setattr(piece_work, "ask_all", stop)
    assert run(["run", "bench.yaml", "--fresh"]) == 130
    assert "--resume" in capsys.readouterr().err
    monkeypatch.setattr(piece_work, "ask_all", asked)
    assert run(["run", "bench.yaml", "--fresh", "--resume"]) == 0


def test_a_configuration_that_answers_nothing_ends_with_1(files, capsys, monkeypatch, snapshot):
    from assay.searches.searcher import Searcher

    def fail(*_, **__):
        raise RuntimeError("the index is gone")

    monkeypatch.setattr(Searcher, "results", fail)
    assert run(["run", "bench.yaml", "--fresh"]) == 1
    out, err = capsys.readouterr()
    failed = [line for line in err.splitlines() if "RuntimeError" in line]
    assert failed
    snapshot(failed)
    assert "errors" in out


def test_ids_that_a_line_cannot_hold_are_saved_as_json(files, capsys):
    (files / "docs" / "retry.py").rename(files / "docs" / "re try.py")
    text = (files / "queries.json").read_text().replace("retry.py", "re try.py")
    (files / "queries.json").write_text(text)
    assert run(["run", "bench.yaml", "--untimed", "--save-runs", "runs"]) == 0
    assert sorted(path.name for path in (files / "runs").iterdir()) == ["bm25.json", "whole.json"]


def test_the_python_function_is_the_command(files):
    import assay

    report = assay.run("bench.yaml", asks=1)
    assert [one.name for one in report.runs] == ["bm25", "whole"]
    assert re.search(r"\nbm25 +\d\.\d{4} ", str(report))
    for name in ("asks", "repeats", "sample", "parallel"):
        with pytest.raises(assay.errors.UsageError, match=rf"{name}\b.*\b0\b"):
            assay.run("bench.yaml", **{name: 0})
    with pytest.raises(assay.errors.InputError, match=r"\bint\b"):
        assay.run(5)


def test_another_dataset_takes_the_place_of_the_files_own(files, tmp_path, capsys):
    other = tmp_path / "other"
    other.mkdir()
    (other / "corpus.jsonl").write_text('{"_id": "d1", "text": "red apples"}\n')
    (other / "queries.jsonl").write_text('{"_id": "q1", "text": "apples"}\n')
    (other / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\t1\n")

    assert run(["run", "bench.yaml", "--untimed", "--dataset", str(other), "--json"]) == 0

    report = json.loads(capsys.readouterr().out)
    assert (report["benchmark"]["name"], report["dataset"]["name"]) == ("bench", "other")
    assert report["runs"][0]["scores"]["ndcg@10"] == 1
    assert report["corpus"]["documents"] == 1


def test_reports_of_one_name_and_other_datasets_are_told_apart(files, capsys):
    text = (files / "queries.json").read_text()
    (files / "judged.json").write_text(text.replace('"relevance_grade": 2', '"relevance_grade": 1'))
    for more in ([], ["--dataset", "judged.json", "--resume", "--retry-failed"]):
        assert run(["run", "bench.yaml", "--untimed", *more]) == 0
    capsys.readouterr()

    assert run(["show"]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert rows[0] == ["id", "name", "dataset", "state", "runs", "when"]
    assert [row[1:3] for row in rows[2:]] == [["bench", "judged.json"], ["bench", "queries.json"]]
    assert run(["show", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["benchmarks"]
    assert [one["dataset"].rpartition("/")[2] for one in told] == ["judged.json", "queries.json"]
    for row in rows[2:]:
        assert run(["show", row[0], "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["dataset"]["name"] == row[2].partition(".")[0]


def test_a_report_is_no_benchmark_file(files, capsys, snapshot):
    assert run(["run", "bench.yaml", "--untimed", "-o", "a report.json"]) == 0
    capsys.readouterr()
    told = set()
    for command in (["run"], ["judge"], ["run", "--plan"]):
        assert run([*command, "a report.json"]) == 2
        told.add(capsys.readouterr())
    ((out, err),) = told
    assert out == ""
    assert err.startswith("error: a report.json: ")
    assert '"bench"' in err
    assert "--report 'a report.json'" in err
    snapshot(err)


def test_fresh_uses_no_remembered_vectors(files, capsys):
    text = BENCHMARK.partition("configurations:")[0].replace("baseline: bm25", "")
    text += "budgets: {index_seconds: 500}\nconfigurations: [{name: static, model: static}]\n"
    (files / "bench.yaml").write_text(text)
    told, seconds = [], []
    for options in ([], [], ["--fresh"]):
        assert run(["run", "bench.yaml", "--json", "--asks", "1", *options]) == 0
        (one,) = json.loads(capsys.readouterr().out)["runs"]
        checked = one["budgets"]["index_seconds"]
        wanted = "unknown" if checked["busy"] else "kept"  # the machine may be busy
        told.append((one["indexing"]["seconds_complete"], checked["state"] == wanted))
        seconds.append(one["indexing"]["remembered_seconds"])
    assert told == [(True, True)] * 3
    assert seconds == [0, 0, 0]  # the second time the whole index is there


def test_a_query_without_any_answer_makes_no_json_of_a_run(files, capsys):
    text = (files / "queries.json").read_text().replace("rotate log files", "zygote quux")
    (files / "queries.json").write_text(text)
    assert run(["run", "bench.yaml", "--untimed", "--json", "--save-runs", "runs"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert sorted(path.name for path in (files / "runs").iterdir()) == ["bm25.run", "whole.run"]
    lines = (files / "runs" / "bm25.run").read_text().splitlines()
    assert {line.split()[0] for line in lines} == {"q1", "q2", "q4"}
    assert all(len(line.split()) == 6 for line in lines)
    assert run(["eval", "queries.json", "runs/bm25.run", "-m", "ndcg@10", "--json"]) == 0
    (again,) = json.loads(capsys.readouterr().out)["runs"]
    assert again["scores"]["ndcg@10"] == report["runs"][0]["scores"]["ndcg@10"]


def test_all_that_cannot_be_opened_is_told_at_once_with_its_line(files, capsys, snapshot):
    (files / "bench.yaml").write_text(
        "dataset: queries.json\ncorpus: dogs\nconfigurations:\n"
        "  - {name: a, model: gpt}\n"
        "  - {name: b, model: 'onnx:nofolder'}\n"
        "  - {name: c, model: static, rerank: maxsim}\n"
        "  - {name: d, rerank: 'cross-encoder:zz'}\n"
        "  - {name: e, model: openai}\n"
        "  - {name: f, model: 'nokind:x'}\n"
        "  - {name: g, model: ./here}\n"
    )
    assert run(["run", "bench.yaml"]) == 2
    err = capsys.readouterr().err
    assert "8 problems" in err
    for line, named in [
        (2, "docs"),
        (4, 'configuration "a", model'),
        (5, '"onnx:nofolder"'),
        (6, "maxsim"),
        (7, '"cross-encoder:zz"'),
        (8, "openai:"),
        (9, '"nokind:x"'),
        (10, '"./here"'),
    ]:
        assert any(f"line {line}, " in row and named in row for row in err.splitlines()), named
    snapshot(err)


@pytest.mark.parametrize("dataset", ["queries.json", "odd.dat"])
def test_what_cannot_be_opened_names_the_benchmark_and_no_option_that_is_not(
    files, capsys, dataset, snapshot
):
    (files / "odd.dat").write_text("}")
    text = BENCHMARK.replace("corpus: {path: docs}", "").replace("queries.json", dataset)
    (files / "bench.yaml").write_text(text)
    assert run(["run", "bench.yaml"]) == 2
    err = capsys.readouterr().err.replace("./", "")
    assert err.startswith("error: bench.yaml, ")
    assert "--corpus" not in err
    assert "(--format)" not in err
    snapshot(err)


def test_a_benchmark_is_not_taken_for_its_own_dataset(files, capsys):
    (files / "bench.yaml").write_text(BENCHMARK.replace("queries.json", "bnch.yaml"))
    assert run(["run", "bench.yaml"]) == 2
    err = capsys.readouterr().err
    assert '"bnch.yaml"' in err
    assert err.count("bench.yaml") == 1  # as the place, not as what was meant


def test_a_corpus_that_changes_while_it_is_indexed_is_refused(files, capsys, monkeypatch, snapshot):
    from assay.benchmarks.work import open_indexes

    make = open_indexes.make_index

    def changing(*given, **options):
        (files / "docs" / "logs.md").write_text("# Other logs\n\nNothing is rotated any more.\n")
        return make(*given, **options)

    monkeypatch.setattr(open_indexes, "make_index", changing)
    assert run(["run", "bench.yaml", "--fresh"]) == 2
    snapshot(capsys.readouterr().err)


ALONE = (
    "dataset: queries.json\ncorpus: {path: docs}\nconfigurations: [{name: a, search: lexical}]\n"
)


def test_one_run_decides_nothing_and_the_check_says_why(files, capsys, snapshot):
    (files / "bench.yaml").write_text(ALONE)
    notes = []
    for check, code in (([], 0), (["--check"], 3)):
        assert run(["run", "bench.yaml", "--untimed", "--fresh", *check]) == code
        err = capsys.readouterr().err
        notes.append({line for line in err.splitlines() if line.startswith("note: ")})
    plain, checked = notes
    (why,) = checked - plain
    assert plain < checked
    snapshot(why)


def test_one_query_is_told_as_such(files, capsys, snapshot):
    (files / "bench.yaml").write_text(ALONE)
    assert run(["run", "bench.yaml", "--sample", "1", "--untimed"]) == 0
    snapshot(capsys.readouterr().out.splitlines()[0])


@pytest.mark.parametrize(
    "options", ["--live --untimed", "--untimed --asks 3", "--untimed --asks 1"]
)
def test_options_that_do_not_go_together_are_refused(files, capsys, options, snapshot):
    told = set()
    for plan in ([], ["--plan"]):
        assert run(["run", "bench.yaml", *options.split(), *plan]) == 2
        told.add(capsys.readouterr().err)
    (err,) = told
    named = [word for word in options.split() if word.startswith("--")]
    assert all(word in err for word in named)
    snapshot(err)


def test_a_query_is_asked_three_times_unless_nothing_is_timed(files, capsys):
    (files / "bench.yaml").write_text(ALONE)
    asks = []
    for options in ([], ["--asks", "2"], ["--untimed"]):
        assert run(["run", "bench.yaml", "--json", *options]) == 0
        asks.append(json.loads(capsys.readouterr().out)["benchmark"]["asks"])
    assert asks == [3, 2, 1]

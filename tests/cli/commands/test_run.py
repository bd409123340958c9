"""``assay run``, as a person types it, with a real lexical index."""

import json
import re

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


@pytest.fixture
def files(tmp_path, monkeypatch):
    (tmp_path / "docs").mkdir()
    for name, text in TEXTS.items():
        (tmp_path / "docs" / name).write_text(text)
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
    (tmp_path / "queries.json").write_text(json.dumps({"queries": queries}))
    (tmp_path / "bench.yaml").write_text(BENCHMARK)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ASSAY_WORKSPACE", str(tmp_path / ".assay"))
    return tmp_path


def test_a_benchmark_is_run_and_told(files, capsys):
    assert run(["run", "bench.yaml"]) == 0
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert lines[0].startswith("bench: 4 queries, 5 documents, judged@10 ")
    assert lines[1].split() == ["metric", "bm25", "whole"]
    assert lines[3].split()[0] == "ndcg@10"
    assert {"p50", "p95", "index", "bytes/doc"} <= {line.split()[0] for line in lines[3:11] if line}
    assert "whole: " in out
    assert "\nNo pick. 4 queries: a pick needs at least 10\n" in out
    assert "best quality: " not in out  # that is what `assay show` tells
    (told,) = [line for line in err.splitlines() if line.startswith("all of it: ")]
    shown = told.removeprefix("all of it: assay ").partition(" [--run NAME | --query KEY]")[0]
    assert run(shown.split()) == 0
    assert "best quality: " in capsys.readouterr().out
    assert 'note: "again" is the same as "bm25": they are one run' in err


def test_the_report_holds_what_was_measured(files, capsys):
    assert run(["run", "bench.yaml", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
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


def test_the_scores_are_those_of_eval_on_the_saved_runs(files, capsys):
    assert run(["run", "bench.yaml", "--json", "--save-runs", "runs"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert sorted(path.name for path in (files / "runs").iterdir()) == ["bm25.run", "whole.run"]
    saved = [str(files / "runs" / f"{name}.run") for name in ("bm25", "whole")]
    options = ["-m", "ndcg@10,mrr,recall@5", "--ties", "order", "--json"]
    assert run(["eval", "queries.json", *saved, *options]) == 0
    again = json.loads(capsys.readouterr().out)
    assert [one["scores"] for one in again["runs"]] == [one["scores"] for one in report["runs"]]


def test_built_twice_it_scores_and_is_called_the_same(files, capsys):
    reports = []
    for _ in range(2):
        assert run(["run", "bench.yaml", "--json"]) == 0
        reports.append(json.loads(capsys.readouterr().out))
    kept = ("name", "fingerprint", "configuration", "scores", "intervals", "per_query")
    one, other = ([{key: r[key] for key in kept} for r in report["runs"]] for report in reports)
    assert one == other


def test_files_are_written_by_their_extension(files, capsys):
    outputs = ["report.json", "runs.csv", "report.md", "table.tex"]
    assert run(["run", "bench.yaml", *(f for name in outputs for f in ("-o", name))]) == 0
    capsys.readouterr()
    assert json.loads((files / "report.json").read_text())["schema_version"] == 1
    frame = pl.read_csv(files / "runs.csv")
    assert frame["run"].to_list() == ["bm25", "whole"]
    assert frame["setting chunker"].to_list() == ["auto", "whole"]
    assert "| whole" in (files / "report.md").read_text()
    assert "bm25" in (files / "table.tex").read_text()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (BENCHMARK.replace("lexical}", "lexical, rrf_k: 9}", 1), "rrf_k has no effect"),
        (BENCHMARK.replace("docs", "dogs"), "no such folder or file"),
        (BENCHMARK.replace("queries.json", "query.json"), "there is no dataset"),
        ("", "is empty"),
    ],
)
def test_a_wrong_file_gets_one_message(files, capsys, text, said):
    (files / "bench.yaml").write_text(text)
    assert run(["run", "bench.yaml"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err
    assert "Traceback" not in err


def test_an_output_that_cannot_be_written_is_refused_before_anything_is_built(files, capsys):
    assert run(["run", "bench.yaml", "-o", "nowhere/report.json"]) == 2
    assert "cannot be written there" in capsys.readouterr().err
    assert run(["run", "bench.yaml", "--save-runs", "bench.yaml"]) == 2
    assert "cannot be made" in capsys.readouterr().err


def test_an_interrupt_ends_with_130(files, capsys, monkeypatch):
    from assay.benchmarks.work import execute

    def stop(*_, **__):
        raise KeyboardInterrupt

    asked = execute.ask_all
    monkeypatch.setattr(execute, "ask_all", stop)
    assert run(["run", "bench.yaml", "--fresh"]) == 130
    assert "--resume" in capsys.readouterr().err
    monkeypatch.setattr(execute, "ask_all", asked)
    assert run(["run", "bench.yaml", "--fresh", "--resume"]) == 0


def test_a_configuration_that_answers_nothing_ends_with_1(files, capsys, monkeypatch):
    from assay.searches.searcher import Searcher

    def fail(*_, **__):
        raise RuntimeError("the index is gone")

    monkeypatch.setattr(Searcher, "documents", fail)
    assert run(["run", "bench.yaml", "--fresh"]) == 1
    out, err = capsys.readouterr()
    assert "queries that failed, and score 0: 4, e.g. q1: RuntimeError: the index is gone" in err
    assert "errors" in out


def test_ids_that_a_line_cannot_hold_are_saved_as_json(files, capsys):
    (files / "docs" / "retry.py").rename(files / "docs" / "re try.py")
    text = (files / "queries.json").read_text().replace("retry.py", "re try.py")
    (files / "queries.json").write_text(text)
    assert run(["run", "bench.yaml", "--save-runs", "runs"]) == 0
    assert sorted(path.name for path in (files / "runs").iterdir()) == ["bm25.json", "whole.json"]


def test_the_python_function_is_the_command(files):
    import assay

    report = assay.run("bench.yaml", asks=1)
    assert [one.name for one in report.runs] == ["bm25", "whole"]
    assert re.search(r"\nbm25 +\d\.\d{4} ", str(report))
    for name in ("asks", "repeats", "sample", "parallel"):
        with pytest.raises(assay.errors.UsageError, match=f"{name} cannot be 0"):
            assay.run("bench.yaml", **{name: 0})
    with pytest.raises(assay.errors.InputError, match="cannot read a benchmark from int"):
        assay.run(5)


def test_another_dataset_takes_the_place_of_the_files_own(files, tmp_path, capsys):
    other = tmp_path / "other"
    other.mkdir()
    (other / "corpus.jsonl").write_text('{"_id": "d1", "text": "red apples"}\n')
    (other / "queries.jsonl").write_text('{"_id": "q1", "text": "apples"}\n')
    (other / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\t1\n")

    assert run(["run", "bench.yaml", "--dataset", str(other), "--json"]) == 0

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


def test_a_report_is_no_benchmark_file(files, capsys):
    assert run(["run", "bench.yaml", "--untimed", "-o", "a report.json"]) == 0
    capsys.readouterr()
    for command in (["run"], ["judge"], ["run", "--plan"]):
        assert run([*command, "a report.json"]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert err.startswith("error: a report.json: is a report, no benchmark file\n")
        assert 'the benchmark "bench"' in err
        assert "assay judge FILE --report 'a report.json'" in err


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
    assert run(["run", "bench.yaml", "--json", "--save-runs", "runs"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert sorted(path.name for path in (files / "runs").iterdir()) == ["bm25.run", "whole.run"]
    lines = (files / "runs" / "bm25.run").read_text().splitlines()
    assert {line.split()[0] for line in lines} == {"q1", "q2", "q4"}
    assert all(len(line.split()) == 6 for line in lines)
    assert run(["eval", "queries.json", "runs/bm25.run", "-m", "ndcg@10", "--json"]) == 0
    (again,) = json.loads(capsys.readouterr().out)["runs"]
    assert again["scores"]["ndcg@10"] == report["runs"][0]["scores"]["ndcg@10"]


def test_all_that_cannot_be_opened_is_told_at_once_with_its_line(files, capsys):
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
    assert "bench.yaml: 8 problems" in err
    for line, said in [
        (2, "corpus: dogs: no such folder or file (did you mean docs?)"),
        (4, 'configurations[0].model: model cannot be "gpt"'),
        (5, 'model cannot be "onnx:nofolder": nofolder has no model.onnx'),
        (6, "rerank maxsim needs a model with vectors of tokens, and static has none"),
        (7, 'rerank cannot be "cross-encoder:zz": zz has no model.onnx'),
        (8, 'model cannot be "openai": it does not say which (write openai:NAME)'),
        (9, 'model cannot be "nokind:x"'),
        (10, 'model cannot be "./here": it has no model.onnx'),
    ]:
        assert any(f"line {line}, " in row and said in row for row in err.splitlines()), said


@pytest.mark.parametrize(
    ("dataset", "said"),
    [
        ("queries.json", "bench.yaml, queries: names no corpus and holds no documents"),
        ("odd.txt", "bench.yaml, odd.txt: is a file in no format that is known"),
    ],
)
def test_what_cannot_be_opened_names_the_benchmark_and_no_option_that_is_not(
    files, capsys, dataset, said
):
    (files / "odd.txt").write_text("}")
    text = BENCHMARK.replace("corpus: {path: docs}", "").replace("queries.json", dataset)
    (files / "bench.yaml").write_text(text)
    assert run(["run", "bench.yaml"]) == 2
    err = capsys.readouterr().err.replace("./", "")
    assert said in err
    assert "--corpus" not in err
    assert "(--format)" not in err


def test_a_benchmark_is_not_taken_for_its_own_dataset(files, capsys):
    (files / "bench.yaml").write_text(BENCHMARK.replace("queries.json", "bnch.yaml"))
    assert run(["run", "bench.yaml"]) == 2
    err = capsys.readouterr().err
    assert 'there is no dataset "bnch.yaml"' in err
    assert "did you mean" not in err


def test_a_corpus_that_changes_while_it_is_indexed_is_refused(files, capsys, monkeypatch):
    from assay.benchmarks.work import open_indexes

    make, said = open_indexes.make_index, "the corpus changed while it was indexed"

    def changing(*given, **options):
        (files / "docs" / "logs.md").write_text("# Other logs\n\nNothing is rotated any more.\n")
        return make(*given, **options)

    assert run(["run", "bench.yaml", "--fresh"]) == 0
    assert said not in capsys.readouterr().err
    monkeypatch.setattr(open_indexes, "make_index", changing)
    assert run(["run", "bench.yaml", "--fresh"]) == 2
    assert said in capsys.readouterr().err


ALONE = (
    "dataset: queries.json\ncorpus: {path: docs}\nconfigurations: [{name: a, search: lexical}]\n"
)


def test_one_run_decides_nothing_and_the_check_says_why(files, capsys):
    (files / "bench.yaml").write_text(ALONE)
    assert run(["run", "bench.yaml", "--check", "--asks", "1"]) == 3
    assert "note: nothing was decided (a single run" in capsys.readouterr().err
    assert run(["run", "bench.yaml", "--asks", "1"]) == 0
    assert "nothing was decided" not in capsys.readouterr().err


def test_one_query_is_told_as_such(files, capsys):
    (files / "bench.yaml").write_text(ALONE)
    assert run(["run", "bench.yaml", "--sample", "1", "--untimed"]) == 0
    assert "bench: 1 query, 5 documents" in capsys.readouterr().out


@pytest.mark.parametrize("plan", [[], ["--plan"]])
@pytest.mark.parametrize(
    ("options", "problem", "hint"),
    [
        (["--live", "--untimed"], "--live says what is timed", "leave out --untimed"),
        (["--untimed", "--asks", "3"], "--asks has no effect with --untimed", "leave out --asks"),
        (["--untimed", "--asks", "1"], "--asks has no effect with --untimed", "leave out --asks"),
    ],
)
def test_options_that_do_not_go_together_are_refused(files, capsys, plan, options, problem, hint):
    assert run(["run", "bench.yaml", *options, *plan]) == 2
    err = capsys.readouterr().err
    assert problem in err
    assert hint in err


def test_a_query_is_asked_three_times_unless_nothing_is_timed(files, capsys):
    asks = []
    for options in ([], ["--asks", "2"], ["--untimed"]):
        assert run(["run", "bench.yaml", "--json", *options]) == 0
        asks.append(json.loads(capsys.readouterr().out)["benchmark"]["asks"])
    assert asks == [3, 2, 1]

"""The demo's benchmark is read, and asks for what it says; `make demo` runs it whole."""

import io
import re
from contextlib import redirect_stderr, redirect_stdout
from importlib.resources import files

import pytest

import assay
from assay.benchmarks.file.read_benchmark import read_benchmark


def asked_of(suite=None):
    return read_benchmark(str(files("assay.benchmarks") / "demo.yaml"), suite=suite)


@pytest.mark.parametrize("suite", [None, "full"])
def test_it_tries_every_kind_of_search(suite):
    benchmark = asked_of(suite)
    searches = {one.search for one in benchmark.configurations}
    assert searches == {"lexical", "dense", "hybrid"}
    assert benchmark.baseline == "bm25"
    assert benchmark.dataset == "stdlib"


def test_what_needs_more_time_is_in_the_full_demo_alone():
    first, full = asked_of().configurations, asked_of("full").configurations
    assert first == full[: len(first)]  # found once
    assert {(one.chunker, one.rerank, one.coherence) for one in first} == {("auto", None, None)}
    more = full[len(first) :]
    assert sum(one.chunker == "fixed" for one in more) == 1
    assert sum(one.rerank is not None for one in more) == 1
    assert sum(one.coherence is not None for one in more) == 1


def test_the_python_function_is_the_command(monkeypatch, tmp_path, capsys):
    """With a small file in the place of the demo's own: it runs as any benchmark does."""
    from assay.cli import start
    from assay.workflows import demo

    asked = {}

    def run(benchmark, **options):
        asked.update(options, benchmark=benchmark)
        given = {
            "dataset": "exact-match",
            "metrics": ["ndcg@10"],
            "configurations": [
                {"name": "words", "search": "lexical"},
                {"name": "near", "search": "dense", "model": "static"},
            ],
        }
        return assay.run(given, workspace=options["workspace"], sample=20, asks=1)

    monkeypatch.setattr(demo, "run", run)
    assert start(["demo", "--workspace", str(tmp_path / "w"), "-o", str(tmp_path / "r.json")]) == 0
    out, err = capsys.readouterr()
    assert "90 queries" in err
    assert "\nrun    ndcg@10  vs words" in out
    assert "baseline" in out
    assert re.match("near: SHIP |words: KEEP |Leading: ", out)
    assert len(out.splitlines()) + len(err.splitlines()) <= 40  # a screen
    assert (tmp_path / "r.json").exists()
    assert asked["benchmark"].name == "demo"
    assert asked["benchmark"].command == {"verb": "demo", "file": None, "options": []}
    demo.demo(full=True, workspace=tmp_path / "w")
    assert len(asked["benchmark"].configurations) == 6
    assert asked["benchmark"].command["flags"] == ["full"]


class Terminal(io.StringIO):
    def isatty(self):
        return True


SEARCHES = {  # of the same kinds as the demo's, with a model that takes no time
    "bm25": {"search": "lexical"},
    "dense": {"search": "dense"},
    "hybrid": {"search": "hybrid"},
    "hybrid-fixed-chunks": {"search": "hybrid", "chunker": "fixed"},
    "hybrid-rerank": {"search": "hybrid", "depth": 50},
    "dense-coherence": {"search": "dense", "coherence": True},
}


def test_six_runs_fit_on_a_screen_of_40_lines_and_100_columns(monkeypatch, tmp_path):
    from assay.cli import start
    from assay.workflows import demo

    assert [one.name for one in asked_of("full").configurations] == [*SEARCHES]

    def run(_, **options):
        each = [
            {"name": name, **given, **({"model": "static"} if name != "bm25" else {})}
            for name, given in SEARCHES.items()
        ]
        given = {"dataset": "semantic-similarity", "metrics": ["ndcg@10", "recall@5", "mrr@10"]}
        given |= {"baseline": "bm25", "configurations": each}
        return assay.run(given, workspace=options["workspace"], sample=30, asks=1)

    monkeypatch.setattr(demo, "run", run)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    with redirect_stdout(Terminal()) as out, redirect_stderr(io.StringIO()) as err:
        assert start(["demo", "--full", "--workspace", "w"]) == 0
    lines = [*out.getvalue().splitlines(), *err.getvalue().splitlines()]
    assert [name for name in SEARCHES if name in out.getvalue()] == [*SEARCHES]
    assert len(lines) <= 40
    assert max(len(re.sub("\x1b[^m]*m", "", line)) for line in out.getvalue().splitlines()) <= 100

"""A plan counts what a run will do, exactly, and says of each estimate what it rests on."""

import json
import re
from contextlib import closing

import pytest
from tests.benchmarks.executing import executing

from assay.benchmarks.conduct import conduct
from assay.benchmarks.file.read_benchmark import read_benchmark
from assay.benchmarks.plan import plan as planning
from assay.errors import InputError
from assay.records.run_settings import Invocation, RunSettings
from assay.reports.plan.lines import lines
from assay.searches import searcher
from assay.workspace.ledger.ledger import open_ledger

WORDS = ("retry", "request", "timeout", "socket", "parse", "token")
WORDS += ("config", "logger", "cache", "index", "vector", "query")


@pytest.fixture(autouse=True)
def quiet(monkeypatch):
    """Times that were taken on a busy machine are taken again: here it is never busy."""
    monkeypatch.setattr("assay.benchmarks.work.piece_work.kept_waiting", lambda _: False)


@pytest.fixture
def home(tmp_path, monkeypatch):
    """Two corpora of a dozen small files, and five queries over each."""
    for name in ("docs", "more"):
        (tmp_path / name).mkdir()
        for at, word in enumerate(WORDS):
            lines = [f"# {word} of {name}", "", f"How a {word} is made."]
            lines += [f"A {word} needs a {other}." for other in WORDS[at:]]
            (tmp_path / name / f"{word}.md").write_text("\n".join(lines))
        queries = [
            {
                "query_key": f"q{at}",
                "query_text": f"how is a {word} made",
                "relevant_docs": [{"doc_ref": {"path": f"{word}.md"}, "relevance_grade": 1}],
            }
            for at, word in enumerate(WORDS[:5])
        ]
        (tmp_path / f"{name}.json").write_text(json.dumps({"queries": queries}))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def benchmark(*configurations, **more):
    searched = {} if "datasets" in more else {"dataset": "docs.json", "corpus": "docs"}
    named = [{"name": f"c{at}", **one} for at, one in enumerate(configurations)]
    return read_benchmark({"name": "trial", **searched, "configurations": named, **more})


def plan(asked, *, workspace, settings=None, **invocation):
    """Plan with the defaults of the command."""
    given = Invocation(**invocation)
    return planning.plan(asked, settings or RunSettings(), given, workspace=workspace)


def done(asked, folder, *, settings=None, fresh=False):
    """Execute a benchmark in a workspace without summing it up, and count what that was."""
    given = {one: getattr(settings or RunSettings(), one) for one in RunSettings.__slots__}
    with executing(asked, folder, fresh=fresh, **given) as work:
        work.go(retry=True)
        return work.counted()


def counts(made):
    """What a plan counts, under the names that a report gives it."""
    return {
        "cells": made.cells,
        "runs": len(made.runs),
        "indexes": len([one for one in made.indexes if one.kept]),
        "stages": len([one for one in made.stages if one.kind != "study"]),
        "searches": made.searches,
        "searches_alone": made.searches_alone,
    }


def test_two_searches_by_words_worked_by_hand(home):
    """One index; words are looked up once, and cut in two ways: 3 stages x 5 queries x 3 asks."""
    asked = benchmark({"search": "lexical"}, {"search": "lexical", "top_k": 20})
    made = plan(asked, workspace=home / "w")
    assert counts(made) == {
        "cells": 2,
        "runs": 2,
        "indexes": 1,
        "stages": 3,
        "searches": 45,
        "searches_alone": 60,
    }
    assert (made.searches_left, made.asks) == (45, 3)
    assert [(one.name, one.runs) for one in made.stages] == [
        ("lexical", ("c0", "c1")),
        ("answer", ("c0",)),
        ("answer", ("c1",)),
    ]
    (index,) = made.indexes
    assert (index.made, index.model, index.embedding.value) == (False, "", 0)
    assert "all documents" in index.chunks.rests_on
    (searched,) = made.collections
    held = sum(len(path.read_bytes()) for path in (home / "docs").iterdir())
    assert (searched.queries, searched.documents, searched.bytes) == (5, 12, held)


def test_references_that_are_not_found_are_counted(home):
    asked = benchmark({"search": "lexical"}, {"search": "lexical", "depth": 50})
    assert plan(asked, workspace=home / "w").collections[0].unresolved == 0
    (home / "docs" / "retry.md").unlink()
    made = plan(asked, workspace=home / "w")
    assert made.collections[0].unresolved == 1
    assert [line for line in lines(made) if line.startswith("note: 1 reference is unresolved")]
    for path in (home / "docs").glob("*.md"):
        path.rename(path.with_suffix(".txt"))
    with pytest.raises(InputError, match="none of the 5 judgments"):
        plan(asked, workspace=home / "w")


def test_nothing_is_left_behind(home):
    plan(benchmark({"search": "lexical"}, {"model": "static"}), workspace=home / "w")
    assert not (home / "w").exists()


STATIC = {"model": "static"}
CASES = {
    "words, vectors, both": (({"search": "lexical"}, {"search": "dense", **STATIC}, STATIC), {}),
    "a sweep": (
        ({**STATIC, "fusion": "rrf", "rrf_k": [10, 60], "top_k": [20, 50]},),
        {},
    ),
    "chunks": (({**STATIC, "chunker": ["fixed", "auto"], "chunk_size": [32, 64]},), {}),
    "thresholds": (
        ({"search": "dense", **STATIC, "threshold": [0.1, 0.3], "top_k": [20, 50]},),
        {},
    ),
    "structure": (
        ({"search": "dense", **STATIC, "coherence": True}, {"search": "dense", **STATIC}),
        {},
    ),
    "reranked": (({"rerank": "maxsim", "rerank_depth": [5, 10]},), {}),
    "built twice": ((STATIC, {"search": "lexical"}), {"settings": RunSettings(repeats=2, asks=1)}),
    "live": ((STATIC, {"search": "lexical"}), {"settings": RunSettings(live=True)}),
    "untimed": (
        (
            {**STATIC, "fusion": "rrf", "depth": [100, 200]},
            {"search": "dense", **STATIC, "coherence": True},
        ),
        {"settings": RunSettings(untimed=True)},
    ),
    "fresh": ((STATIC,), {"settings": RunSettings(asks=2), "fresh": True}),
    "a sample": ((STATIC,), {"settings": RunSettings(sample=2, seed=3)}),
    "two datasets": (
        (STATIC, {"search": "lexical"}),
        {"datasets": [{"dataset": f"{name}.json", "corpus": name} for name in ("docs", "more")]},
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_plan_counts_what_the_run_then_does(home, case):
    configurations, more = CASES[case]
    options = {key: more[key] for key in ("settings", "fresh") if key in more}
    asked = benchmark(*configurations, **{k: v for k, v in more.items() if k not in options})
    before = plan(asked, workspace=home / "w", **options)
    counted = done(asked, home / "w", **options)
    assert counts(before) == counted
    assert before.searches_left == before.searches
    after = plan(asked, workspace=home / "w", **options)
    assert counts(after) == counted
    if case == "fresh":
        assert after.searches_left == after.searches
        assert not any(one.made for one in after.indexes)
    else:
        assert after.searches_left == 0
        assert all(one.made for one in after.indexes)
        assert (after.building_s, after.searching_s, after.disk_bytes) == (0, 0, 0)


def test_only_what_is_missing_is_counted(home):
    first = benchmark({"search": "lexical"})
    done(first, home / "w")
    more = plan(first, workspace=home / "w", settings=RunSettings(asks=5))
    assert (more.searches, more.searches_left) == (50, 20)
    wider = plan(benchmark({"search": "lexical"}, STATIC), workspace=home / "w")
    assert [one.made for one in wider.indexes] == [True, False]
    assert {one.name: one.recorded for one in wider.stages if one.runs == ("c0",)} == {
        "lexical": 15,
        "answer": 15,
    }
    assert [one.recorded for one in wider.stages if one.runs == ("c1",)] == [0] * 5


def test_what_failed_is_to_be_done_again(home, monkeypatch):
    asked = benchmark({"search": "lexical"})
    kept = searcher.Searcher.results

    def results(self, rows):
        if results.left:
            results.left -= 1
            raise ValueError("no")
        return kept(self, rows)

    results.left = 0
    monkeypatch.setattr(searcher.Searcher, "results", results)
    made = plan(asked, workspace=home / "w")
    assert made.searches_left == 30
    results.left = 2  # the first query of the warm-up, and when it counts
    five, three = RunSettings(asks=5), RunSettings(asks=3)
    done(asked, home / "w", settings=five)
    left = {
        (settings.asks, resume, retry): plan(
            asked, workspace=home / "w", settings=settings, resume=resume, retry_failed=retry
        ).searches_left
        for settings in (three, five)
        for resume, retry in ((False, False), (True, False), (True, True))
    }
    # It failed in all rounds, of which only those count that are asked for; nobody began three.
    assert left == {
        (3, False, False): 3,
        (3, True, False): 3,
        (3, True, True): 3,
        (5, False, False): 5,
        (5, True, False): 0,
        (5, True, True): 5,
    }


def test_who_resumes_goes_on_with_what_is_shared_with_no_other(home):
    asked = benchmark({"search": "lexical"})
    done(asked, home / "w", fresh=True)
    assert plan(asked, workspace=home / "w", fresh=True).searches_left == 30
    resumed = plan(asked, workspace=home / "w", fresh=True, resume=True)
    assert resumed.searches_left == 0
    assert resumed.indexes[0].made
    with closing(open_ledger(home / "w" / "ledger.sqlite")) as ledger:
        ledger.finish(ledger.benchmarks()[0].id, "completed")
    over = plan(asked, workspace=home / "w", fresh=True, resume=True)
    assert over.searches_left == 30
    retried = plan(asked, workspace=home / "w", fresh=True, resume=True, retry_failed=True)
    assert retried.searches_left == 0


def test_vectors_that_are_remembered_are_not_paid_again(home, snapshot):
    done(benchmark({"search": "dense", **STATIC}), home / "w")
    (index,) = plan(benchmark(STATIC), workspace=home / "w").indexes
    assert not index.made
    assert (index.remembered, index.embedding.value) == (1.0, 0.0)
    snapshot(index.embedding.rests_on)
    fresh = plan(benchmark(STATIC), workspace=home / "w", fresh=True)
    assert fresh.indexes[0].remembered == 0
    assert fresh.indexes[0].embedding.value > 0


def test_looking_for_vectors_makes_none(home):
    done(benchmark({"search": "dense", **STATIC}), home / "w")
    (home / "docs" / "new.md").write_text("something that nobody has embedded yet")
    before = (home / "w" / "vectors.sqlite").read_bytes()
    (index,) = plan(benchmark({"search": "dense", **STATIC}), workspace=home / "w").indexes
    assert index.remembered == pytest.approx(12 / 13)
    assert index.embedding.value > 0
    assert (home / "w" / "vectors.sqlite").read_bytes() == before


def test_vectors_that_two_indexes_share_are_paid_once(home):
    asked = benchmark({"search": "dense", **STATIC}, STATIC)
    first, second = plan(asked, workspace=home / "w").indexes
    assert first.embedding.value > 0
    assert second.embedding.value == 0
    assert "another index" in second.embedding.rests_on


def rests_on(made):
    lines = [f"{one.name}: {one.milliseconds.rests_on}" for one in made.stages]
    return [re.sub(r"\d{4}-\d\d-\d\d", "DATE", line) for line in lines]


def test_every_estimate_says_what_it_rests_on(home, snapshot):
    asked = benchmark({"search": "lexical"}, {"rerank": "maxsim", "rerank_depth": 5})
    made = plan(asked, workspace=home / "w")
    snapshot(rests_on(made))
    assert re.search(r"\b(8|12) chunks", made.indexes[1].embedding.rests_on)
    done(asked, home / "w")
    again = plan(asked, workspace=home / "w", settings=RunSettings(asks=4))
    snapshot(rests_on(again))
    other = plan(benchmark({"search": "lexical", "chunk_size": 32}), workspace=home / "w")
    snapshot(rests_on(other))


def test_a_rate_that_was_measured_here_is_taken(home):
    asked = benchmark({"search": "dense", "chunk_size": 8, **STATIC})
    report = conduct(asked, RunSettings(), Invocation(), workspace=home / "w")
    built = report.runs[0].indexing
    assert built["chunks"] >= 50
    (index,) = plan(
        benchmark({"search": "dense", "chunk_size": 64, **STATIC}), workspace=home / "w"
    ).indexes
    assert re.search(r"measured .*\b20\d\d-", index.embedding.rests_on)  # a date


def test_equal_configurations_are_named(home):
    asked = benchmark(
        {"search": "lexical"}, {"search": "lexical"}, {"search": "lexical", "depth": 50}
    )
    made = plan(asked, workspace=home / "w")
    assert [(one.name, one.aliases) for one in made.runs] == [("c0", ("c1",)), ("c2", ())]
    assert made.cells == 3


def test_an_empty_corpus_is_refused(home):
    (home / "none").mkdir()
    asked = benchmark(STATIC, dataset="docs.json", corpus="none")
    with pytest.raises(InputError, match="no documents"):
        plan(asked, workspace=home / "w")


def test_a_store_that_is_filled_costs_what_its_chunks_do(home):
    store = {"search": "dense", **STATIC, "system": {"kind": "lancedb"}}
    made = plan(benchmark({"search": "lexical"}, store), workspace=home / "w")
    assert counts(made) == {
        "cells": 2,
        "runs": 2,
        "indexes": 1,
        "stages": 3,
        "searches": 45,
        "searches_alone": 45,
    }
    (own,) = [one for one in made.indexes if not one.kept]
    assert (own.runs, own.chunks.value) == (("c1",), 12)
    assert own.embedding.value > 0
    whole = made.stages[0]
    assert (whole.kind, whole.runs) == ("search", ("c1",))
    assert "50 ms" in whole.milliseconds.rests_on


@pytest.mark.long
def test_the_estimate_of_a_build_is_near_what_it_takes(home):
    """Generous: others work on the same machine. The figures are printed."""
    for at in range(120):
        text = "\n".join(f"Line {line} of {at} tells of {WORDS[line % 12]}." for line in range(60))
        (home / "docs" / f"page{at}.md").write_text(text)
    asked = benchmark({"search": "hybrid", "chunk_size": 128})
    made = plan(asked, workspace=home / "w")
    report = conduct(asked, RunSettings(asks=1), Invocation(), workspace=home / "w")
    built = report.runs[0].indexing
    print(f"estimated {made.building_s:.1f} s, took {built['seconds']:.1f} s")  # noqa: T201
    print(f"estimated {made.indexes[0].chunks.value} chunks, there are {built['chunks']}")  # noqa: T201
    assert built["seconds"] / 10 < made.building_s < built["seconds"] * 10
    assert built["chunks"] / 1.5 < made.indexes[0].chunks.value < built["chunks"] * 1.5
    files = [home / "w" / "vectors.sqlite", *(home / "w" / "builds").rglob("*")]
    size = sum(path.stat().st_size for path in files if path.is_file())
    print(f"estimated {made.indexes[0].disk.value:,.0f} bytes, takes {size:,}")  # noqa: T201
    assert size / 3 < made.indexes[0].disk.value < size * 3


def test_times_of_a_busy_machine_are_counted_again(home, monkeypatch):
    asked = benchmark({"search": "lexical"})
    monkeypatch.setattr("assay.benchmarks.work.piece_work.kept_waiting", lambda _: True)
    done(asked, home / "w")
    again = plan(asked, workspace=home / "w")
    assert 0 < again.searches_left == again.searches
    assert plan(asked, workspace=home / "w", resume=True).searches_left == 0
    monkeypatch.setattr("assay.benchmarks.work.piece_work.kept_waiting", lambda _: False)
    with closing(open_ledger(home / "w" / "ledger.sqlite")) as ledger:
        (running,) = ledger.benchmarks()
        ledger.finish(running.id, "completed")
    done(asked, home / "w")
    assert plan(asked, workspace=home / "w").searches_left == 0

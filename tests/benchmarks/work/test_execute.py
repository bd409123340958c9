"""All work of a benchmark, done once by whomever, whatever was there before."""

import json
import shutil
from contextlib import closing, contextmanager

import pytest

from assay.benchmarks.collections.open_collections import open_collections
from assay.benchmarks.file.read_benchmark import read_benchmark
from assay.benchmarks.runs.collect import collect
from assay.benchmarks.work.execute import Execution
from assay.benchmarks.work.open_indexes import OpenIndexes, _note
from assay.benchmarks.work.worker import Worker
from assay.errors import InputError
from assay.records import Unit
from assay.records.run_settings import RunSettings
from assay.searches.build import build
from assay.workspace.builds import Builds
from assay.workspace.ledger.ledger import open_ledger

WORDS = {"name": "words", "search": "lexical", "top_k": 20}
FEWER = {"name": "fewer", "search": "lexical", "top_k": 10}


@pytest.fixture
def asked(tmp_path):
    (tmp_path / "docs").mkdir()
    for at, word in enumerate(["red", "green", "blue", "red blue", "green red"]):
        (tmp_path / "docs" / f"d{at}.md").write_text(f"# {word}\n\nAll about {word} paint.\n")
    queries = [
        {
            "query_key": f"q{at}",
            "query_text": text,
            "relevant_docs": [{"doc_ref": {"path": "d0.md"}, "relevance_grade": 1}],
        }
        for at, text in enumerate(["red", "green paint", "blue"])
    ]
    (tmp_path / "queries.json").write_text(json.dumps({"queries": queries}))

    def made(*configurations):
        about = {"dataset": str(tmp_path / "queries.json"), "corpus": str(tmp_path / "docs")}
        return read_benchmark(
            {**about, "metrics": ["ndcg@10"], "configurations": [*configurations]}
        )

    return made


@pytest.fixture
def executing(tmp_path, cache):
    """Open a workspace for a benchmark, as a process of its own would."""

    @contextmanager
    def opened(benchmark, *, resume=False, **settings):
        folder = tmp_path / "workspace"
        indexes = OpenIndexes(builds=Builds(folder / "builds"), models=cache)
        with closing(open_ledger(folder / "ledger.sqlite")) as ledger, closing(indexes):
            names = [one.name for one in benchmark.configurations]
            begun = ledger.begin(identity="i", name="n", about={}, runs=names, resume=resume)
            yield Execution(
                runs=benchmark.configurations,
                collections=open_collections(benchmark),
                ledger=ledger,
                benchmark=begun.id,
                worker=Worker(ledger, begun.id, "here"),
                build=build,
                opened=indexes,
                settings=RunSettings(**{"asks": 1, **settings}),
            )

    return opened


def rows(work):
    return {key: len([*work.ledger.rows(key)]) for trial in work.trials for key in trial.keys}


def test_configurations_share_an_index_and_stages(asked, executing):
    with executing(asked(WORDS, FEWER), asks=2) as work:
        work.go()
        words, fewer = (work.of(name)[0] for name in ("words", "fewer"))
        assert words.build == fewer.build
        assert words.route.nodes[0] is fewer.route.nodes[0]
        assert words.route.nodes[-1] is not fewer.route.nodes[-1]
        assert sorted(rows(work).values()) == [0, 6, 6, 6, 6, 6]  # two are of whole searches
        states = work.ledger.states(work.benchmark)
        assert {one.state for one in states.values()} == {"completed"}
        found = collect(work, "words").measured.found
        assert found["q2"][0][0] in ("d2.md", "d3.md")


def test_an_index_that_was_removed_is_made_again_and_its_tapes_are_used(
    asked, executing, tmp_path, monkeypatch
):
    with executing(asked(WORDS)) as work:
        work.go()
        before = collect(work, "words").measured.found["q0"][0]
    shutil.rmtree(tmp_path / "workspace" / "builds")
    with executing(asked(WORDS)) as work:
        monkeypatch.setattr(
            "assay.benchmarks.work.ask._Asking.row", lambda *_: pytest.fail("searched again")
        )
        work.go()
        assert collect(work, "words").measured.found["q0"][0] == before


def test_an_index_that_another_completes_meanwhile_stays_completed(asked, executing, monkeypatch):
    """Between the look at the folder and the ledger another worker may be done with it."""
    with executing(asked(WORDS)) as work:
        (trial,) = work._begun()
        work.ledger.prepare(work.benchmark, [Unit(trial.build, "build", "index")])
        looked, make, made = work.opened.is_made, work.opened.make, []

        def counted(key, *about, **options):
            made.append(key)
            return make(key, *about, **options)

        def late(key):
            there = looked(key)
            claim = None if there else work.ledger.claim(work.benchmark, "other", kinds=["build"])
            if claim is not None:
                work.ledger.complete(claim, counted(key, trial.collection, trial.chosen))
            return there

        monkeypatch.setattr(work.opened, "make", counted)
        monkeypatch.setattr(work.opened, "is_made", late)
        work.go()
        assert made == [trial.build]
        assert not collect(work, "words").done.error


def test_progress_tells_which_index_of_how_many_is_built(asked, executing, monkeypatch):
    said = []

    def track(items, doing, **_):
        said.append(doing)
        return items

    larger = {"name": "larger", "search": "lexical", "chunk_size": 512}
    for configurations, steps in (((WORDS, FEWER, larger), {"1/2", "2/2"}), ((WORDS,), set())):
        said.clear()
        with executing(asked(*configurations), fresh=True) as work:
            monkeypatch.setattr(work.opened, "is_made", lambda _: False)
            monkeypatch.setattr(work.opened, "_track", track)
            work.go()
        told = {doing.split(": ")[0] for doing in said if doing.startswith("index ")}
        assert told == {f"index {step}" for step in steps}


def test_what_cannot_be_built_fails_alone(asked, executing, monkeypatch):
    small = {"name": "small", "search": "lexical", "lexical_unit": "chunk", "top_k": 20}
    with executing(asked(WORDS, small)) as work:
        made = work.opened.make

        def make(key, collection, chosen, **options):
            if chosen.name == "small":
                raise InputError("no room", where="builds", hint="make some")
            return made(key, collection, chosen, **options)

        monkeypatch.setattr(work.opened, "make", make)
        work.go()
        assert collect(work, "small").done.error.startswith("builds: no room\n")
        assert not collect(work, "words").done.error


def test_a_failed_build_is_done_again_only_if_asked_for(asked, executing, monkeypatch):
    def fails(*_given, **_options):
        raise InputError("no room", where="builds")

    with executing(asked(WORDS)) as work:
        monkeypatch.setattr(work.opened, "make", fails)
        work.go()
    with executing(asked(WORDS), resume=True) as work:
        work.go()
        assert "no room" in collect(work, "words").done.error
        work.go(retry=True)
        assert not collect(work, "words").done.error


def test_repeated_builds_and_fresh_ones_share_nothing(asked, executing):
    with executing(asked(WORDS), builds=2) as work:
        work.go()
        one, two = work.of("words")
        assert (one.number, two.number) == (0, 1)
        assert not set(one.keys) & set(two.keys)
        before = set(one.keys)
    with executing(asked(WORDS), fresh=True) as work:
        work.go()
        assert not before & set(work.of("words")[0].keys)


def test_a_live_search_is_one_piece_beside_its_index(asked, executing):
    with executing(asked(WORDS), live=True, asks=2) as work:
        work.go()
        (trial,) = work.trials
        assert trial.route is None
        assert rows(work) == {trial.build: 0, trial.search: 6 + 3}  # 3 traces
        facts = work.ledger.states(work.benchmark)[trial.search].facts
        assert facts["timed"]
        assert facts["seconds"] > 0


def test_a_disk_that_is_full_after_an_index_is_built_is_told(tmp_path):
    with pytest.raises(InputError, match="cannot be written") as caught:
        _note(tmp_path / "gone", {"indexing": {}})
    assert caught.value.where == str(tmp_path / "gone")
    assert "free some space" in caught.value.hint

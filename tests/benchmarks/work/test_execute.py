"""All work of a benchmark, done once by whomever, whatever was there before."""

import json
import shutil

import pytest
from tests.benchmarks.executing import executing as opened

from assay.benchmarks.file.read_benchmark import read_benchmark
from assay.benchmarks.work import ask
from assay.benchmarks.work.open_indexes import _note
from assay.errors import InputError
from assay.searches import environment

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
def executing(tmp_path):
    """Open a workspace for a benchmark, as a process of its own would."""

    def begun(benchmark, **settings):
        once = {} if settings.get("untimed") else {"asks": 1}
        return opened(benchmark, tmp_path / "workspace", **{**once, **settings})

    return begun


def of_role(work, role):
    return [piece for piece in work.layout.nodes if piece.node.role == role]


def test_configurations_share_an_index_and_stages(asked, executing):
    with executing(asked(WORDS, FEWER), asks=2) as work:
        work.go()
        words, fewer = (work.of(name)[0] for name in ("words", "fewer"))
        assert words.build == fewer.build
        assert words.route.nodes[0].key == fewer.route.nodes[0].key
        assert words.route.nodes[-1].key != fewer.route.nodes[-1].key
        kinds = [(unit.kind, work.rows()[unit.key]) for unit in work.layout.units()[1:]]
        stage, whole = [("stage", 3), ("time", 6)], [("time", 6)]
        assert kinds == [*stage, *stage, *whole, *stage, *whole]
        assert {one.state for one in work.states.values()} == {"completed"}
        found = work.collect("words").measured.found
        assert found["q2"][0][0] in ("d2.md", "d3.md")


def test_what_is_found_and_what_is_timed_are_on_tapes_of_their_own(asked, executing):
    with executing(asked(WORDS), asks=3) as work:
        work.go()
        for piece in (*of_role(work, "stage"), *of_role(work, "answer")):
            found, times = ([*work.ledger.rows(unit.tape)] for unit in piece.units)
            assert [row.round for row in found] == [0, 0, 0]
            assert all(row.value is not None and not row.times for row in found)
            assert [row.round for row in times] == [0, 0, 0, 1, 1, 1, 2, 2, 2]
            assert all(row.value is None and row.times["total"] > 0 for row in times)


def test_who_times_nothing_records_no_times(asked, executing):
    with executing(asked(WORDS), untimed=True) as work:
        work.go()
        assert {unit.kind for unit in work.layout.units()} == {"build", "stage"}
        assert not any(
            row.times for piece in work.layout.nodes for row in work.ledger.rows(piece.tape)
        )
        assert not len(work.collect("words").measured.milliseconds)


CHANGED = {"_memory_mb": lambda: 1, "_cores": lambda: 77, "_cpu": lambda: "another processor"}


@pytest.mark.parametrize("part", CHANGED)
def test_another_machine_shares_what_was_found_and_takes_its_own_times(
    asked, executing, monkeypatch, part
):
    searches = []
    with executing(asked(WORDS), asks=2) as work:
        work.go()
        here, before = work.context.machine, work.collect("words")
        units = {unit.key: unit.kind for unit in work.layout.units()}
    monkeypatch.setattr(environment, part, CHANGED[part])
    with executing(asked(WORDS), asks=2) as work:
        there = work.context.machine
        assert here != there
        again = {unit.key: unit.kind for unit in work.layout.units()}
        assert {kind for key, kind in again.items() if key in units} == {"build", "stage"}
        assert {kind for key, kind in again.items() if key not in units} == {"time"}
        monkeypatch.setattr(work.context.opened, "make", lambda *_, **__: pytest.fail("built"))
        found = work.context.ledger.record

        def record(claim, rows, **more):
            searches.append(claim.unit.kind)
            found(claim, rows, **more)

        monkeypatch.setattr(work.context.ledger, "record", record)
        work.go()
        after = work.collect("words")
    assert set(searches) == {"time"}
    assert after.measured.found.keys() == before.measured.found.keys()
    assert after.done.fingerprint == before.done.fingerprint
    assert after.measured.timed == before.measured.timed
    assert (before.measured.milliseconds != after.measured.milliseconds).any()
    assert after.done.indexing["elsewhere"]  # its index was built on the other machine
    assert "elsewhere" not in before.done.indexing


def test_of_what_was_found_elsewhere_some_queries_are_timed(
    asked, executing, monkeypatch, tmp_path
):
    monkeypatch.setattr("assay.benchmarks.work.piece_work.TIMED", 2)
    with executing(asked(WORDS), untimed=True) as work:
        work.go()
    with executing(asked(WORDS)) as work:
        work.go()
        measured = work.collect("words").measured
        assert [*measured.found] == ["q0", "q1", "q2"]
        (trial,) = work.of("words")
        lexical, answer = (work.layout.piece(trial, node) for node in trial.route.nodes)
        assert len([*work.ledger.rows(lexical.timed.tape)]) == 2
        assert len([*work.ledger.rows(answer.timed.tape)]) == 3  # it was found, and timed, only now
        assert measured.timed == ("q0", "q1")  # the sum of both is known of these


def test_an_answer_that_is_another_one_here_is_told(asked, executing, monkeypatch):
    with executing(asked(WORDS)) as work:
        work.go()
    monkeypatch.setattr(environment, "_cores", lambda: 77)
    with executing(asked(WORDS)) as work:
        documents = type(work.context.opened.shape(work.layout.runs[0])).results
        monkeypatch.setattr(
            "assay.searches.searcher.Searcher.results",
            lambda self, rows: [*reversed(documents(self, rows))],
        )
        work.go()
        notes = work.collect("words").measured.notes
    assert any("on this machine" in note and "3" in note for note in notes)


def test_times_of_a_busy_machine_are_taken_again_by_the_next_benchmark(
    asked, executing, monkeypatch
):
    with executing(asked(WORDS)) as work:
        monkeypatch.setattr("assay.benchmarks.work.piece_work.kept_waiting", lambda _times: True)
        work.go(retry=True)
        timed = [piece.timed.key for piece in work.layout.nodes]
        assert all(work.states[key].facts["busy"] for key in timed)
        before = work.collect("words").measured.milliseconds
        work.go(retry=True)  # nobody takes from a benchmark what it has measured itself
        assert work.collect("words").measured.milliseconds.tolist() == before.tolist()
        work.ledger.finish(work.context.benchmark, "completed")
    monkeypatch.undo()
    with executing(asked(WORDS)) as work:
        work.go(retry=True)
        assert work.collect("words").measured.milliseconds.tolist() != before.tolist()


def test_a_query_that_is_added_is_the_only_one_that_is_asked(
    asked, executing, tmp_path, monkeypatch
):
    with executing(asked(WORDS)) as work:
        work.go()
    told = json.loads((tmp_path / "queries.json").read_text())
    more = {**told["queries"][0], "query_key": "q3", "query_text": "paint"}
    (tmp_path / "queries.json").write_text(json.dumps({"queries": [*told["queries"], more]}))
    seen = []
    row = ask._Asking.row
    monkeypatch.setattr(
        ask._Asking, "row", lambda self, query, at: seen.append(query.key) or row(self, query, at)
    )
    with executing(asked(WORDS)) as work:
        work.go()
        assert [*work.collect("words").measured.found] == ["q0", "q1", "q2", "q3"]
    assert {*seen[:2]} == {"q3"}  # the warm-up, and then for good


def test_an_index_that_was_removed_is_made_again_and_its_tapes_are_used(
    asked, executing, tmp_path, monkeypatch
):
    with executing(asked(WORDS)) as work:
        work.go()
        before = work.collect("words").measured.found["q0"][0]
    shutil.rmtree(tmp_path / "workspace" / "builds")
    with executing(asked(WORDS)) as work:
        monkeypatch.setattr(
            "assay.benchmarks.work.ask._Asking.row", lambda *_: pytest.fail("searched again")
        )
        work.go()
        assert work.collect("words").measured.found["q0"][0] == before


def test_an_index_that_another_completes_meanwhile_stays_completed(asked, executing, monkeypatch):
    """Between the look at the folder and the ledger another worker may be done with it."""
    with executing(asked(WORDS)) as work:
        (trial,) = work.layout.trials
        context = work.context
        work.ledger.prepare(context.benchmark, work.layout.units()[:1])
        looked, make, made = context.opened.is_made, context.opened.make, []

        def counted(key, *about, **options):
            made.append(key)
            return make(key, *about, **options)

        def late(key):
            there = looked(key)
            claim = (
                None if there else work.ledger.claim(context.benchmark, "other", kinds=["build"])
            )
            if claim is not None:
                work.ledger.complete(claim, counted(key, trial.collection, trial.chosen))
            return there

        monkeypatch.setattr(context.opened, "make", counted)
        monkeypatch.setattr(context.opened, "is_made", late)
        work.go()
        assert made == [trial.build]
        assert not work.collect("words").done.error


def test_progress_tells_which_index_of_how_many_is_built(asked, executing, monkeypatch):
    said = []

    def track(items, doing, **_):
        said.append(doing)
        return items

    larger = {"name": "larger", "search": "lexical", "chunk_size": 512}
    for configurations, steps in (((WORDS, FEWER, larger), {"1/2", "2/2"}), ((WORDS,), set())):
        said.clear()
        with executing(asked(*configurations), fresh=True) as work:
            monkeypatch.setattr(work.context.opened, "_track", track)
            work.go()
        told = {doing.split(": ")[0] for doing in said if doing.startswith("index ")}
        assert told == {f"index {step}" for step in steps}


def test_what_cannot_be_built_fails_alone(asked, executing, monkeypatch):
    small = {"name": "small", "search": "lexical", "lexical_unit": "chunk", "top_k": 20}
    with executing(asked(WORDS, small)) as work:
        made = work.context.opened.make

        def make(key, collection, chosen, **options):
            if chosen.name == "small":
                raise InputError("no room", where="builds", hint="make some")
            return made(key, collection, chosen, **options)

        monkeypatch.setattr(work.context.opened, "make", make)
        work.go()
        assert work.collect("small").done.error.startswith("builds: no room\n")
        assert not work.collect("words").done.error


def test_the_vectors_of_queries_are_not_lost_with_an_index(asked, executing, monkeypatch):
    """Both searches share them; the index of the first cannot be built."""
    static = {"search": "dense", "model": "static", "top_k": 20}
    one, two = {"name": "one", **static}, {"name": "two", **static, "chunk_size": 64}
    with executing(asked(one, two)) as work:
        made = work.context.opened.make

        def make(key, collection, chosen, **options):
            if chosen.name == "one":
                raise InputError("no room", where="builds", hint="make some")
            return made(key, collection, chosen, **options)

        monkeypatch.setattr(work.context.opened, "make", make)
        work.go()
        assert work.collect("one").done.error
        assert not work.collect("two").done.error
        assert len(work.collect("two").measured.found) == 3


def test_a_failed_build_is_done_again_only_if_asked_for(asked, executing, monkeypatch):
    def fails(*_given, **_options):
        raise InputError("no room", where="builds")

    with executing(asked(WORDS)) as work:
        monkeypatch.setattr(work.context.opened, "make", fails)
        work.go()
    with executing(asked(WORDS), resume=True) as work:
        work.go()
        assert "no room" in work.collect("words").done.error
        work.go(retry=True)
        assert not work.collect("words").done.error


def test_repeated_builds_and_fresh_ones_share_nothing(asked, executing):
    with executing(asked(WORDS), repeats=2) as work:
        work.go()
        one, two = work.of("words")
        assert (one.number, two.number) == (0, 1)
        before = set(work.layout.units_of(one))
        assert not before & set(work.layout.units_of(two))
    with executing(asked(WORDS), fresh=True) as work:
        work.go()
        assert not before & set(work.layout.units_of(work.of("words")[0]))


def test_a_live_search_is_one_piece_beside_its_index(asked, executing):
    with executing(asked(WORDS), live=True, asks=2) as work:
        work.go()
        (trial,) = work.layout.trials
        (piece,) = work.layout.pieces_of(trial)
        assert piece.node is None
        assert work.rows() == {piece.found.key: 3 + 3, piece.timed.key: 6}  # 3 traces
        facts = work.states[piece.found.key].facts
        assert facts["timed"]
        assert facts["seconds"] > 0


def test_a_disk_that_is_full_after_an_index_is_built_is_told(tmp_path):
    with pytest.raises(InputError, match="cannot write") as caught:
        _note(tmp_path / "gone", {"indexing": {}})
    assert caught.value.where == str(tmp_path / "gone")
    assert "disk" in caught.value.hint

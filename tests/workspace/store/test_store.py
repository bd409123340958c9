"""The store as a whole: opened, shared by processes and threads, purged, killed."""

import random
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest
from tests.workspace.store.made import AUTHOR, HANDBOOK
from tests.workspace.stored import all_rows, unpack

from assay.errors import ConflictError, InputError, NotFoundError
from assay.records import Dataset, Query
from assay.records.service import NewJudgment
from assay.workspace.ledger.ledger import open_ledger
from assay.workspace.store.store import open_service_store

WORK = Path(__file__).with_name("store_work.py")


def start(*words):
    command = [sys.executable, str(WORK), *map(str, words)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_a_ledger_of_the_step_before_becomes_a_store(tmp_path):
    path = unpack("0001", tmp_path) / "ledger.sqlite"
    with closing(open_service_store(path)) as service:
        service.datasets.create(HANDBOOK, **AUTHOR)
    with closing(open_ledger(path)) as ledger:
        assert [one.name for one in ledger.benchmarks()] == ["handbook"]


def test_three_processes_change_one_dataset(service, store_place):
    """Each change is on top of the one before: none is lost, and none is there twice."""
    made = service.datasets.create(Dataset("shared", ()), **AUTHOR)
    times = 12
    running = [start(store_place, made.id, name, times) for name in ("x", "y", "z")]
    told = [process.communicate(timeout=180) for process in running]
    assert [err for _, err in told] == [""] * 3
    keys = {f"{name}-{number}" for name in "xyz" for number in range(times)}
    entry = service.datasets.get(made.id)
    assert (entry.version.number, entry.revision) == (1 + 3 * times, 1 + 3 * times)
    assert {query.key for query in service.datasets.read(made.id).queries} == keys
    sizes = [one.queries for one in service.datasets.versions(made.id, limit=1000).items]
    assert sizes == list(range(3 * times, -1, -1))
    assert len(service.judgments.current(made.id, limit=1000).items) == 3 * times
    assert {one.event.id for one in service.events.page(limit=1000).items} == keys
    assert len(service.audit.page(limit=1000).items) == 1 + 6 * times
    for name in "xyz":
        own = [q.key for q in service.datasets.read(made.id).queries if q.key[0] == name]
        assert own == [f"{name}-{number}" for number in range(times)]


def test_of_two_who_take_a_name_one_gets_it(service):
    together, told = threading.Barrier(4), []

    def create():
        together.wait(timeout=60)
        try:
            told.append(service.datasets.create(HANDBOOK, **AUTHOR).id)
        except ConflictError:
            told.append(None)

    threads = [threading.Thread(target=create) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert sorted(map(bool, told)) == [False, False, False, True]
    assert [one.id for one in service.datasets.page().items] == [one for one in told if one]


def test_a_dataset_is_not_deleted_while_it_is_mapped(service):
    """Of deleting and mapping at once only one can happen."""
    for turn in range(10):
        dataset = service.datasets.create(HANDBOOK, name=f"d{turn}", **AUTHOR).id
        corpus = service.corpora.create(f"c{turn}", {"path": "docs"}, **AUTHOR).id
        together, told = threading.Barrier(2), []

        def act(do, together=together, told=told):
            together.wait(timeout=60)
            try:
                do()
                told.append(True)
            except InputError:
                told.append(False)

        acts = [
            lambda one=dataset: service.datasets.delete(one, revision=None, **AUTHOR),
            lambda one=dataset, two=corpus: service.mappings.create(one, two, **AUTHOR),
        ]
        threads = [threading.Thread(target=act, args=(do,)) for do in acts]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(timeout=60)
        assert sorted(told) == [False, True]


def test_what_was_deleted_is_removed_for_good(service, store_place, is_file, clock):
    one = service.datasets.create(HANDBOOK, **AUTHOR)
    kept = service.datasets.create(HANDBOOK, name="kept", **AUTHOR)
    corpus = service.corpora.create("docs", {"path": "docs"}, **AUTHOR)
    mapping = service.mappings.create(one.id, corpus.id, **AUTHOR)
    service.judgments.record(one.id, [NewJudgment("q1", "a", 1)], **AUTHOR)
    with closing(open_ledger(store_place)) as ledger:
        told = {"name": "b", "about": {}, "runs": ["r"], "job": {}}
        benchmark, _ = ledger.create(**told, mappings=[mapping.id], **AUTHOR)
        ledger.delete(benchmark)
    service.mappings.delete(mapping.id, revision=None, **AUTHOR)
    gone = service.datasets.delete(one.id, revision=None, **AUTHOR)
    assert service.purge(gone.deleted - 1e6, **AUTHOR) == 0
    assert service.purge(gone.deleted + 1e6, **AUTHOR) == 2
    with pytest.raises(NotFoundError):
        service.datasets.undelete(one.id, **AUTHOR)
    assert service.datasets.read(kept.id).queries == HANDBOOK.queries
    sizes = {table: len(rows) for table, rows in all_rows(store_place).items()}
    assert sizes["dataset_rows"] == 3
    assert (sizes["datasets"], sizes["dataset_versions"], sizes["corpora"]) == (1, 1, 1)
    assert (sizes["mappings"], sizes["mapping_uses"], sizes["judgments"]) == (0, 0, 0)
    assert service.audit.page(kind="dataset").items[0].act == "dataset.purge"


@pytest.mark.long
def test_kills_leave_whole_versions(service, store_place, kills):
    """A writer is killed at random times: each version is whole, and the next writer goes on."""
    made = service.datasets.create(Dataset("shared", ()), **AUTHOR)
    chance, hits = random.Random(5), 0
    for turn in range(kills.number):
        process = start(store_place, made.id, f"k{turn}", 1000)
        time.sleep(chance.uniform(0.3, 1.2))
        hits += process.poll() is None
        process.kill()
        process.communicate(timeout=60)
        entry = service.datasets.get(made.id)
        assert entry.version.number == entry.revision
        read = service.datasets.read(made.id)
        assert len(read.queries) == entry.version.queries == entry.version.number - 1
        (newest,) = service.audit.page(kind="dataset", limit=1).items
        assert newest.after.get("version") == entry.version.number
    kills.log(f"store: {hits} of {kills.number} hit; every version whole")
    assert hits >= 1


def test_a_hundred_thousand_judgments(service):
    """A floor far below what is usual (0.3 s to store, 0.4 s to read): none may be per row."""
    from assay.records import Judgment, Reference

    queries = tuple(
        Query(
            f"q{n}",
            f"text {n}",
            tuple(Judgment(Reference.named(f"docs/{n}/{m}.md"), m % 4) for m in range(100)),
        )
        for n in range(1000)
    )
    started = time.process_time()
    made = service.datasets.create(Dataset("large", queries), **AUTHOR)
    assert service.datasets.read(made.id).queries == queries
    reference = Reference.named("docs/500/7.md")
    service.datasets.edit_grade(made.id, "q500", reference, 1, revision=1, **AUTHOR)
    assert time.process_time() - started < 20
    assert service.datasets.get(made.id).version.judgments == 100_000
    assert service.datasets.query(made.id, "q500").judgments[7].grade == 1
    assert service.datasets.query(made.id, "q500", version=1).judgments[7].grade == 3

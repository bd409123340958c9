"""What a workspace holds is counted without a change, and each kind can be cleared."""

import subprocess
import sys
from contextlib import closing

import pytest

from assay.errors import InputError
from assay.workspace.blobs import Blobs
from assay.workspace.builds import Builds
from assay.workspace.cache_limit import cache_limit
from assay.workspace.clear import KINDS, REBUILT, clear
from assay.workspace.index.index_store import open_store
from assay.workspace.ledger.ledger import open_ledger
from assay.workspace.locate import Workspace
from assay.workspace.usage import usage


@pytest.fixture
def workspace(place, monkeypatch):
    monkeypatch.setenv("ASSAY_CACHE", str(place / "models"))
    return Workspace(place / "ünï 建" / ".assay")


@pytest.fixture
def full(workspace, put):
    put.build(workspace, "a", 5000, used=100)
    put.build(workspace, "b", 500, used=300)
    put.tape(workspace, "t", 3000, used=200)
    put.unit(workspace, "nothing")
    put.memory(workspace.vectors, 7)
    put.memory(workspace.tokens, 2)
    put.index(workspace, "docs-1")
    workspace.models.mkdir()
    (workspace.models / "some.onnx").write_bytes(bytes(77))
    (workspace.models / "notes.txt").write_bytes(bytes(900))
    return workspace


def counts(workspace):
    return {part.name: part.count for part in usage(workspace)}


def everything(folder):
    return {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}


def test_by_hand(full):
    before = everything(full.folder)
    parts = {part.name: part for part in usage(full)}
    assert list(parts) == ["tapes", "builds", "indexes", "vectors", "tokens", "reports", "models"]
    assert [part.count for part in parts.values()] == [1, 2, 1, 7, 2, 1, 1]
    assert (parts["builds"].bytes, parts["builds"].used) == (5500, 300)
    assert 3000 <= parts["tapes"].bytes < 3200
    assert parts["tapes"].used == 200
    assert parts["vectors"].bytes == full.vectors.stat().st_size
    assert parts["indexes"].bytes > 100
    assert parts["models"].bytes == 77
    assert parts["reports"].bytes > 0
    limited = {part.name for part in parts.values() if part.limited}
    assert limited == {"tapes", "builds", "vectors", "tokens"}
    assert everything(full.folder) == before


def test_nothing_is_made_by_looking(workspace):
    assert set(counts(workspace).values()) == {0}
    assert [part.used for part in usage(workspace)] == [None] * 7
    assert not workspace.folder.exists()
    workspace.folder.mkdir(parents=True)
    usage(workspace)
    assert list(workspace.folder.iterdir()) == []


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_is_cleared_by_itself(full, kind):
    before = counts(full)
    (done,) = clear(full, [kind])
    assert (done.name, done.removed, done.in_use) == (kind, before[kind], 0)
    assert done.freed > 0
    after = counts(full)
    assert after.pop(kind) == 0
    assert after == {name: number for name, number in before.items() if name != kind}
    (again,) = clear(full, [kind])
    assert again.removed == 0


def test_an_empty_workspace_is_cleared(workspace):
    assert all(one.removed == one.freed == one.in_use == 0 for one in clear(workspace, KINDS))
    assert not workspace.folder.exists()


def test_what_is_in_use_stays(full, put):
    put.tape(full, "at_work", 10, used=10, state="running")
    store = open_store(full.indexes / "docs-1", settings="a")
    with closing(Builds(full.builds)) as user, closing(Blobs(full.vectors)) as vectors:
        user.place("a")
        vectors.get("0")
        with closing(store.snapshot()):
            done = {one.name: one for one in clear(full, REBUILT)}
    assert {name: one.in_use for name, one in done.items()} == {
        "tapes": 1,
        "builds": 1,
        "vectors": 7,
        "tokens": 0,
        "indexes": 1,
    }
    assert store.generation == 1
    assert clear(full, ["indexes"])[0].removed == 1


WRITING = """
import sys
from assay.records import Document
from assay.workspace.index.index_store import open_store
with open_store(sys.argv[1], settings="a").update() as update:
    update.put(Document(id="d"), [])
    print("writing", flush=True)
    sys.stdin.readline()
"""


def test_an_index_that_another_process_writes_stays(full):
    command = [sys.executable, "-c", WRITING, str(full.indexes / "docs-1")]
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        assert child.stdout.readline() == "writing\n"
        assert clear(full, ["indexes"])[0].in_use == 1
    finally:
        child.communicate("\n", timeout=60)
    assert child.returncode == 0
    assert open_store(full.indexes / "docs-1", settings="a").generation == 2


def test_a_damaged_index_can_be_cleared(full):
    (full.indexes / "docs-1" / "index.sqlite").write_bytes(b"no database" * 999)
    assert clear(full, ["indexes"])[0].removed == 1


def test_clearing_reports_leaves_what_can_be_gone_on_with(full, put):
    put.tape(full, "u", 10, used=10, state="running")
    again = {"identity": "again", "name": "b", "about": {}, "runs": []}
    with closing(open_ledger(full.ledger)) as found:
        begun = found.begin(**again, resume=False)
        found.finish(begun.id, "cancelled", report=b"of the part that was done")
        found.begin(**again, resume=True)
    assert clear(full, ["reports"])[0].removed == 1
    with closing(open_ledger(full.ledger)) as found:
        assert {each.identity for each in found.benchmarks()} == {"u", "nothing", "again"}
        assert {tape.key for tape in found.tapes()} == {"t", "u"}


def test_a_place_that_may_not_be_written_is_one_message(full, nobody, open_to_others):
    open_to_others(full.folder.parent.parent)
    full.indexes.chmod(0o555)
    (full.indexes / "docs-1").chmod(0o777)
    (full.indexes / "docs-1" / "index.sqlite").chmod(0o666)
    try:
        with nobody(), pytest.raises(InputError, match="Permission denied") as caught:
            clear(full, ["indexes"])
    finally:
        full.indexes.chmod(0o755)
    assert "docs-1" in caught.value.where
    assert caught.value.hint


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("0", 0),
        ("12", 12),
        ("12b", 12),
        ("1 byte", None),
        ("12 bytes", 12),
        ("500MB", 500_000_000),
        ("500 mb", 500_000_000),
        ("5g", 5_000_000_000),
        (" 1.5GiB ", 1_610_612_736),
        ("2TiB", 2_199_023_255_552),
        ("1.5k", 1500),
        (7, 7),
        ("999999999999999999", 999_999_999_999_999_999),
        *((wrong, None) for wrong in ("", "GB", "-1", "1e9", "5 PB", "nan", "inf", "5GBs", "٣MB")),
        *((wrong, None) for wrong in (-1, True, 1.5, "1" * 30, "5\nGB", "☃")),
    ],
)
def test_sizes(text, size):
    if size is not None:
        assert cache_limit(text) == size
        return
    with pytest.raises(InputError, match="invalid size") as caught:
        cache_limit(text, name="--limit")
    assert caught.value.where == "--limit"
    assert len(str(caught.value)) < 200


def test_the_limit_of_the_environment(monkeypatch):
    monkeypatch.delenv("ASSAY_CACHE_LIMIT", raising=False)
    assert cache_limit() == 5_000_000_000
    monkeypatch.setenv("ASSAY_CACHE_LIMIT", "500MB")
    assert cache_limit() == 500_000_000
    assert cache_limit("1MB") == 1_000_000
    monkeypatch.setenv("ASSAY_CACHE_LIMIT", " ")
    assert cache_limit() == 5_000_000_000
    monkeypatch.setenv("ASSAY_CACHE_LIMIT", "much")
    with pytest.raises(InputError, match=r'ASSAY_CACHE_LIMIT: .*"much"'):
        cache_limit()


def test_links_are_not_followed(full, place, put):
    """A link in the place of a build or an index is not ours: it may lead anywhere."""
    other = Workspace(place / "other")
    put.build(other, "c", 4, used=1000)
    put.index(other, "c")
    (full.builds / "c").symlink_to(other.builds / "c")
    (full.indexes / "c").symlink_to(other.indexes / "c")
    assert (counts(full)["builds"], counts(full)["indexes"]) == (2, 1)
    clear(full, KINDS)
    assert (full.builds / "c" / "index").exists()
    assert (full.indexes / "c" / "index.sqlite").exists()


def test_a_workspace_that_may_only_be_read_is_shown(full, nobody, open_to_others):
    open_to_others(full.folder.parent.parent)
    for folder in (full.folder, full.builds, full.indexes):
        folder.chmod(0o555)
    try:
        with nobody():
            assert list(counts(full).values()) == [1, 2, 1, 7, 2, 1, 1]
    finally:
        for folder in (full.folder, full.builds, full.indexes):
            folder.chmod(0o755)


def test_a_workspace_that_may_not_be_read_is_one_message(full, nobody):
    full.folder.parent.parent.chmod(0o755)
    full.folder.chmod(0o000)
    try:
        with nobody():
            with pytest.raises(InputError, match=r"denied|unable to open"):
                usage(full)
            for kind in KINDS:
                with pytest.raises(InputError, match=r"denied|unable to open"):
                    clear(full, [kind])
    finally:
        full.folder.chmod(0o755)


@pytest.mark.parametrize("content", [b"", b"no database" * 999])
def test_a_ledger_that_is_new_or_damaged(full, content, snapshot):
    full.ledger.write_bytes(content)
    if not content:
        assert counts(full)["tapes"] == 0
        return
    with pytest.raises(InputError, match="damaged") as caught:
        usage(full)
    snapshot([caught.value.problem, caught.value.hint])

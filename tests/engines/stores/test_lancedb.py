"""LanceDB's own: its indexes and what they miss, its words, its folder, what it is not told."""

import math
import os
import shutil
import subprocess
import sys
from contextlib import closing

import numpy as np
import pytest

from assay.engines.dense.exact import exact
from assay.engines.stores.lancedb import lancedb
from assay.errors import InputError

pytestmark = pytest.mark.server

COUNT, DIMENSION, CENTRES = 2000, 32, 40


@pytest.fixture(scope="module")
def clustered():
    """Vectors around forty centres, and queries near some of them."""
    rng = np.random.default_rng(3)
    centres = rng.standard_normal((CENTRES, DIMENSION))
    around = centres[rng.integers(0, CENTRES, COUNT)] + 0.6 * rng.standard_normal(
        (COUNT, DIMENSION)
    )
    queries = around[::50] + 0.3 * rng.standard_normal((COUNT // 50, DIMENSION))
    return tuple(
        (part / np.linalg.norm(part, axis=1, keepdims=True)).astype(np.float32)
        for part in (around, queries)
    )


def recall(store, vectors, queries, k=10):
    truth = exact(vectors, np.arange(len(vectors)), precision="float32")
    shares = []
    for query in queries:
        wanted, found = truth.search(query, k), store.dense(query, k)
        assert (np.diff(found.scores) <= 0).all()
        known = truth.scores(query, found.rows)
        assert found.scores.tobytes() == known.tobytes()  # whatever is found has the exact score
        shares.append(np.isin(wanted.rows, found.rows).mean())
    return float(np.mean(shares))


def measured(clustered, **settings):
    vectors, queries = clustered
    with closing(lancedb(words=False, **settings)) as store:
        chunks = [(np.arange(COUNT), [""] * COUNT, vectors)]
        store.fill(chunks, dimension=DIMENSION, total=COUNT)
        assert store.approximate
        assert "starts at random" in " ".join(store.notes)
        return recall(store, vectors, queries)


@pytest.mark.parametrize(
    ("index", "settings", "least"),
    [
        ("ivf_flat", {"partitions": 4, "nprobes": 4}, 0.999),
        ("ivf_pq", {"partitions": 4, "nprobes": 4, "refine_factor": 10}, 0.9),
        ("ivf_hnsw_sq", {"partitions": 1, "ef": 100}, 0.9),
        ("ivf_hnsw_pq", {"partitions": 1, "refine_factor": 10}, 0.9),
    ],
)
def test_recall_of_approximate_search(clustered, index, settings, least):
    assert measured(clustered, index=index, **settings) >= least


def test_fewer_partitions_looked_into_find_less():
    drawn = np.random.default_rng(5).standard_normal((COUNT + 20, DIMENSION))
    everywhere = (drawn / np.linalg.norm(drawn, axis=1, keepdims=True)).astype(np.float32)
    spread = everywhere[:COUNT], everywhere[COUNT:]

    one = measured(spread, index="ivf_flat", partitions=7, nprobes=1)

    assert 0.1 < one < 0.8
    assert measured(spread, index="ivf_flat", partitions=7, nprobes=7) == 1.0


def test_too_few_vectors_are_searched_exactly_and_it_says_so():
    vectors = np.eye(5, dtype=np.float32)
    with closing(lancedb(index="ivf_pq", partitions=2)) as store:
        assert store.approximate
        store.fill([(np.arange(5), ["word"] * 5, vectors)], dimension=5, total=5)

        assert not store.approximate
        assert "5 vectors" in store.notes[1]
        assert "256" in store.notes[1]
        assert store.dense(vectors[3], 1).rows.tolist() == [3]


@pytest.mark.parametrize(("index", "fewer"), [("ivf_pq", True), ("ivf_flat", False)])
def test_partitions_that_are_not_built_are_told(clustered, index, fewer):
    with closing(lancedb(index=index, partitions=64, words=False)) as store:
        store.fill([(np.arange(COUNT), [""] * COUNT, clustered[0])], dimension=32, total=COUNT)

        assert any("2,000 vectors" in note for note in store.notes) == fewer


def test_words_are_scored_by_bm25():
    texts = ["apple", "apple apple pear", "pear plum", "plum plum plum plum", "grape apple plum"]
    counts = [text.split().count("plum") for text in texts]
    lengths = [len(text.split()) for text in texts]
    mean, holding = sum(lengths) / 5, sum(map(bool, counts))
    rarity = math.log(1 + (5 - holding + 0.5) / (holding + 0.5))
    wanted = {
        row: rarity * tf * 2.2 / (tf + 1.2 * (0.25 + 0.75 * length / mean))
        for row, (tf, length) in enumerate(zip(counts, lengths, strict=True))
        if tf
    }
    with closing(lancedb()) as store:
        store.fill([(np.arange(5), texts, None)], dimension=0, total=5)
        found = store.lexical("plum", 5)

    assert dict(zip(found.rows.tolist(), found.scores.tolist(), strict=True)) == pytest.approx(
        wanted, rel=1e-3
    )


def test_the_language_decides_which_words_are_one():
    chunks = [(np.arange(2), ["die Häuser", "das Auto"], None)]
    with closing(lancedb(language="german")) as store:
        store.fill(chunks, dimension=0, total=2)

        assert store.lexical("Haus", 5).rows.tolist() == [0]
        assert store.lexical("das", 5).rows.tolist() == []
        assert "German" in store.notes[0]


@pytest.mark.parametrize(
    ("settings", "where", "fact"),
    [
        ({"index": "hnsw"}, "index", '"hnsw"'),
        ({"index": None}, "index", "null"),
        ({"nprobes": 5}, "nprobes", "index: exact"),
        ({"index": "ivf_pq", "ef": 5}, "ef", "index: ivf_pq"),
        ({"index": "ivf_pq", "nprobes": 0}, "nprobes", "0"),
        ({"index": "ivf_pq", "nprobes": "many"}, "nprobes", '"many"'),
        ({"index": "ivf_pq", "nprobes": True}, "nprobes", "true"),
        ({"language": "Klingon"}, "language", '"Klingon"'),
        ({"language": 3}, "language", "3"),
        ({"path": "s3://bucket/table"}, "path", "not a local folder"),
        ({"path": "db://cloud"}, "path", "not a local folder"),
        ({"path": " "}, "path", "not a local folder"),
        ({"path": "a\0b"}, "path", "not a local folder"),
        ({"path": 7}, "path", "not a local folder"),
    ],
)
def test_a_setting_that_cannot_be_applied_is_refused(settings, where, fact):
    with pytest.raises(InputError) as refused:
        lancedb(**settings)

    assert refused.value.where == where
    assert fact in refused.value.problem
    assert refused.value.hint


def test_a_missing_package_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "lancedb", None)

    with pytest.raises(InputError, match=r"install .*\[lancedb\]"):
        lancedb()


def test_the_folder_of_a_user_keeps_what_it_had(tmp_path):
    (tmp_path / "mine.lance").mkdir()
    (tmp_path / "mine.lance" / "data").write_text("mine")
    with closing(lancedb(path=str(tmp_path), folder="/nowhere")) as store:
        store.fill([(np.arange(1), ["word"], None)], dimension=0, total=1)
        inside = {one.name for one in tmp_path.iterdir()}

        assert len(inside) == 2
        assert any(name.startswith("assay_") for name in inside)
    assert (tmp_path / "mine.lance" / "data").read_text() == "mine"
    assert len(list(tmp_path.iterdir())) == 1


def test_a_folder_that_was_made_for_it_is_removed(tmp_path):
    with closing(lancedb(path=str(tmp_path / "new"))) as store:
        store.fill([(np.arange(1), ["word"], None)], dimension=0, total=1)
        assert (tmp_path / "new").is_dir()

    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_a_file_gives_one_message(tmp_path):
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "file", tmp_path / "file" / "below", "/proc/none"):
        with pytest.raises(InputError) as refused:
            lancedb(path=str(path))
        assert refused.value.where == "path"
        assert "writable" in refused.value.hint
    assert (tmp_path / "file").is_file()


def test_a_folder_is_meant_from_where_the_file_is(tmp_path):
    with closing(lancedb(path="here", home=tmp_path, folder=tmp_path / "other")) as store:
        assert list(tmp_path.iterdir()) == []  # looking leaves nothing
        store.fill([(np.arange(1), ["word"], None)], dimension=0, total=1)
        assert [one.name for one in tmp_path.iterdir()] == ["here"]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("words", ["false", 1, None])
def test_a_switch_is_true_or_false(words):
    with pytest.raises(InputError, match="words: "):
        lancedb(words=words)


def test_a_table_that_is_damaged_gives_one_message(tmp_path):
    with closing(lancedb(folder=tmp_path)) as store:
        store.fill(
            [(np.arange(3), ["word"] * 3, np.eye(3, dtype=np.float32))], dimension=3, total=3
        )
        for one in tmp_path.rglob("*.lance"):
            if one.is_file():
                one.write_bytes(b"")

        with pytest.raises(InputError, match="LanceDB: "):
            store.dense(np.ones(3, np.float32), 2)


def test_settings_change_the_fingerprint_and_the_folder_does_not(tmp_path):
    made = [
        lancedb(),
        lancedb(index="ivf_pq"),
        lancedb(index="ivf_pq", nprobes=5),
        lancedb(index="ivf_pq", nprobes=6),
        lancedb(language="German"),
        lancedb(words=False),
    ]

    assert len({store.fingerprint for store in made}) == len(made)
    assert lancedb(path=str(tmp_path)).fingerprint == lancedb().fingerprint


USED = """
import sys
import numpy as np
from assay.engines.stores.lancedb import lancedb
from assay.engines.stores.qdrant import qdrant
assert not {"lancedb", "qdrant_client", "pyarrow"} & set(sys.modules)
for make in (lancedb, qdrant):
    store = make(folder=sys.argv[1])
    chunks = [(np.arange(3), ["one", "two", "three"], np.eye(3, dtype=np.float32))]
    store.fill(chunks, dimension=3, total=3)
    assert store.dense(np.ones(3), 2).rows.tolist() == [0, 1]
    assert store.lexical("two", 3).rows.tolist() == [1]
    store.close()
store = lancedb(index="ivf_pq", partitions=16, folder=sys.argv[1])  # it would log: too few
vectors = np.random.default_rng(0).standard_normal((300, 16)).astype(np.float32)
store.fill([(np.arange(300), [""] * 300, vectors)], dimension=16, total=300)
store.close()
"""


def test_nothing_is_imported_early_asked_of_a_network_or_left_at_home(tmp_path):
    """Python hears nothing of the sockets of a library, but the system does."""
    if shutil.which("strace") is None:
        pytest.skip("there is no strace on this system")
    told, home = tmp_path / "told", tmp_path / "home"
    before = ["strace", "-f", "-e", "trace=connect,sendto,sendmsg", "-o", str(told)]
    if subprocess.run([*before, "true"], capture_output=True, check=False).returncode != 0:
        pytest.skip("this system does not let us trace a process")
    home.mkdir()
    kept = {
        key: value for key, value in os.environ.items() if not key.startswith(("XDG_", "LANCE"))
    }
    command = [*before, sys.executable, "-c", USED, str(tmp_path / "store")]
    ran = subprocess.run(
        command,
        env={**kept, "HOME": str(home)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )

    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")
    assert "exited with 0" in told.read_text()
    assert "sa_family=AF_INET" not in told.read_text()
    assert list(home.rglob("*")) == []
    assert not (tmp_path / "store").exists()

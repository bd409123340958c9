import json
import os
import tracemalloc

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from assay import extras
from assay.errors import InputError
from assay.models.given.location import VectorLocation, vectors_at
from assay.models.given.vector_file import open_vectors

IDS = ["a", "b", "c"]
ROWS = np.array([[3, 4], [0, -2], [0.6, 0.8]], np.float32)  # of length 5, 2 and 1
UNIT = np.array([[0.6, 0.8], [0, -1], [0.6, 0.8]], np.float32)


def all_of(*ids):
    return dict.fromkeys(ids or IDS, True)


@pytest.fixture
def saved(tmp_path):
    """Write rows with their ids in a format, and say where they are."""

    def save(rows, ids=IDS, *, ending="npy", name="vectors", **how):
        path = tmp_path / f"{name}.{ending}"
        if ending == "parquet":
            table = {"id": ids, "vector": pl.Series(np.asarray(rows).tolist(), **how)}
            pl.DataFrame(table).write_parquet(path)
            return VectorLocation(path)
        np.save(path, rows)
        if ids is None:
            return VectorLocation(path)
        names = tmp_path / f"{name}_ids.json"
        names.write_text(json.dumps(ids))
        return VectorLocation(path, names)

    return save


@pytest.mark.parametrize("ending", ["npy", "parquet"])
def test_by_hand(saved, ending):
    file = open_vectors(saved(ROWS, ending=ending), all_of(), noun="document")

    assert (len(file), file.dimension, file.ordered, file.notes) == (3, 2, False, ())
    assert file.vectors(["b", "a"]).tolist() == UNIT[[1, 0]].tolist()
    assert file.vectors(IDS).tolist() == UNIT.tolist()
    assert file.vectors([]).shape == (0, 2)
    assert "a" in file
    assert "x" not in file


def test_about_1_is_1(saved):
    rows = np.array([[0.6003, 0.8004], [0.6012, 0.8016], [0.5997, 0.7996]], np.float32)

    got = open_vectors(saved(rows), all_of(), noun="document").vectors(IDS)

    assert got[[0, 2]].tobytes() == rows[[0, 2]].tobytes()  # of length 1.0005 and .9995
    np.testing.assert_allclose(got[1], [0.6, 0.8], atol=1e-7)  # 1.002


NUMBERS = st.floats(-(2.0**90), 2.0**90, width=32).filter(lambda one: abs(one) > 1e-30 or one == 0)
MATRICES = arrays(
    np.float32,
    st.tuples(st.integers(1, 12), st.integers(1, 6)),
    elements=NUMBERS,
).filter(lambda rows: np.any(rows, axis=1).all())


@settings(max_examples=60, deadline=None)
@given(rows=MATRICES, order=st.randoms())
def test_any_order_and_any_format_give_the_same_vectors(tmp_path_factory, rows, order):
    folder = tmp_path_factory.mktemp("any")
    ids = [f"d{at}" for at in range(len(rows))]
    mixed = order.sample(range(len(rows)), len(rows))
    np.save(folder / "v.npy", rows[mixed])
    (folder / "v_ids.txt").write_text("\n".join(ids[at] for at in mixed))
    kind = pl.Array(pl.Float32, rows.shape[1])
    pl.DataFrame({"id": ids, "vector": pl.Series(rows, dtype=kind)}).write_parquet(folder / "v.pq")
    (folder / "v.pq").rename(folder / "v.parquet")
    whole = rows.astype(np.float64)
    lengths = np.sqrt((whole * whole).sum(axis=1))

    each = [
        open_vectors(vectors_at(folder / name), all_of(*ids), noun="document").vectors(ids)
        for name in ("v.npy", "v.parquet")
    ]

    assert each[0].tobytes() == each[1].tobytes()
    near = np.abs(lengths - 1) <= 1e-3
    assert each[0][near].tobytes() == rows[near].tobytes()  # they keep their bits
    expected = whole[~near] / lengths[~near, None]
    np.testing.assert_array_equal(each[0][~near], expected.astype(np.float32))


def test_many_blocks_are_as_one(saved, monkeypatch):
    rows = np.random.default_rng(5).standard_normal((40, 3)).astype(np.float32)
    ids = [f"d{at}" for at in range(40)]
    whole = [
        open_vectors(saved(rows, ids, ending=end), all_of(*ids), noun="document")
        for end in ("npy", "parquet")
    ]
    monkeypatch.setattr("assay.models.given._row_file.BLOCK", 50)
    monkeypatch.setattr("assay.models.given._parquet.BLOCK", 150)
    parts = [
        open_vectors(saved(rows, ids, ending=end, name="parts"), all_of(*ids), noun="document")
        for end in ("npy", "parquet")
    ]

    assert len({one.fingerprint for one in (*whole, *parts)}) == 1
    assert len({one.vectors(ids[::-1]).tobytes() for one in (*whole, *parts)}) == 1
    rows[[7, 31]] = np.nan
    with pytest.raises(InputError, match=r'2 of 40 vectors .* "d7" \(row 8\)'):
        open_vectors(saved(rows, ids), all_of(*ids), noun="document")
    ragged = [[1.0, 2.0], *[[1.0, 2.0, 3.0]] * 38, [1.0]]
    location = saved(rows, ids, ending="parquet")
    pl.DataFrame({"id": ids, "vector": ragged}).write_parquet(location.path)
    with pytest.raises(InputError, match=r'2 of 40 vectors do not have 3 .* "d0"'):
        open_vectors(location, all_of(*ids), noun="document")


def test_rows_without_ids_are_in_the_order_of_the_data(saved):
    file = open_vectors(saved(ROWS, None), all_of("c", "a", "b"), noun="query")

    assert file.ordered
    assert file.vectors(["c", "b"]).tolist() == UNIT[[0, 2]].tolist()
    assert "order of the dataset" in file.notes[0]


@pytest.mark.parametrize("kind", ["float16", "float32", "float64", ">f4"])
def test_types_of_numbers(saved, kind):
    rows = np.array([[1, 0], [0, 1], [0, -1]], kind)

    file = open_vectors(saved(rows), all_of(), noun="document")

    assert file.vectors(IDS).dtype == np.float32
    assert file.vectors(IDS).tolist() == rows.tolist()


def test_the_fingerprint_is_that_of_the_content(saved):
    def named(*content, **how):
        return open_vectors(saved(*content, **how), all_of(), noun="document").fingerprint

    moved, fewer = ROWS.copy(), np.array([[1], [-1], [1]], np.float32)
    moved[2, 0] += 1e-6
    one = named(ROWS)
    same = [named(ROWS, ending="parquet"), named(ROWS.astype(np.float64), name="wide")]
    others = [named(moved), named(ROWS, ["a", "c", "b"]), named(fewer)]

    assert {*same} == {one}
    assert len({one, *others}) == 4


def test_a_document_without_a_word_may_have_a_vector_none_or_zeros(saved):
    needed = {"a": True, "blank": False, "zero": False, "none": False}
    rows = np.array([[1, 0], [0, 1], [0, 0]], np.float32)

    file = open_vectors(saved(rows, ["a", "blank", "zero"]), needed, noun="document")

    assert [one in file for one in needed] == [True, True, False, False]


def test_vectors_of_nothing_are_a_note(saved):
    file = open_vectors(saved(ROWS), all_of("a"), noun="document")

    assert "2 vectors" in file.notes[0]
    assert '"b"' in file.notes[0]


NAN = np.array([[1, 0], [np.nan, 0], [0, np.inf]], np.float32)
ZERO = np.array([[1, 0], [0, 0], [0, 1]], np.float32)
PROBLEMS = {
    "missing": (ROWS, IDS, ["a", "b", "c", "d", "e"]),
    "no id fits": (ROWS, IDS, ["1", "2"]),
    "ids of collections": (ROWS, ["x/a", "x/b", "y/a"], ["a", "b"]),
    "duplicate": (ROWS, ["a", "b", "a"], ["a", "b"]),
    "too few ids": (ROWS, ["a", "b"], ["a", "b"]),
    "not as many as documents": (ROWS, None, ["a", "b"]),
    "nan": (NAN, IDS, IDS),
    "zero": (ZERO, IDS, IDS),
    "too large": (np.full((3, 2), 1e300), IDS, IDS),
    "objects": (np.array([[1, 2], [3], [4]], object), IDS, IDS),
    "whole numbers": (np.ones((3, 2), np.int8), IDS, IDS),
    "complex": (np.ones((3, 2), np.complex64), IDS, IDS),
    "one dimension": (np.ones(3, np.float32), IDS, IDS),
    "three dimensions": (np.ones((3, 2, 2), np.float32), IDS, IDS),
    "no numbers": (np.ones((3, 0), np.float32), IDS, IDS),
    "no rows": (np.ones((0, 2), np.float32), [], IDS),
    "columns": (np.asfortranarray(np.ones((3, 2), np.float32)), IDS, IDS),
}


@pytest.mark.parametrize("name", PROBLEMS)
def test_each_problem_is_one_message(saved, tmp_path, name, snapshot):
    rows, ids, wanted = PROBLEMS[name]
    with pytest.raises(InputError) as caught:
        open_vectors(saved(rows, ids), all_of(*wanted), noun="document")

    assert caught.value.where.startswith(str(tmp_path))
    assert caught.value.hint
    snapshot([caught.value.problem.replace(str(tmp_path), "DIR"), caught.value.hint])


def test_an_array_of_objects_is_never_unpickled(tmp_path):
    class Trap:
        def __reduce__(self):
            return os.mkdir, (str(tmp_path / "trapped"),)

    trap = np.array([[Trap(), Trap()]], object)
    np.save(tmp_path / "v.npy", trap, allow_pickle=True)
    np.save(tmp_path / "w.npy", np.ones((1, 2), np.float32))
    np.save(tmp_path / "w_ids.npy", trap[0, :1], allow_pickle=True)
    for name in ("v", "w"):
        with pytest.raises(InputError):
            open_vectors(vectors_at(tmp_path / f"{name}.npy"), all_of("a"), noun="document")
    assert not (tmp_path / "trapped").exists()


def test_broken_tables(tmp_path, snapshot):
    path = tmp_path / "v.parquet"
    tables = {
        "ragged": {"id": IDS, "vector": [[1.0, 0.0], [1.0], []]},
        "null": {"id": IDS, "vector": [[1.0, 0.0], None, [0.0, 1.0]]},
        "null inside": {"id": IDS, "vector": [[1.0, 0.0], [None, 1.0], [0.0, 1.0]]},
        "no id": {"id": ["a", None, "c"], "vector": [[1.0]] * 3},
        "no column of ids": {"name": IDS, "vector": [[1.0]] * 3},
        "no column of vectors": {"id": IDS, "length": [[1.0]] * 3},
        "two columns": {"id": IDS, "embedding": [[1.0]] * 3, "vector": [[2.0]] * 3},
        "whole numbers": {"id": IDS, "vector": [[1, 2]] * 3},
        "texts": {"id": IDS, "vector": ["[1, 2]"] * 3},
        "ids that are lists": {"id": [[1], [2], [3]], "vector": [[1.0]] * 3},
    }
    told = {}
    for name, columns in tables.items():
        pl.DataFrame(columns).write_parquet(path)
        with pytest.raises(InputError) as caught:
            open_vectors(VectorLocation(path), all_of(), noun="document")
        assert caught.value.where == str(path)
        told[name] = [caught.value.problem, caught.value.hint]
    path.write_bytes(b"PAR1 and then nothing")
    with pytest.raises(InputError, match="not a readable parquet file"):
        open_vectors(VectorLocation(path), all_of(), noun="document")
    snapshot("\n".join(f"{name}: {problem} ({hint})" for name, (problem, hint) in told.items()))


def test_columns_by_any_usual_name_or_by_the_given_one(tmp_path):
    path = tmp_path / "v.parquet"
    pl.DataFrame(
        {"Doc_ID": [1, 2], "text": ["x", "y"], "Embedding": [[1.0], [-1.0]]}
    ).write_parquet(path)
    file = open_vectors(VectorLocation(path), all_of("2", "1"), noun="document")
    assert file.vectors(["2"]).tolist() == [[-1.0]]

    file = open_vectors(VectorLocation(path, id="text"), all_of("x", "y"), noun="document")
    assert file.vectors(["x"]).tolist() == [[1.0]]
    with pytest.raises(InputError, match='"Embeding"') as caught:
        open_vectors(VectorLocation(path, vector="Embeding"), all_of(), noun="document")
    assert "Embedding" in caught.value.hint


def test_what_pyarrow_writes(tmp_path):
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    for kind in ("float16", "float32", "float64"):
        numbers = pa.array(np.array([0.6, 0.8, 0, 1], kind))
        table = {"_id": ["x", "y"], "vector": pa.FixedSizeListArray.from_arrays(numbers, 2)}
        parquet.write_table(pa.table(table), tmp_path / "v.parquet")
        file = open_vectors(VectorLocation(tmp_path / "v.parquet"), all_of("x", "y"), noun="query")
        np.testing.assert_allclose(file.vectors(["y", "x"]), [[0, 1], [0.6, 0.8]], atol=1e-3)


def test_a_table_needs_the_extra(tmp_path, monkeypatch):
    (tmp_path / "v.parquet").touch()
    monkeypatch.setattr(extras, "find_spec", lambda _: None)
    with pytest.raises(InputError, match="polars") as caught:
        open_vectors(VectorLocation(tmp_path / "v.parquet"), all_of(), noun="document")
    assert "frames" in caught.value.hint


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("ids.txt", b"a\r\nb\nc\n\n"),
        ("ids.txt", "﻿a\nb\nc".encode()),
        ("ids.json", b'["a", "b", "c"]'),
    ],
)
def test_files_of_ids(saved, tmp_path, name, content):
    (tmp_path / name).write_bytes(content)
    location = VectorLocation(saved(ROWS, None).path, tmp_path / name)
    assert open_vectors(location, all_of(), noun="document").vectors(["b"]).tolist() == [[0, -1]]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("ids.json", b'{"a": 1}'),
        ("ids.json", b"[1.5, 2, 3]"),
        ("ids.json", b"[]"),
        ("ids.json", b"[1, 2"),
        ("ids.txt", b"\xff\xfe\xfd\xfc"),
        ("ids.npy", b"nothing"),
    ],
)
def test_files_that_are_no_ids(saved, tmp_path, name, content):
    (tmp_path / name).write_bytes(content)
    location = VectorLocation(saved(ROWS, None).path, tmp_path / name)
    with pytest.raises(InputError, match=name.replace(".", r"\.")):
        open_vectors(location, all_of(), noun="document")


def test_ids_of_numbers(saved, tmp_path):
    np.save(tmp_path / "ids.npy", np.array([30, 10, 20]))
    location = VectorLocation(saved(ROWS, None).path, tmp_path / "ids.npy")
    file = open_vectors(location, all_of("10", "20", "30"), noun="document")
    assert file.vectors(["10"]).tolist() == [[0, -1]]


def test_a_file_that_is_written_to_is_refused_and_one_that_is_replaced_is_not(saved):
    location = saved(ROWS)
    file = open_vectors(location, all_of(), noun="document")
    other = location.path.with_name("other.npy")
    np.save(other, -ROWS)
    other.replace(location.path)
    assert file.vectors(["a"]).tolist() == [UNIT[0].tolist()]

    file = open_vectors(location, all_of(), noun="document")
    with location.path.open("r+b") as written:
        written.seek(-4, os.SEEK_END)
        written.write(b"\0\0\0\0")
    os.utime(location.path, ns=(1, 1))  # whatever the clock says
    with pytest.raises(InputError, match="changed while it was read"):
        file.vectors(["a"])


def test_a_file_that_is_cut_off(saved):
    location = saved(ROWS)
    whole = location.path.read_bytes()
    for size in (0, 3, 60, len(whole) - 1):
        location.path.write_bytes(whole[:size])
        with pytest.raises(InputError, match=r"readable|cut off"):
            open_vectors(location, all_of(), noun="document")
    location.path.write_bytes(whole)
    file = open_vectors(location, all_of(), noun="document")
    os.truncate(location.path, len(whole) - 8)
    with pytest.raises(InputError, match="changed while it was read"):
        file.vectors(["c"])


def test_a_large_file_is_never_in_memory(tmp_path):
    count, dimension = 100_000, 256  # 102 MB
    rows = np.lib.format.open_memmap(
        tmp_path / "v.npy", mode="w+", dtype=np.float32, shape=(count, dimension)
    )
    rows[:, 0] = 1.0
    rows[7, :2] = (0.6, 0.8)
    del rows
    ids = {str(at): True for at in range(count)}
    tracemalloc.start()
    try:
        file = open_vectors(VectorLocation(tmp_path / "v.npy"), ids, noun="document")
        got = file.vectors(["7"])
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()

    assert got[0, :2].tolist() == np.array([0.6, 0.8], np.float32).tolist()
    assert peak < 60e6  # blocks of 4 MB in float32 and float64, and 100,000 ids

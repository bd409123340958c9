"""Documents, chunks and symbols of an index, by number."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.records import Chunk, Document
from assay.workspace.index.index_store import open_store
from assay.workspace.index.units import Units, units_of


@pytest.fixture
def snapshot(tmp_path):
    store = open_store(tmp_path, settings="s")
    with store.update() as update:
        for name, defined in (
            ("a", [("A", "A.x"), ()]),
            ("empty", []),
            ("b#1", [("y",), ("y", "z")]),
        ):
            chunks = [
                Chunk(name, 10 * at, 10 * at + 10, (at + 1, at + 1), "text", symbols=some)
                for at, some in enumerate(defined)
            ]
            update.put(Document(name, "text", content_hash="0" * 64), chunks)
    found = store.snapshot()
    yield found
    found.close()


def test_by_hand(snapshot):
    chunks = units_of(snapshot, "chunk")
    assert chunks.names == ["a#0-10", "a#10-20", "b#1#0-10", "b#1#10-20"]
    assert chunks.named(snapshot.rows[[3, 0]]) == ["b#1#10-20", "a#0-10"]
    assert chunks.of_document(2) == ["b#1#0-10", "b#1#10-20"]
    assert chunks.of_document(1) == []
    documents = units_of(snapshot, "document")
    assert documents.named(snapshot.rows) == ["a", "a", "b#1", "b#1"]
    assert documents.find(["b#1", "empty", "nobody"]) == [2, -1, -1]
    symbols = units_of(snapshot, "symbol")
    assert symbols.names == ["a::A", "a::A.x", "b#1::y", "b#1::z"]
    numbers, owner = symbols.of_rows(snapshot.rows[[3, 1, 0]])
    assert (numbers.tolist(), owner.tolist()) == ([2, 3, 0, 1], [0, 0, 2, 2])
    assert symbols.of_rows(np.array([-1, -4]))[0].tolist() == [0, 3]
    assert symbols.symbols == ["A", "A.x", "y", "z"]


@given(
    st.lists(st.lists(st.integers(0, 9), max_size=3), min_size=1, max_size=8),
    st.data(),
)
def test_units_of_rows_are_those_of_a_loop(each, data):
    rows = np.arange(5, 5 + len(each))
    sizes = [len(some) for some in each]
    numbers = np.array([n for some in each for n in some], np.int64)
    starts = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
    units = Units([str(n) for n in range(10)], np.arange(10), rows, starts, numbers)
    asked = data.draw(st.lists(st.sampled_from(rows.tolist()), max_size=6))
    found, owner = units.of_rows(np.array(asked, np.int64))
    plain = [(n, at) for at, row in enumerate(asked) for n in each[row - 5]]
    assert [*zip(found.tolist(), owner.tolist(), strict=True)] == plain

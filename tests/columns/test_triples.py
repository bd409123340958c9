import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.columns.triples import gather
from assay.errors import InputError, ProblemsError
from assay.records import decode, encode
from assay.records import lookup as lookup_module

documents = st.sampled_from(["a", "b", "c", "é", "x" * 8, "x" * 9, "x" * 16 + "a", "x" * 16 + "b"])
rows = st.lists(st.tuples(st.sampled_from("qrs"), documents), max_size=14)


def rows_of(pairs):
    """Hand each row over as a run of its own; its place is its number in the file."""
    names = [query for query, _ in pairs]
    column = encode(document for _, document in pairs)
    values = np.arange(len(pairs), dtype=np.float64)
    return gather(names, [1] * len(pairs), column, values, lambda row: f"file, line {row + 1}")


@given(rows)
def test_rows_are_grouped_by_query_in_file_order(pairs):
    triples = rows_of(pairs)
    groups = {}
    for line, (query, document) in enumerate(pairs, start=1):
        groups.setdefault(query, []).append((document, line))
    flat = [row for group in groups.values() for row in group]
    assert triples.queries == tuple(groups)
    assert np.diff(triples.offsets).tolist() == [len(group) for group in groups.values()]
    assert decode(triples.documents) == [document for document, _ in flat]
    assert [triples.place(row) for row in range(len(flat))] == [f"file, line {n}" for _, n in flat]
    owners = [query for query, group in groups.items() for _ in group]
    assert [triples.query_of(row) for row in range(len(flat))] == owners


@pytest.mark.parametrize("chunk", [1, 3, 1 << 16])
@given(pairs=rows)
def test_duplicates_as_a_set_finds_them(pairs, chunk):
    seen, later = {}, []
    for line, (query, document) in enumerate(pairs, start=1):
        group = seen.setdefault(query, (len(seen), set()))
        if document in group[1]:
            later.append((line, query, document))
        group[1].add(document)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lookup_module, "CHUNK", chunk)
        if not later:
            rows_of(pairs).refuse_duplicates("hint")
            return
        with pytest.raises(InputError) as caught:
            rows_of(pairs).refuse_duplicates("keep one")
    line, query, document = min(later)
    assert caught.value.count == len(later)
    assert caught.value.where == f"file, line {line}"
    assert f'"{document}"' in caught.value.problem
    assert f'"{query}"' in caught.value.problem
    assert caught.value.hint == "keep one"


@pytest.mark.parametrize("width", [3, 8, 9, 40])
def test_one_pair_among_many(width):
    names = [f"{n:0{width}}" for n in range(3000)]
    pairs = [("q", name) for name in names] + [("r", name) for name in names]
    rows_of(pairs).refuse_duplicates("hint")
    with pytest.raises(InputError, match="line 6001: "):
        rows_of([*pairs, ("q", names[1234])]).refuse_duplicates("hint")


def test_equal_fingerprints_of_different_names_are_no_duplicates(monkeypatch):
    """Fingerprints only say where to look; with one for all names nothing is refused wrongly."""
    monkeypatch.setattr(
        lookup_module, "fingerprints", lambda words, _: np.zeros(len(words), np.uint64)
    )
    rows_of([("q", "a"), ("q", "b"), ("r", "a")]).refuse_duplicates("hint")
    with pytest.raises(InputError, match="line 4: "):
        rows_of([("q", "a"), ("q", "b"), ("r", "a"), ("q", "a")]).refuse_duplicates("hint")


def test_refuse_names_the_first_bad_row():
    triples = rows_of([("q", "a"), ("r", "b"), ("q", "c")])
    triples.refuse(np.zeros(3, bool), str, "hint")
    with pytest.raises(InputError) as caught:
        triples.refuse(np.array([False, True, False]), lambda row: f"row {row}", "what next")
    error = caught.value
    assert (error.where, error.problem, error.hint) == ("file, line 3", "row 1", "what next")
    with pytest.raises(ProblemsError) as caught:
        triples.refuse(np.array([False, True, True]), lambda row: f"row {row}", "what next")
    found = [(one.where, one.problem) for one in caught.value.problems]
    assert found == [("file, line 2", "row 2"), ("file, line 3", "row 1")]

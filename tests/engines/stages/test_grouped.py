"""Stages of chunks that retrieve documents."""

from dataclasses import replace

import numpy as np
import pytest

from assay.engines.dense.exact import exact
from assay.engines.groups import Groups
from assay.engines.stages.dense import dense
from assay.engines.stages.grouped import grouped
from assay.records import Loss, SearchInput

# Documents of 2, 1 and 3 chunks, whose rows have gaps, as they do after removals.
GROUPS = Groups(np.array([3, 4, 7, 10, 11, 12]), np.array([0, 0, 1, 2, 2, 2]))
ANGLES = np.deg2rad([80, 10, 40, 20, 30, 89])
VECTORS = np.stack([np.cos(ANGLES), np.sin(ANGLES)], axis=1).astype(np.float32)
ASKED = SearchInput("", np.array([1, 0], np.float32))


@pytest.fixture
def chunks():
    return exact(VECTORS, GROUPS.rows, precision="float32")


def told(found):
    return dict(zip(found.rows.tolist(), found.scores.tolist(), strict=True))


def test_the_first_row_stands_for_a_document():
    assert GROUPS.first_of(np.array([4, 12, 7, 3])).tolist() == [3, 10, 7, 3]
    assert GROUPS.members(11).tolist() == [10, 11, 12]
    assert GROUPS.members(7).tolist() == [7]


def test_the_best_chunk_speaks_for_its_document(chunks):
    found = grouped(dense(chunks, depth=6), GROUPS)(ASKED, [])

    assert found.rows.tolist() == [3, 10, 7]
    assert told(found) == pytest.approx(
        {3: np.cos(np.deg2rad(10)), 10: np.cos(np.deg2rad(20)), 7: np.cos(np.deg2rad(40))}
    )


def test_three_chunks_may_speak_together(chunks):
    found = grouped(dense(chunks, depth=6), GROUPS, how="top3")(ASKED, [])

    assert told(found)[10] == pytest.approx(np.cos(np.deg2rad([20, 30, 89])).mean(), abs=1e-6)


def test_any_document_can_be_scored(chunks):
    step = grouped(dense(chunks, depth=1), GROUPS)

    assert step(ASKED, []).rows.tolist() == [3]
    assert step.scores(ASKED, np.array([10, 7])) == pytest.approx(
        np.cos(np.deg2rad([20, 40])), abs=1e-6
    )
    assert step.scores(ASKED, np.array([], np.int64)).tolist() == []


def test_what_is_lost_is_told_by_its_best_chunk(chunks):
    step = grouped(dense(chunks, depth=1), GROUPS)

    loss = step.lose(ASKED, [], step(ASKED, []), np.array([10]))

    assert (loss.stage, loss.rank) == ("dense", 2)


def test_an_empty_index_finds_nothing():
    none = np.array([], np.int64)
    index = exact(np.empty((0, 2), np.float32), none, precision="float32")

    assert grouped(dense(index, depth=3), Groups(none, none))(ASKED, []).rows.tolist() == []


def test_ways_of_grouping_have_their_own_fingerprints(chunks):
    part = dense(chunks, depth=3)

    assert (
        len(
            {
                part.fingerprint,
                *(grouped(part, GROUPS, how=how).fingerprint for how in ("max", "sum")),
            }
        )
        == 3
    )


def test_terms_and_coverage_are_those_of_the_best_chunk(tmp_path):
    from assay.engines.lexical.tantivy import tantivy
    from assay.engines.stages.lexical import lexical
    from assay.records import Chunk

    index = tantivy(tmp_path)
    texts = ["blue sky", "red apples fall", "green grass", "red", "apples", "snow"]
    chunks = [Chunk("d", 0, 1, (1, 1), text) for text in texts]
    index.add(GROUPS.rows.tolist(), chunks)
    index.commit()
    asked = SearchInput("red apples")
    step = grouped(lexical(index, depth=9), GROUPS)

    assert step(asked, []).rows.tolist() == [3, 10]
    assert {term["term"] for term in step.terms(asked, 3)} == {"red", "appl"}
    assert step.coverage(asked, np.array([3, 7, 10])).tolist() == pytest.approx([1, 0, 0.5])


def test_a_document_of_many_chunks_is_looked_at_once(chunks):
    """All its rows are asked for; each of them stands for all, and squared they fill the memory."""
    looked = []
    part = dense(chunks, depth=1)
    step = grouped(
        replace(part, lose=lambda *given: looked.append(given[-1].tolist()) or Loss("dense", "")),
        GROUPS,
    )
    step.lose(ASKED, [], step(ASKED, []), np.array([10, 11, 12]))
    assert looked == [[10, 11, 12]]

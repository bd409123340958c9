"""Sweeps: a small one by hand, then bit for bit what the stages give, whatever is asked."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay import catalogue
from assay.engines import collapses, fusions
from assay.engines._ranked import ranked
from assay.engines.fusions.blend import blend
from assay.engines.fusions.min_max import min_max
from assay.engines.fusions.rrf import rrf
from assay.engines.fusions.z_score import z_score
from assay.engines.stages import Step
from assay.engines.stages.collapse import collapse
from assay.engines.stages.cut import cut
from assay.engines.stages.fuse import fuse
from assay.engines.stages.threshold import threshold
from assay.engines.sweep import Heard, listen, record
from assay.errors import InputError, UnknownNameError
from assay.records import Asked, Found

ROWS = 12  # of a small index, so that lists meet
DEPTH = 6
DOCUMENTS = np.array([0, 0, 0, 0, 1, 1, 2, 2, 2, 3, 4, 5]) * 7 - 3  # any numbers
SCORES = st.sampled_from([-0.0, 0.0, 0.1, 0.1 + 2**-56, 0.3, 0.5, 1.0, 2.5, 1e-300, 7.0])
COSINES = st.sampled_from([-1.0, -0.3, -0.0, 0.0, 0.25, 0.3, 0.3 + 2**-54, 0.9, 1.0])


class Part:
    """A part of a search that knows the score of every row for every query, by the query's text."""

    def __init__(self, kind, tables, holds, spreads, decisive, depth=DEPTH):
        self.kind, self.tables, self.holds = kind, tables, holds
        self.spreads, self.knows, self.depth = spreads, decisive, depth

    def at(self, depth):
        return Part(self.kind, self.tables, self.holds, self.spreads, self.knows, depth)

    def step(self):
        def run(asked, _found):
            scores = np.array(self.tables[int(asked.text)], np.float64)
            # Only rows that hold something are retrieved, but each can be scored.
            rows = np.flatnonzero(np.array(self.holds[int(asked.text)]) > 0)
            best = 1.0 if self.kind == "cosine" else 20.0 + int(asked.text)
            return ranked(rows, scores[rows], kind=self.kind, best=best, depth=self.depth)

        def scores(asked, rows):
            # As words are: what is found deep in a list may differ from what is asked for.
            return np.array(self.tables[int(asked.text)], np.float64)[rows] * (1 - 2**-50)

        lexical = self.kind == "bm25"
        return Step(
            self.kind,
            lambda: "",
            run,
            scores=scores,
            spread=None if lexical else lambda asked: self.spreads[int(asked.text)],
            coverage=(lambda asked, rows: np.array(self.holds[int(asked.text)])[rows])
            if lexical
            else None,
            decisive=(lambda asked: self.knows[int(asked.text)]) if lexical else None,
        )


@st.composite
def parts_of(draw, queries, kind):
    def table(values):
        return st.lists(values, min_size=ROWS, max_size=ROWS)

    per_query = {"min_size": queries, "max_size": queries}
    return Part(
        kind,
        draw(st.lists(table(SCORES if kind == "bm25" else COSINES), **per_query)),
        draw(st.lists(table(st.sampled_from([0.0, 0.0, 0.5, 1.0])), **per_query)),
        draw(st.lists(st.sampled_from([(0.1, 0.2), (0.0, 0.0)]), **per_query)),
        draw(st.lists(st.booleans(), **per_query)),
    )


@st.composite
def searches(draw, kinds=("bm25", "cosine")):
    """Some parts and how many queries they were asked."""
    queries = draw(st.integers(1, 3))
    chosen = draw(st.lists(st.sampled_from(kinds), min_size=1, max_size=3))
    return queries, [draw(parts_of(queries, kind)) for kind in chosen]


@st.composite
def fused_by(draw, parts):
    weight = st.sampled_from([0.0, 0.1, 0.3, 0.7, 1.0, 1.5])
    weights = draw(st.lists(weight, min_size=parts, max_size=parts).filter(any))
    name = draw(st.sampled_from(sorted(catalogue.names(fusions))))
    make = catalogue.find(fusions, name)
    if name == "rrf":
        given_ = draw(st.sampled_from([None, weights]))
        return make(k=draw(st.sampled_from([0, 1, 60])), weights=given_)
    return make(weights=weights)


def recorded(queries, parts, depth=DEPTH, documents=DOCUMENTS):
    steps = [part.at(depth).step() for part in parts]
    heard = [listen(Asked(str(number)), steps) for number in range(queries)]
    return record(heard, depth=depth, documents=documents)


def searched(number, parts, *, depth=DEPTH, fusion=None, fill=False, refining=()):
    """Ask one query of the stages of a search."""
    asked, steps = Asked(str(number)), [part.at(depth).step() for part in parts]
    found = [step(asked, []) for step in steps]
    if fusion is not None:
        found = [fuse(fusion, parts=steps, fill=fill)(asked, found)]
    for step in refining:
        found = [step(asked, found)]
    return found[0]


def bits(scores):
    return scores.view(np.int64).tolist()


def assert_equal(replayed, number, live):
    one = replayed.found(number)
    assert one.rows.tolist() == live.rows.tolist()
    assert bits(one.scores) == bits(live.scores)
    assert (one.kind, one.best) == (live.kind, live.best)


def test_a_sweep_by_hand():
    words = Found(np.array([3, 1, 4]), np.array([9.0, 4.0, 2.0]), "bm25")
    vectors = Found(np.array([1, 5, 3]), np.array([0.9, 0.5, 0.1]), "cosine", 1.0)
    recording = record([Heard((words, vectors))], depth=3, documents=np.array([0, 0, 0, 1, 1, 2]))
    replayed = recording.replay(fusion=rrf(k=1, weights=(2, 1)), top_k=10)
    # 3: 2/2 + 1/4, 1: 2/3 + 1/2, 4: 2/4, 5: 1/3.
    assert replayed.rows.tolist() == [3, 1, 4, 5]
    assert replayed.scores.tolist() == pytest.approx([5 / 4, 7 / 6, 1 / 2, 1 / 3])
    assert replayed.offsets.tolist() == [0, 4]
    assert recording.replay(fusion=rrf(k=1), top_k=2).rows.tolist() == [1, 3]
    # At depth 1: 3 and 1 with 1/2 each, a tie; of the best possible, 1, both have half.
    assert recording.replay(fusion=rrf(k=1), top_k=9, depth=1).rows.tolist() == [1, 3]
    assert recording.replay(fusion=rrf(k=1), top_k=9, depth=1, threshold=0.6).rows.tolist() == []
    merged = recording.replay(fusion=rrf(k=1, weights=(2, 1)), collapse="sum", top_k=9)
    assert merged.rows.tolist() == [3, 1, 5]
    assert merged.scores.tolist() == pytest.approx([7 / 4, 7 / 6, 1 / 3])


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_every_fusion_as_the_stages_give_it(data):
    queries, parts = data.draw(searches())
    recording = recorded(queries, parts)
    for _ in range(3):  # the second replay finds what the first left behind
        fusion = data.draw(fused_by(len(parts)))
        depth = data.draw(st.integers(1, DEPTH))
        fill = fusion.scored and data.draw(st.booleans())
        how = data.draw(st.sampled_from([None, *catalogue.names(collapses)]))
        top_k = data.draw(st.integers(1, 2 * ROWS))
        value = data.draw(st.sampled_from([None, 0.0, 0.3, 0.5, 1.0]))
        value = value if fusion.kind == "rrf" else None
        replayed = recording.replay(
            fusion=fusion, depth=depth, fill=fill, collapse=how, threshold=value, top_k=top_k
        )
        refining = [threshold(value)] if value is not None else []
        refining += [collapse(DOCUMENTS, how=how), cut(top_k)] if how else [cut(top_k)]
        for number in range(queries):
            live = searched(number, parts, depth=depth, fusion=fusion, fill=fill, refining=refining)
            assert_equal(replayed, number, live)

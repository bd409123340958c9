"""A whole search, with a real lexical index and vectors made by hand."""

import itertools

import numpy as np
import pytest

from assay.engines.dense.exact import exact
from assay.engines.explain import explain
from assay.engines.fusions.blend import blend
from assay.engines.fusions.rrf import rrf
from assay.engines.lexical.tantivy import tantivy
from assay.engines.search import Pipeline, search
from assay.engines.stages import Step
from assay.engines.stages.collapse import collapse
from assay.engines.stages.cut import cut
from assay.engines.stages.dense import dense
from assay.engines.stages.fuse import fuse
from assay.engines.stages.lexical import lexical
from assay.engines.stages.threshold import threshold
from assay.engines.why_not import why_not
from assay.errors import InputError
from assay.records import Chunk, FoundRows

TEXTS = ["cats purr", "dogs bark", "cats and dogs", "stones rest", "cats purr and purr"]
DOCUMENTS = np.array([0, 1, 1, 2, 3])
ANGLES = {"cats": 0.0, "dogs": 1.0, "stones": 3.0}


def embed(text):
    """Embed by hand: a direction for the first known word."""
    angle = next((ANGLES[word] for word in text.split() if word in ANGLES), None)
    direction = [0.0, 0.0] if angle is None else [np.cos(angle), np.sin(angle)]
    return np.array([direction], np.float32)


@pytest.fixture(scope="module")
def parts(tmp_path_factory):
    index = tantivy(tmp_path_factory.mktemp("words"))
    chunks = [Chunk(f"d{at}", 0, len(text), (1, 1), text) for at, text in enumerate(TEXTS)]
    index.add(range(len(TEXTS)), chunks)
    index.commit()
    vectors = exact(np.vstack([embed(text) for text in TEXTS]), np.arange(len(TEXTS)))
    yield index, vectors
    index.close()


def pipeline(parts, *, depth=3, top_k=2, lowest=None):
    retrieve = (lexical(parts[0], depth=depth), dense(parts[1], depth=depth))
    limit = () if lowest is None else (threshold(lowest, kind="rrf"),)
    fused = fuse(blend(), parts=retrieve, fill=True) if lowest is None else fuse(rrf())
    return Pipeline(retrieve, (fused, *limit, collapse(DOCUMENTS), cut(top_k)))


def test_stages_follow_each_other(parts):
    searched = search(pipeline(parts), "cats purr", embed=embed)

    assert [one.stage for one in searched.traced] == ["lexical", "dense", "fuse", "collapse", "cut"]
    assert [DOCUMENTS[row] for row in searched.found.rows] in ([0, 3], [3, 0])
    assert searched.found is searched.traced[-1].found
    assert (np.diff(searched.found.scores) <= 0).all()


def test_time_is_told_for_each_stage_and_in_all(parts):
    ticks = itertools.count(0, 1_000_000)
    searched = search(pipeline(parts), "cats", embed=embed, clock=lambda: next(ticks))
    stages = ["embed", "lexical", "dense", "fuse", "collapse", "cut"]
    assert searched.latency_ms == {**dict.fromkeys(stages, 1.0), "total": 12.0}
    assert [one.milliseconds for one in searched.traced] == [1.0] * 5


def test_a_lexical_search_asks_for_no_vector(parts):
    alone = Pipeline((lexical(parts[0], depth=9),), (cut(1),))
    searched = search(alone, "bark")
    assert searched.found.rows.tolist() == [1]
    assert "embed" not in searched.latency_ms
    assert searched.asked.vector is None


def test_a_dense_search_without_a_model_is_refused(parts):
    with pytest.raises(InputError, match="requires an embedding model"):
        search(Pipeline((dense(parts[1], depth=2),)), "cats")


@pytest.mark.parametrize("text", ["", " ", "zzz", "\0", '( " * ^ ~', "猫 🐈", "a" * 1000])
def test_queries_that_find_nothing(parts, text):
    searched = search(pipeline(parts), text, embed=embed)
    assert searched.found.rows.tolist() == []
    assert len(searched.traced) == 5


def test_the_same_search_gives_the_same_bits(parts):
    first, second = (search(pipeline(parts), "cats and dogs", embed=embed) for _ in range(2))
    assert first.found.rows.tolist() == second.found.rows.tolist()
    assert first.found.scores.tobytes() == second.found.scores.tobytes()


def test_explain_tells_rank_score_and_terms(parts):
    stages = pipeline(parts)
    searched = search(stages, "bark dogs", embed=embed)
    told = explain(stages, searched, [1, 2])
    assert list(told) == ["lexical", "dense", "fuse", "collapse", "cut"]
    assert {one["rank"] for one in told.values()} == {1}
    assert told["cut"]["score"] == searched.found.scores[0]
    assert told["dense"]["score"] == pytest.approx(1.0, abs=1e-2)
    gained = sum(term["score"] for term in told["lexical"]["terms"])
    assert gained == pytest.approx(told["lexical"]["score"], abs=1e-4)
    assert "terms" not in explain(stages, searched, 1, terms=False)["lexical"]


def test_explain_of_what_no_stage_had(parts):
    stages = pipeline(parts)
    assert explain(stages, search(stages, "cats", embed=embed), 3) == {}


def test_why_not_names_the_stage_and_what_was_missing(parts):
    stages = pipeline(parts)
    searched = search(stages, "cats purr", embed=embed)

    lost = why_not(stages, searched, [3])  # stones: no word, and far away
    assert (lost.stage, lost.rank) == ("dense", 5)
    assert "cutoff of 3" in lost.reason
    assert lost.score == pytest.approx(np.cos(3.0), abs=0.01)
    assert lost.needed == pytest.approx(1.0, abs=0.01)
    assert [(other.stage, other.rank) for other in lost.also] == [("lexical", None)]
    assert not lost.found

    lost = why_not(stages, searched, [1, 2])  # retrieved, but third
    assert (lost.stage, lost.rank) == ("cut", 3)
    assert lost.score < lost.needed == searched.found.scores[-1]
    assert lost.score == searched.traced[-2].found.scores[2]  # of what came into the cut


def test_why_not_at_the_threshold(parts):
    stages = pipeline(parts, lowest=0.99, top_k=5)
    lost = why_not(stages, search(stages, "cats", embed=embed), [1, 2])
    assert (lost.stage, lost.needed) == ("threshold", 0.99)
    assert 0.9 < lost.score < 0.99


def test_why_not_of_what_was_found_or_is_not_there(parts, snapshot):
    stages = pipeline(parts)
    searched = search(stages, "cats purr", embed=embed)
    row = int(searched.found.rows[1])
    found = why_not(stages, searched, [row])
    assert (found.found, found.rank, found.stage) == (True, 2, "")
    missing = why_not(stages, searched, [])
    assert missing.stage == "index"
    snapshot([found.reason, missing.reason])


def test_why_not_of_one_chunk_beside_a_better_one(parts):
    stages = pipeline(parts, depth=5, top_k=5)
    lost = why_not(stages, search(stages, "dogs bark", embed=embed), [2])
    assert lost.stage == "collapse"
    assert "another chunk" in lost.reason


def test_several_parts_need_a_fusion(parts):
    retrieve = (lexical(parts[0], depth=2), dense(parts[1], depth=2))
    for wrong in ((retrieve, ()), (retrieve, (cut(1), fuse(blend()))), ((), (cut(1),))):
        with pytest.raises(InputError, match="no fuse stage"):
            Pipeline(*wrong)


def test_the_fingerprint_follows_the_stages(parts):
    assert pipeline(parts).fingerprint == pipeline(parts).fingerprint
    others = [pipeline(parts, depth=2), pipeline(parts, top_k=1), pipeline(parts, lowest=0.1)]
    assert len({one.fingerprint for one in [pipeline(parts), *others]}) == 4


def test_a_stage_in_parts_is_counted_once_whatever_follows():
    """The parts of a stage are its own: the next stages hand the list on, not the times."""
    ticks = iter(range(0, 100_000_000, 1_000_000))  # each look at the clock takes a millisecond
    found = FoundRows(np.arange(3), np.ones(3), "x", took={"a_build": 0.25, "a_rank": 0.5})
    parted = Step("a", lambda: "a", lambda *_: found)
    pipeline = Pipeline((parted,), (parted, cut(2), cut(1)))
    searched = search(pipeline, "x", clock=lambda: next(ticks))
    assert searched.latency_ms["a_build"] == 0.5  # two stages
    assert searched.latency_ms["a_rank"] == 2 * 0.75  # what is left of a millisecond
    assert searched.latency_ms["cut"] == 2
    parts = sum(time for name, time in searched.latency_ms.items() if name != "total")
    assert parts <= searched.latency_ms["total"]

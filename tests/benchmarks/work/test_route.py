"""Stages that find the same are one piece of work; all others are their own."""

import pytest

from assay.benchmarks.work.route import route_of, sampled
from assay.engines.search import Pipeline
from assay.engines.stages import Step
from assay.records import Query


def step(name, fingerprint="", **more):
    return Step(name, lambda: fingerprint or name, lambda _asked, found: found[0], **more)


LEXICAL, DENSE = step("lexical"), step("dense", needs_vector=True)
FUSE, CUT = step("fuse"), step("cut", "cut 10")


def route(retrieve, refine, known=None, *, origin="index", embedding="model"):
    given = {} if known is None else known
    return route_of(Pipeline(retrieve, refine), origin=origin, embedding=embedding, known=given)


def shape(found):
    return [(node.role, node.name, [one.name for one in node.steps]) for node in found.nodes]


def test_a_lexical_search_is_two_pieces():
    found = route((LEXICAL,), (step("collapse"), CUT))
    assert shape(found) == [
        ("stage", "lexical", ["lexical"]),
        ("answer", "answer", ["collapse", "cut"]),
    ]
    first, last = found.nodes
    assert (last.parents, last.vector, last.needs) == ((first,), None, (first,))


def test_a_hybrid_search_embeds_fuses_and_reranks():
    light = step("threshold")
    found = route((LEXICAL, DENSE), (FUSE, light, step("rerank"), step("collapse"), CUT))
    assert shape(found) == [
        ("embed", "embed", []),
        ("stage", "lexical", ["lexical"]),
        ("stage", "dense", ["dense"]),
        ("stage", "fuse", ["fuse"]),
        ("stage", "rerank", ["threshold", "rerank"]),
        ("answer", "answer", ["collapse", "cut"]),
    ]
    embed, lexical, dense, fuse, rerank, answer = found.nodes
    assert fuse.parents == (lexical, dense)
    assert [node.vector for node in found.nodes] == [None, None, embed, embed, embed, None]
    assert answer.parents == (rerank,)


def test_a_way_that_ranks_by_structure_has_a_side_way():
    ranking = step("coherence", study=lambda *_: None)
    found = route((DENSE,), (step("collapse"), ranking, CUT))
    study = found.study
    assert (study.role, [one.name for one in study.steps]) == ("study", ["collapse", "coherence"])
    assert study.needs == (found.nodes[1], found.nodes[0])
    assert found.all == (*found.nodes, study, found.whole)
    assert study.key not in [node.key for node in found.nodes]


def test_ways_share_all_until_they_part():
    known = {}
    one = route((LEXICAL, DENSE), (FUSE, CUT), known)
    two = route((LEXICAL, DENSE), (FUSE, step("cut", "cut 20")), known)
    three = route((LEXICAL,), (CUT,), known)
    assert [node.key for node in one.nodes[:-1]] == [node.key for node in two.nodes[:-1]]
    assert one.nodes[-1].key != two.nodes[-1].key
    assert three.nodes[0].key == one.nodes[1].key
    assert three.nodes[-1].key != one.nodes[-1].key
    assert len(known) == 7 + 3  # each way has some whole searches to be compared with


@pytest.mark.parametrize(
    "changed",
    [
        {"retrieve": (step("lexical", "other"), DENSE)},
        {"refine": (step("fuse", "other"), CUT)},
        {"refine": (FUSE, step("threshold"), CUT)},
        {"origin": "another index"},
        {"embedding": "another model"},
    ],
)
def test_whatever_may_change_an_answer_changes_its_piece(changed):
    given = {"retrieve": (LEXICAL, DENSE), "refine": (FUSE, CUT)}
    before, after = (route(**{**given, **more}).nodes for more in ({}, changed))
    assert before[-1].key != after[-1].key


def test_the_order_of_parts_counts():
    two = step("sparse")
    one, other = (route(parts, (FUSE, CUT)).nodes[-1] for parts in ((LEXICAL, two), (two, LEXICAL)))
    assert one.key != other.key


def test_vectors_of_one_model_serve_all_indexes():
    known = {}
    one = route((DENSE,), (CUT,), known, origin="small chunks")
    two = route((DENSE,), (CUT,), known, origin="large chunks")
    assert one.nodes[0].key == two.nodes[0].key
    assert one.nodes[1].key != two.nodes[1].key


def test_some_queries_are_asked_of_the_whole_search():
    many = [Query(f"q{at}", "") for at in range(1000)]
    assert [query.key for query in sampled(many)][:3] == ["q0", "q100", "q200"]
    assert [query.key for query in sampled(many[:15])] == [f"q{at}" for at in range(10)]


def test_a_way_is_bound_to_the_stages_of_another_pipeline():
    """What was laid over empty indexes is searched with the real ones, each at its own place."""
    light = step("threshold")
    found = route((LEXICAL, DENSE), (FUSE, light, step("rerank"), CUT))
    real = [step(name) for name in ("lexical", "dense", "fuse", "threshold", "rerank", "cut")]
    bound = found.bound(Pipeline(tuple(real[:2]), tuple(real[2:])))
    steps = [one for node in bound.nodes for one in node.steps]
    assert all(any(one is other for other in real) for one in steps)
    assert [one.name for one in steps] == [one.name for node in found.nodes for one in node.steps]
    alone = route((DENSE,), (CUT,)).bound(Pipeline((real[1],), (real[5],)))
    assert [node.steps for node in alone.nodes] == [(), (real[1],), (real[5],)]

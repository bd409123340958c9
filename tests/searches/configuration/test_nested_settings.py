"""Settings that have settings of their own: what they may be, and what has no effect is refused."""

from pathlib import Path

import pytest

from assay.errors import ProblemsError
from assay.records import CoherenceSettings, MmrSettings
from assay.searches.configuration.configuration import configuration, describe
from assay.searches.configuration.nested_settings import (
    BY_HTTP,
    coherence_of,
    mmr_of,
    store_settings,
    system_settings,
)

DENSE = {"search": "dense"}
EXAMPLES = "examples/systems"
HTTP = {"kind": "http", "url": "http://localhost/search"}


def refused(**given):
    with pytest.raises(ProblemsError) as caught:
        configuration({"name": "one", **given})
    return [f"{one.problem} | {one.hint}" for one in caught.value.problems]


def test_a_stage_is_switched_on_or_told_how():
    assert coherence_of(configuration(DENSE)) is None
    assert coherence_of(configuration({**DENSE, "coherence": False})) is None
    assert coherence_of(configuration({**DENSE, "coherence": True})) == CoherenceSettings()
    told = configuration({**DENSE, "coherence": {"alpha": 0.3}, "mmr": {"lambda": 0.7}})
    assert coherence_of(told) == CoherenceSettings(alpha=0.3)
    assert mmr_of(told) == MmrSettings(relevance=0.7)


def test_a_whole_number_is_the_same_setting():
    whole, parts = (
        configuration({**DENSE, "coherence": {"ground": one}, "mmr": {"lambda": one}})
        for one in (1, 1.0)
    )
    assert type(coherence_of(whole).ground) is type(mmr_of(whole).relevance) is float
    assert str(describe(whole)) == str(describe(parts))
    told = configuration({**DENSE, "coherence": {"neighbours": 8, "use_mmr": True}})
    assert type(coherence_of(told).neighbours) is int
    assert coherence_of(told).use_mmr is True


def test_mmr_can_be_asked_for_within_coherence():
    assert mmr_of(configuration({**DENSE, "coherence": True})) is None
    assert mmr_of(configuration({**DENSE, "coherence": {"use_mmr": True}})) == MmrSettings()
    both = {"coherence": {"use_mmr": True}, "mmr": {"k": 20}}
    assert mmr_of(configuration({**DENSE, **both})) == MmrSettings(k=20)


def test_a_report_spells_every_setting_out_by_its_name_in_a_file():
    told = describe(configuration({**DENSE, "coherence": True, "mmr": {"lambda": 0.5}}))
    assert told["coherence"]["alpha"] == 0.1
    assert told["mmr"]["lambda"] == 0.5
    assert set(told["coherence"]) == set(CoherenceSettings.__dataclass_fields__)


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"coherence": {"alpha": 2}}, "coherence.alpha cannot be 2 | give a number from 0 to 1"),
        (
            {"coherence": {"alfa": 0.2}},
            'coherence.alfa is no setting of coherence | did you mean "a',
        ),
        ({"coherence": {"alpha": float("nan")}}, "coherence.alpha cannot be nan"),
        ({"coherence": {"force_fallback": 1}}, "coherence.force_fallback cannot be 1"),
        ({"coherence": {"max_iterations": 0}}, "coherence.max_iterations cannot be 0"),
        ({"coherence": {"graph": "fast"}}, 'coherence.graph cannot be "fast"'),
        ({"coherence": {"min_overlap": 0.5}}, "coherence.min_overlap has no effect with an exact"),
        ({"coherence": "yes"}, "coherence cannot be 'yes'"),
        ({"coherence": True, "rerank": "maxsim"}, "rerank has no effect with coherence"),
        ({"coherence": True, "collapse": "sum"}, "collapse must be max with coherence"),
        ({"coherence": {"use_mmr": False}, "mmr": True}, "coherence.use_mmr is false"),
        ({"coherence": {"use_mmr": True}, "mmr": False}, "coherence.use_mmr is true"),
        ({"mmr": {"lambda": -1}}, "mmr.lambda cannot be -1"),
        ({"mmr": {"always": True, "min_k": 3}}, "mmr.min_k has no effect with always: true"),
        ({"mmr": {"k": 50}, "top_k": 20}, "mmr.k is above top_k (20)"),
        ({"mmr": {"pool": 5}}, "mmr.pool is smaller"),
    ],
)
def test_what_cannot_be_is_refused(given, problem):
    assert any(said.startswith(problem) for said in refused(**DENSE, **given)), refused(
        **DENSE, **given
    )


def test_structure_needs_vectors():
    assert "search: dense" in refused(coherence=True)[0]
    assert "search: lexical has not" in refused(search="lexical", mmr=True)[0]
    assert mmr_of(configuration({"mmr": True})) == MmrSettings()  # hybrid has vectors


@pytest.mark.parametrize(
    ("system", "problem"),
    [
        ({}, "system.kind names no kind"),
        ({"kind": "htp"}, "system.kind cannot be of kind 'htp' | did you mean \"http\"?"),
        ({"kind": "http"}, "system.url is missing"),
        ({**HTTP, "uri": "x"}, 'system.uri is no setting of http | did you mean "url"?'),
        ({**HTTP, "home": "x"}, "system.home is no setting of http"),
        ({"kind": "run_file"}, "system.path is missing"),
        ({"kind": "pgvector", "folder": "x"}, "system.folder is no setting of pgvector"),
        ("http", "system cannot be 'http'"),
    ],
)
def test_a_system_is_described_by_what_its_kind_takes(system, problem):
    assert any(said.startswith(problem) for said in refused(system=system)), refused(system=system)


@pytest.mark.parametrize("kind", BY_HTTP)
def test_a_server_that_is_asked_over_http_has_an_example(kind):
    (told,) = refused(system={"kind": kind, "url": "http://localhost"})
    hint = f"use kind: http; see {EXAMPLES}/{kind}.yaml"
    assert told == f"system.kind cannot be of kind '{kind}' | {hint}"
    assert (Path(__file__).parents[3] / EXAMPLES / f"{kind}.yaml").is_file()


def test_what_we_would_do_has_no_effect_on_a_system_that_searches_by_itself():
    assert refused(system=HTTP, search="lexical", model="static") == [
        "search has no effect: http searches by itself | leave it out",
        "model has no effect: http searches by itself | leave it out",
    ]
    told = configuration({"system": HTTP, "top_k": 20})
    assert (told.model, told.lexical, told.dense) == (None, None, None)
    assert describe(told) == {"system": HTTP, "top_k": 20}


def test_a_store_takes_chunks_and_vectors_from_us_and_keeps_them_its_own_way():
    told = configuration({"system": {"kind": "pgvector"}, "chunk_size": 100})
    assert (told.search, told.fusion, told.model) == ("hybrid", "rrf", "minilm")
    assert (told.lexical, told.dense, told.precision) == (None, None, "float32")
    said = refused(system={"kind": "pgvector"}, search="dense", dense="hnsw", precision="int8")
    assert len(said) == 2
    assert "pgvector keeps words and vectors its own way" in said[0]
    assert "blend needs scores" in refused(system={"kind": "pgvector"}, fusion="blend")[0]
    words = configuration({"system": {"kind": "pgvector"}, "search": "lexical"})
    assert (words.model, words.precision, words.fusion) == (None, None, None)


@pytest.mark.parametrize(
    ("search", "system", "said"),
    [
        ("dense", {"kind": "pgvector", "language": "german"}, "system.language has no effect"),
        ("dense", {"kind": "lancedb", "language": "German"}, "system.language has no effect"),
        ("dense", {"kind": "pgvector", "language": "german", "words": True}, ""),
        ("dense", {"kind": "pgvector", "words": False, "index": "hnsw"}, ""),
        ("lexical", {"kind": "pgvector", "index": "hnsw"}, "system.index has no effect"),
        ("lexical", {"kind": "pgvector", "ef_search": 99}, "system.ef_search has no effect"),
        ("lexical", {"kind": "lancedb", "nprobes": 4}, "system.nprobes has no effect"),
        ("lexical", {"kind": "qdrant", "exact": True}, "system.exact has no effect"),
        ("lexical", {"kind": "lancedb", "words": False}, "system.words is false"),
        ("hybrid", {"kind": "qdrant", "words": False}, "system.words is false"),
        ("hybrid", {"kind": "pgvector", "language": "german", "index": "hnsw"}, ""),
        ("lexical", {"kind": "pgvector", "language": "german", "words": True}, ""),
    ],
)
def test_what_has_no_effect_on_a_store_is_refused(search, system, said):
    if not said:
        assert configuration({"search": search, "system": system}).system == system
        return
    (problem,) = refused(search=search, system=system)
    assert problem.startswith(said)
    assert f"search: {search}" in problem


@pytest.mark.parametrize("kind", ["pgvector", "lancedb", "qdrant"])
def test_every_setting_of_a_store_is_for_words_for_vectors_or_for_both(kind):
    known = [*store_settings(kind, "words"), *store_settings(kind, "vectors")]
    assert len(known) == len(set(known))
    assert {*system_settings(kind)} - {*known} <= {"url", "api_key", "path", "words"}
    assert {*known} <= {*system_settings(kind)}


def test_scores_of_a_store_s_words_have_no_threshold():
    system = {"kind": "pgvector"}
    assert "no scale" in refused(search="lexical", system=system, threshold=0.1)[0]
    for search in ("dense", "hybrid"):
        told = configuration({"search": search, "system": system, "threshold": 0.02})
        assert told.threshold == 0.02


def test_how_deep_a_system_looks_is_its_own_affair():
    assert configuration({"system": HTTP, "top_k": 1000}, cutoff=1000).top_k == 1000
    with pytest.raises(ProblemsError) as caught:
        configuration({"name": "one", "system": HTTP, "top_k": 10}, cutoff=20)
    assert "write top_k: 20, or drop that metric" in str(caught.value)


def test_coherence_looks_at_more_candidates_unless_it_is_told():
    assert configuration({**DENSE, "coherence": True}).depth == 400
    assert configuration({**DENSE, "coherence": True, "depth": 150}).depth == 150
    assert configuration(DENSE).depth == 200
    assert configuration({**DENSE, "coherence": {}, "top_k": 300}).top_k == 300

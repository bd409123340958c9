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
    passed_fields,
    store_settings,
    system_settings,
)

DENSE = {"search": "dense"}
EXAMPLES = "examples/systems"
HTTP = {"kind": "http", "url": "http://localhost/search"}


def refused(**given):
    with pytest.raises(ProblemsError) as caught:
        configuration({"name": "one", **given})
    return [str(one).replace("\n  hint: ", " | ") for one in caught.value.problems]


def test_fields_that_a_request_names_are_passed():
    texts = ["{query}", "{query.tags[0]}", "{query.ü:-x}", '{query["a.b"].c}', '{query.["d e"]}']
    is_passed = passed_fields([{**HTTP, "request": {"any": texts}}])
    passed = [name for name in ("tags", "ü", "a.b", "d e", "c", "query", "x") if is_passed(name)]
    assert passed == ["tags", "ü", "a.b", "d e"]


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
    fields = set(CoherenceSettings.__dataclass_fields__)
    assert set(told["coherence"]) == fields - {"directions"}  # of approximate graphs alone


@pytest.mark.parametrize(
    ("given", "setting"),
    [
        ({"coherence": {"alpha": 2}}, "coherence.alpha"),
        ({"coherence": {"alfa": 0.2}}, "coherence.alfa"),
        ({"coherence": {"alpha": float("nan")}}, "coherence.alpha"),
        ({"coherence": {"force_fallback": 1}}, "coherence.force_fallback"),
        ({"coherence": {"max_iterations": 0}}, "coherence.max_iterations"),
        ({"coherence": {"graph": "fast"}}, "coherence.graph"),
        ({"coherence": {"min_overlap": 0.5}}, "coherence.min_overlap"),
        ({"coherence": {"directions": 8}}, "coherence.directions"),
        ({"coherence": {"graph": "approximate", "directions": 0}}, "coherence.directions"),
        ({"price": {}}, "price"),
        ({"price": 0.5}, "price"),
        ({"price": {"per_month": 3}}, "price.per_month"),
        ({"price": {"per_hour": -1}}, "price.per_hour"),
        ({"price": {"per_hour": float("inf")}}, "price.per_hour"),
        ({"coherence": "yes"}, "coherence"),
        ({"coherence": True, "rerank": "maxsim"}, "rerank"),
        ({"coherence": True, "collapse": "sum"}, "collapse"),
        ({"coherence": {"use_mmr": False}, "mmr": True}, "coherence.use_mmr"),
        ({"coherence": {"use_mmr": True}, "mmr": False}, "coherence.use_mmr"),
        ({"mmr": {"lambda": -1}}, "mmr.lambda"),
        ({"mmr": {"always": True, "min_k": 3}}, "mmr.min_k"),
        ({"mmr": {"k": 50}, "top_k": 20}, "mmr.k"),
        ({"mmr": {"pool": 5}}, "mmr.pool"),
    ],
    ids=str,
)
def test_what_cannot_be_is_refused(snapshot, given, setting):
    said = refused(**DENSE, **given)
    assert any(one.startswith((f"{setting}: ", f"{setting} ")) for one in said)
    snapshot(said)


def test_structure_needs_vectors(snapshot):
    assert "search: dense" in refused(coherence=True)[0]
    assert "search: lexical" in refused(search="lexical", mmr=True)[0]
    snapshot([*refused(coherence=True), *refused(search="lexical", mmr=True)])
    assert mmr_of(configuration({"mmr": True})) == MmrSettings()  # hybrid has vectors


@pytest.mark.parametrize(
    ("system", "setting"),
    [
        ({}, "system.kind"),
        ({"kind": "htp"}, "system.kind"),
        ({"kind": "http"}, "system.url"),
        ({**HTTP, "uri": "x"}, "system.uri"),
        ({**HTTP, "home": "x"}, "system.home"),
        ({"kind": "run_file"}, "system.path"),
        ({"kind": "pgvector", "folder": "x"}, "system.folder"),
        ("http", "system"),
    ],
    ids=str,
)
def test_a_system_is_described_by_what_its_kind_takes(snapshot, system, setting):
    said = refused(system=system)
    assert any(one.startswith((f"{setting}: ", f"{setting} ")) for one in said)
    snapshot(said)


@pytest.mark.parametrize("kind", BY_HTTP)
def test_a_server_that_is_asked_over_http_has_an_example(kind):
    (told,) = refused(system={"kind": kind, "url": "http://localhost"})
    assert told.startswith("system.kind: ")
    assert "kind: http" in told
    assert f"{EXAMPLES}/{kind}.yaml" in told
    assert (Path(__file__).parents[3] / EXAMPLES / f"{kind}.yaml").is_file()


def test_what_we_would_do_has_no_effect_on_a_system_that_searches_by_itself(snapshot):
    said = refused(system=HTTP, search="lexical", model="static")
    assert [one.split(" ")[0] for one in said] == ["search", "model"]
    snapshot(said)
    told = configuration({"system": HTTP, "top_k": 20})
    assert (told.model, told.lexical, told.dense) == (None, None, None)
    assert describe(told) == {"system": HTTP, "top_k": 20}


def test_a_store_takes_chunks_and_vectors_from_us_and_keeps_them_its_own_way(snapshot):
    told = configuration({"system": {"kind": "pgvector"}, "chunk_size": 100})
    assert (told.search, told.fusion, told.model) == ("hybrid", "rrf", "minilm")
    assert (told.lexical, told.dense, told.precision) == (None, None, "float32")
    said = refused(system={"kind": "pgvector"}, search="dense", dense="hnsw", precision="int8")
    assert len(said) == 2
    snapshot([*said, *refused(system={"kind": "pgvector"}, fusion="blend")])
    words = configuration({"system": {"kind": "pgvector"}, "search": "lexical"})
    assert (words.model, words.precision, words.fusion) == (None, None, None)


@pytest.mark.parametrize(
    ("search", "system", "refusal"),
    [
        ("dense", {"kind": "pgvector", "language": "german"}, "language"),
        ("dense", {"kind": "lancedb", "language": "German"}, "language"),
        ("dense", {"kind": "pgvector", "language": "german", "words": True}, ""),
        ("dense", {"kind": "pgvector", "words": False, "index": "hnsw"}, ""),
        ("lexical", {"kind": "pgvector", "index": "hnsw"}, "index"),
        ("lexical", {"kind": "pgvector", "ef_search": 99}, "ef_search"),
        ("lexical", {"kind": "lancedb", "nprobes": 4}, "nprobes"),
        ("lexical", {"kind": "qdrant", "exact": True}, "exact"),
        ("lexical", {"kind": "lancedb", "words": False}, "words"),
        ("hybrid", {"kind": "qdrant", "words": False}, "words"),
        ("hybrid", {"kind": "pgvector", "language": "german", "index": "hnsw"}, ""),
        ("lexical", {"kind": "pgvector", "language": "german", "words": True}, ""),
    ],
    ids=str,
)
def test_what_has_no_effect_on_a_store_is_refused(snapshot, search, system, refusal):
    if not refusal:
        assert configuration({"search": search, "system": system}).system == system
        return
    (problem,) = refused(search=search, system=system)
    assert problem.startswith(f"system.{refusal} ")
    assert f"search: {search}" in problem
    snapshot(problem)


@pytest.mark.parametrize("kind", ["pgvector", "lancedb", "qdrant"])
def test_every_setting_of_a_store_is_for_words_for_vectors_or_for_both(kind):
    known = [*store_settings(kind, "words"), *store_settings(kind, "vectors")]
    assert len(known) == len(set(known))
    assert {*system_settings(kind)} - {*known} <= {"url", "api_key", "path", "words"}
    assert {*known} <= {*system_settings(kind)}


def test_scores_of_a_store_s_words_have_no_threshold():
    system = {"kind": "pgvector"}
    assert "no known scale" in refused(search="lexical", system=system, threshold=0.1)[0]
    for search in ("dense", "hybrid"):
        told = configuration({"search": search, "system": system, "threshold": 0.02})
        assert told.threshold == 0.02


def test_how_deep_a_system_looks_is_its_own_affair():
    assert configuration({"system": HTTP, "top_k": 1000}, cutoff=1000).top_k == 1000
    with pytest.raises(ProblemsError) as caught:
        configuration({"name": "one", "system": HTTP, "top_k": 10}, cutoff=20)
    assert "top_k: 20" in str(caught.value)


def test_coherence_looks_at_more_candidates_unless_it_is_told():
    assert configuration({**DENSE, "coherence": True}).depth == 400
    assert configuration({**DENSE, "coherence": True, "depth": 150}).depth == 150
    assert configuration(DENSE).depth == 200
    assert configuration({**DENSE, "coherence": {}, "top_k": 300}).top_k == 300

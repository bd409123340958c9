"""The published schema: it is the program's own, and no stricter than the reader."""

import copy
import json
from pathlib import Path

import jsonschema_rs
import pytest
import yaml
from docs.make_schema import FILE, text
from hypothesis import example, given, settings
from hypothesis import strategies as st

from assay import catalogue
from assay.benchmarks import suites
from assay.benchmarks.file.criteria import RACE
from assay.benchmarks.file.read_benchmark import KEYS, LATER, OF_SEMANTIK, read_benchmark
from assay.benchmarks.file.schema import benchmark_schema
from assay.errors import AssayError
from assay.records.costs import COSTS

ROOT = Path(__file__).parents[3]
VALID = jsonschema_rs.validator_for(benchmark_schema()).is_valid
EXAMPLES = [*sorted((ROOT / "examples").rglob("*.yaml"))]
EXAMPLES = [path for path in EXAMPLES if "configurations:" in path.read_text(encoding="utf-8")]

FULL = {
    "name": "full",
    "dataset": "stdlib",
    "corpus": "stdlib",
    "metrics": ["ndcg@10", "recall@5"],
    "primary": "ndcg@10",
    "baseline": "words",
    "budgets": {"latency_p95_ms": 50, "errors": 0, "files_per_second": 10, "NDCG@10": 0.6},
    "margin": 0.02,
    "alpha": 0.05,
    "race": {"alpha": 0.05, "first": 20},
    "ship_if": "better",
    "suites": {"mine": [{"name": "a", "search": "lexical"}]},
    "matrix": {"top_k": [20, 50]},
    "configurations": [
        {"name": "words", "search": "lexical", "top_k": 50},
        {
            "name": "h",
            "fusion": "min_max",
            "weights": [[0.4, 0.6], [1, 1]],
            "chunk_size": [64, 128],
        },
        {"name": "c", "search": "dense", "coherence": {"alpha": [0.1, 0.2]}, "mmr": [False, True]},
        {"name": "q", "system": {"kind": "qdrant", "ef": [50, 100]}, "top_k": 20},
    ],
}
SEMANTIK = {
    "dataset": "stdlib",
    "config_matrix": {
        "primary_k": 10,
        "k_values_for_metrics": [5, 10],
        "top_k_values": [100],
        "search_modes": ["dense", "hybrid"],
        "use_reranker": [False, True],
        "rrf_k_values": [60],
        "score_thresholds": [None, 0.5],
    },
}
AKASHIC = {"dataset": "stdlib", "configs": [{"name": "a", "chunk_size": 64}]}
AKASHIC["configs"][0] |= {"embedding_model": "minilm", "use_reranker": True}
SEVERAL = {"datasets": ["stdlib", {"dataset": "short-queries", "name": "s"}]}
SEVERAL["configurations"] = [{"name": "words", "search": "lexical"}]
SUITE = {"dataset": "stdlib", "suite": "mine", "matrix": {"top_k": [20, 50]}}
SUITE["suites"] = {"mine": [{"name": "a"}], "other": [{"name": "b", "use_reranker": True}]}
CONFIGS = {"dataset": "stdlib", "suite": "quick_test", "configs": SUITE["suites"]}
BASES = [FULL, SEMANTIK, AKASHIC, SEVERAL, SUITE, CONFIGS]


def test_the_published_file_is_what_the_program_says():
    assert FILE.read_text(encoding="utf-8") == text()


def test_every_key_is_in_it():
    ours = benchmark_schema()["anyOf"][0]["properties"]
    assert [key for key in ours if key in KEYS] == KEYS
    assert set(ours) - {*KEYS, *SEMANTIK["config_matrix"], *OF_SEMANTIK} == {"$schema"}
    assert not set(LATER) & set(ours)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_example_fits(path):
    assert VALID(yaml.safe_load(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize("name", catalogue.names(suites))
def test_every_suite_fits(name):
    configurations = catalogue.find(suites, name)()
    assert VALID({"dataset": "stdlib", "configurations": configurations})
    assert VALID({"dataset": "stdlib", "suite": name, "suites": {"own": configurations}})


@pytest.mark.parametrize(
    "base", BASES, ids=["full", "semantik", "akashic", "several", "suite", "configs"]
)
def test_what_is_read_fits(base):
    assert read_benchmark(base).configurations
    assert VALID(base)


@pytest.mark.parametrize("key", ["$schema", *KEYS])
def test_every_key_may_be_null(key):
    assert VALID({"dataset": "stdlib", key: None})


@pytest.mark.parametrize("key", ["budgets", "race"])
def test_every_key_within_a_key_may_be_null(key):
    its = {"budgets": COSTS, "race": RACE}[key]
    assert VALID({"dataset": "stdlib", key: dict.fromkeys(its)})


def test_whole_files_of_others_fit():
    assert VALID(SEMANTIK["config_matrix"])
    assert VALID({"quick": AKASHIC["configs"], "slow": AKASHIC["configs"]})
    assert VALID(AKASHIC["configs"])
    assert VALID(AKASHIC["configs"][0])


REFUSED = [
    {"datset": "x"},
    {"dataset": 5},
    {"configurations": []},
    {"configurations": [{"search": "lexical"}]},
    {"configurations": [{"name": "a", "search": "fuzzy"}]},
    {"configurations": [{"name": "a", "chunk_size": [0]}]},
    {"configurations": [{"name": "a", "coherence": {"alfa": 1}}]},
    {"configurations": [{"name": "a", "weights": [1]}]},
    {"configurations": [{"name": "a", "system": {"url": "x"}}]},
    {"matrix": {"name": ["a"]}},
    {"budgets": {"files_per_second": -5}},
    {"budgets": {"ndcg@10": "0.6"}},
    {"budgets": {"ndcg@10": True}},
    {"budgets": [0.6]},
    {"ship_if": "good"},
    {"config_matrix": {"serch_modes": []}},
    {"suite": "quick_test", "configurations": "x"},
    {"suite": "quick_test", "configurations": {"mine": [{"name": "a"}]}},
    {"suite": "quick_test", "configurations": None, "configs": "x"},
    {"suites": {"mine": "x"}, "configs": {"other": [{"name": "a"}]}},
]


@pytest.mark.parametrize("wrong", REFUSED, ids=json.dumps)
def test_what_cannot_be_is_refused_by_both(wrong):
    given = {"dataset": "stdlib", "configurations": [{"name": "a"}]} | wrong
    assert not VALID(given)
    with pytest.raises(AssayError):
        read_benchmark(given)


WORDS = st.sampled_from(
    ["lexical", "dense", "name", "search", "maxsim", "all", "", " ", "None", "ö"]
)
VALUE = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 300) | st.floats(-1, 2) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=2),
    max_leaves=4,
)


@st.composite
def mutations(draw):
    """Change one thing somewhere in a file that can be read: another value, one more, one less."""
    value = copy.deepcopy(draw(st.sampled_from(BASES)))
    place = value
    while True:
        keys = [*place] if isinstance(place, dict) else [*range(len(place))]
        key = draw(st.sampled_from(keys)) if keys else None
        inner = place[key] if key is not None else None
        if not isinstance(inner, dict | list) or not inner or draw(st.booleans()):
            break
        place = inner
    how = draw(st.sampled_from(["change", "add", "remove"]))
    if how == "change" and key is not None:
        place[key] = draw(VALUE)
    elif how == "remove" and key is not None:
        del place[key]
    elif isinstance(place, dict):
        place[draw(st.sampled_from([*KEYS, *LATER, "chunk_size", "odd"]))] = draw(VALUE)
    else:
        place.append(draw(VALUE))
    return value


@settings(max_examples=50)
@given(mutations())
@example({"dataset": "stdlib", "primary": "", "configurations": [{"name": "a"}]})
@example({"dataset": "stdlib", "config_matrix": {"primary_k": 0, "search_modes": ["dense"]}})
def test_what_the_schema_refuses_the_reader_refuses(value):
    if VALID(value):
        return
    with pytest.raises(AssayError):
        read_benchmark(value)

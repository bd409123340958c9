"""Lists multiply: which cells come of them, what they are called, and which are the same."""

import importlib.metadata
import math
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay import catalogue
from assay.benchmarks.file import matrix
from assay.benchmarks.file.cells import GivenConfiguration, cells, choices, count, said
from assay.benchmarks.file.matrix import distinct
from assay.benchmarks.file.problems import MOST_LISTED
from assay.benchmarks.file.read_benchmark import read_benchmark
from assay.errors import AssayError, ProblemsError
from assay.searches.configuration.configuration import describe


def read(*configurations, **keys):
    return read_benchmark({"dataset": "stdlib", "configurations": [*configurations], **keys})


def names(benchmark):
    return [one.name for one in benchmark.configurations]


def refusals(*configurations, **keys):
    with pytest.raises(ProblemsError) as refused:
        read(*configurations, **keys)
    return [(one.where.partition(", ")[2], one.problem, one.hint) for one in refused.value.problems]


def test_the_example_of_the_specification():
    hybrid = {"name": "hybrid", "search": "hybrid", "chunker": ["code", "fixed"]}
    hybrid |= {"chunk_size": [512, 1024], "model": "minilm", "rerank": [None, "maxsim"]}
    benchmark = read({"name": "bm25", "search": "lexical"}, hybrid, baseline="bm25")

    assert benchmark.cells == 9
    assert benchmark.merged == ()
    assert names(benchmark)[:3] == [
        "bm25",
        "hybrid chunker=code chunk_size=512 rerank=none",
        "hybrid chunker=code chunk_size=512 rerank=maxsim",
    ]
    chosen = benchmark.configurations[-1]
    assert chosen.name == "hybrid chunker=fixed chunk_size=1024 rerank=maxsim"
    assert (chosen.chunker, chosen.chunk_size, chosen.rerank) == ("fixed", 1024, "maxsim")


def test_words_of_others_name_cells_and_mean_ours():
    benchmark = read({"name": "a", "search": ["bm25", "vector", "lexical"]})

    assert names(benchmark) == ["a search=bm25", "a search=vector", "a search=lexical"]
    assert [one.search for one in benchmark.configurations] == ["lexical", "dense", "lexical"]
    same = [(one.name, others) for one, others in distinct(benchmark.configurations)]
    assert same[0] == ("a search=bm25", ("a search=lexical",))


def test_knobs_of_lexical_search_multiply():
    knobs = {"k1": [0.9, 1.2], "b": [0.4, 0.75], "language": ["english", "none"]}
    assert len(names(read({"name": "a", "search": "bm25", **knobs}))) == 8
    fields = {"name": "a", "fields": {"title": [0, 1], "path": 0.5}}
    assert names(read(fields)) == ["a fields.title=0", "a fields.title=1"]
    fields = {"name": "a", "fields": [None, {"title": 2}, {"title": 2, "path": 0}]}
    assert [one.fields for one in read(fields).configurations] == [
        *(None, {"title": 2.0}, {"path": 0.0, "title": 2.0}),
    ]


def test_lists_of_words_and_rules_are_values_unless_they_are_lists_of_such():
    def values(name, value):
        return [getattr(one, name) for one in read({"name": "a", name: value}).configurations]

    assert values("stop_words", ["the", "of"]) == [("the", "of")]
    assert values("stop_words", ["english", "none", ["the", "of"]]) == [None, "none", ("the", "of")]
    assert values("synonyms", [["car", "auto"], "tv => set"]) == [("car, auto", "tv => set")]
    assert values("synonyms", [None, [["car", "auto"]]]) == [None, ("car, auto",)]
    wrong = refusals({"name": "a", "stop_words": [["the"], "germna"]})
    assert [one[0] for one in wrong] == ['configuration "a", stop_words[1]']


def test_null_is_not_the_value_called_none():
    knobs = {"name": "a", "language": [None, "none"]}
    assert names(read(knobs)) == ["a language=default", "a language=none"]
    assert [one.language for one in read(knobs).configurations] == [None, "none"]


def test_files_of_words_stand_beside_the_benchmark(tmp_path, monkeypatch):
    (tmp_path / "words").mkdir()
    (tmp_path / "words" / "stop.txt").write_text("the\n")
    file = tmp_path / "bench.yaml"
    settings = "{name: a, search: bm25, stop_words: [none, words/stop.txt, %s]}"
    file.write_text("dataset: stdlib\nconfigurations:\n  - " + settings % "english")
    monkeypatch.chdir("/")

    benchmark = read_benchmark(file)

    assert names(benchmark)[1] == "a stop_words=stop.txt"
    assert benchmark.configurations[1].stop_words["path"] == str(tmp_path / "words" / "stop.txt")
    file.write_text("dataset: stdlib\nconfigurations:\n  - " + settings % "words/stpo.txt")
    with pytest.raises(ProblemsError, match="stpo"):
        read_benchmark(file)


def test_knobs_that_an_engine_has_not_are_merged():
    benchmark = read({"name": "a", "lexical": ["tantivy", "postings"], "k1": [0.9, 1.2]})

    runs = [(one.name, others) for one, others in distinct(benchmark.configurations)]
    assert runs[0] == ("a lexical=tantivy", ("a lexical=tantivy k1=1.2",))
    assert len(runs) == 3
    assert benchmark.merged[0].startswith("k1 ")


def test_a_list_of_one_is_no_part_of_a_name():
    assert names(read({"name": "a", "chunk_size": [64], "fusion": ["rrf", "blend"]})) == [
        "a fusion=rrf",
        "a fusion=blend",
    ]


def test_settings_within_settings_multiply():
    coherence = {"alpha": [0.1, 0.2], "neighbours": 5}
    benchmark = read({"name": "c", "search": "dense", "coherence": coherence})
    assert names(benchmark) == ["c coherence.alpha=0.1", "c coherence.alpha=0.2"]
    assert [one.coherence for one in benchmark.configurations] == [
        {"alpha": 0.1, "neighbours": 5},
        {"alpha": 0.2, "neighbours": 5},
    ]


def test_a_stage_may_be_off_on_or_anything_between():
    given = {"name": "c", "search": "dense", "coherence": [False, True, {"alpha": [0.2, 0.3]}]}
    assert names(read(given)) == [
        "c coherence=false",
        "c coherence=true",
        "c coherence={alpha: 0.2}",
        "c coherence={alpha: 0.3}",
    ]


def test_weights_are_a_pair_and_a_list_of_pairs_multiplies():
    one = read({"name": "w", "fusion": "min_max", "weights": [0.4, 0.6]})
    many = read({"name": "w", "fusion": "min_max", "weights": [[0.4, 0.6], [1, 1], None]})
    assert (one.cells, many.cells) == (1, 3)
    assert names(many) == ["w weights=0.4:0.6", "w weights=1:1", "w weights=none"]
    assert [one.weights for one in many.configurations] == [(0.4, 0.6), (1.0, 1.0), None]
    assert len(distinct(many.configurations)) == 2  # its own are 0.4 and 0.6


def test_systems_are_told_apart_by_their_kind_and_what_they_are_sent_is_left_alone():
    sent = {"kind": "http", "url": "http://x/{query}", "request": {"fields": ["a", "b"]}}
    sent |= {"response": {"hits": ".", "incomplete": ["x", "y"]}, "timeout_s": [1, 2]}
    benchmark = read({"name": "h", "system": sent})
    assert names(benchmark) == ["h system.timeout_s=1", "h system.timeout_s=2"]
    assert benchmark.configurations[0].system["request"] == {"fields": ["a", "b"]}
    several = [{"kind": "run_file", "path": "a.run"}, {"kind": "qdrant"}]
    assert names(read({"name": "s", "system": several})) == ["s system=run_file", "s system=qdrant"]
    kinds = {"kind": "pgvector", "index": ["exact", "hnsw"]}
    assert len(names(read({"name": "p", "system": kinds}))) == 2


def test_what_has_no_effect_in_some_cells_is_left_out_there_and_said(snapshot):
    given = {"name": "s", "search": ["dense", "hybrid"], "fusion": "rrf", "rrf_k": [10, 60]}
    benchmark = read(given)
    assert benchmark.cells == 4
    snapshot(benchmark.merged)
    assert names(benchmark) == [
        "s search=dense",
        "s search=dense rrf_k=60",
        "s search=hybrid rrf_k=10",
        "s search=hybrid rrf_k=60",
    ]
    assert [(one.name, also) for one, also in distinct(benchmark.configurations)] == [
        ("s search=dense", ("s search=dense rrf_k=60",)),
        ("s search=hybrid rrf_k=10", ()),
        ("s search=hybrid rrf_k=60", ()),
    ]


def test_four_cells_are_two_runs():
    given = {"name": "s", "search": ["dense", "hybrid"], "fusion": "rrf", "rrf_k": [10, 60]}
    merged = read(given | {"chunk_size": [64, 128]}).merged[1]
    assert "4 configurations" in merged
    assert "2 runs" in merged


def test_a_setting_that_was_left_out_first_takes_no_other_with_it():
    """Coherence makes a reranker useless, but not where coherence itself is of no use."""
    given = {"name": "s", "search": ["dense", "hybrid"], "coherence": [False, True]}
    benchmark = read(given | {"rerank": "maxsim", "model": "minilm"})
    told = {one.name: one.rerank for one in benchmark.configurations}
    assert told["s search=hybrid"] == "maxsim"
    assert told["s search=dense coherence=true"] is None


def test_what_has_no_effect_in_every_cell_is_refused():
    given = {"name": "s", "search": ["dense", "lexical"], "fusion": "rrf", "chunk_size": [64, 128]}
    (only,) = refusals(given)
    assert only[0] == 'configuration "s", fusion'
    assert "search: dense" in only[1]


@pytest.mark.parametrize("rerank", ["maxsim", [None, "maxsim"]])
def test_so_is_a_list_of_which_only_nothing_has_an_effect(rerank):
    (only,) = refusals({"name": "s", "search": "lexical", "rerank": rerank})
    assert "maxsim" in only[1]
    assert "search: lexical" in only[1]


def test_the_matrix_applies_to_every_configuration_and_their_own_settings_win():
    matrix = {"chunk_size": [64, 128], "model": ["static", "minilm"]}
    words = {"name": "words", "search": "lexical"}
    both = {"name": "both", "model": "static"}
    benchmark = read(words, both, matrix=matrix, baseline="both chunk_size=64")
    assert names(benchmark) == [
        "words chunk_size=64",
        "words chunk_size=64 model=minilm",
        "words chunk_size=128",
        "words chunk_size=128 model=minilm",
        "both chunk_size=64",
        "both chunk_size=128",
    ]
    assert len(distinct(benchmark.configurations)) == 4


def test_a_setting_of_the_matrix_that_no_configuration_uses_is_refused():
    words = {"name": "words", "search": "lexical"}
    (only,) = refusals(words, matrix={"model": ["static", "minilm"]})
    assert only[0] == "matrix.model"
    assert "search: lexical" in only[1]


def test_so_is_one_that_every_configuration_says_itself(snapshot):
    given = [{"name": "a", "top_k": 10}, {"name": "b", "top_k": 20}]
    (only,) = refusals(*given, matrix={"top_k": [30, 40]}, metrics=["ndcg@10"])
    assert only[0] == "matrix.top_k"
    snapshot(only)


def test_the_matrix_alone_is_the_configurations():
    given = {"dataset": "stdlib", "matrix": {"search": ["lexical", "dense"], "top_k": 20}}
    benchmark = read_benchmark(given)
    assert names(benchmark) == ["search=lexical", "search=dense"]
    assert benchmark.baseline == "search=lexical"
    assert names(read_benchmark({"dataset": "stdlib", "matrix": {"top_k": 50}})) == ["default"]


def test_a_baseline_is_a_cell():
    given = {"name": "h", "chunk_size": [64, 128]}
    assert read(given, baseline="h chunk_size=128").baseline == "h chunk_size=128"
    (only,) = refusals(given, baseline="h")
    assert only[0] == "baseline"
    assert "2 configurations" in only[1]
    assert '"h chunk_size=64"' in only[2]


WRONG = [
    ({"chunk_size": [64, 0, "x"]}, ["chunk_size[1]", "chunk_size[2]"]),
    ({"chunk_size": []}, ["chunk_size"]),
    ({"chunk_size": [64, 64]}, ["chunk_size"]),
    ({"fusion": "rrf", "threshold": [1, 1.0]}, ["threshold"]),
    ({"chunk_size": [[64, 128]]}, ["chunk_size[0]"]),
    ({"search": "dense", "coherence": {"alpha": []}}, ["coherence"]),
    ({"search": "dense", "mmr": {"k": [5, "x"]}}, ["mmr.k"]),
    ({"chunksize": [1, 2]}, ["chunksize"]),
    ({"top_k": [5, 20]}, ["top_k"]),
    ({"model": ["static", "minilmm"]}, ["model[1]"]),
    ({"name": ["a", "b"]}, ["name"]),
    ({"weights": [[1, 2], 3]}, ["weights"]),
    ({"overlap": [0, 300]}, ["overlap"]),
]


@pytest.mark.parametrize(("wrong", "places"), WRONG, ids=str)
def test_a_mistake_in_a_list_is_told_with_its_place(snapshot, wrong, places):
    found = refusals({"name": "a"} | wrong, metrics=["ndcg@10"])
    named = ("configurations[0].", 'configuration "a", ')
    assert [re.sub("|".join(map(re.escape, named)), "", place) for place, _, _ in found] == places
    snapshot(f"{problem} | {hint}" for _, problem, hint in found)


def test_too_many_are_refused_with_their_number():
    sizes = [*range(1, MOST_LISTED + 2)]
    assert "1,001 configurations" in refusals({"name": "a", "chunk_size": sizes})[0][1]
    huge = {"chunk_size": sizes, "overlap": sizes, "depth": sizes, "top_k": sizes}
    (only,) = refusals({"name": "a"} | huge)
    assert f"{1001**4:,} combinations" in only[1]
    nested = {"alpha": sizes, "ground": sizes, "smoothing": sizes, "anchor": sizes}
    (only,) = refusals({"name": "a", "search": "dense", "coherence": nested})
    assert f"{1001**4:,} combinations" in only[1]


def test_many_cells_that_are_few_runs_can_be():
    given = {
        "name": "a",
        "search": ["lexical", "hybrid"],
        "fusion": "rrf",
        "rrf_k": [*range(1, 41)],
    }
    benchmark = read(given)
    assert (benchmark.cells, len(distinct(benchmark.configurations))) == (80, 41)


def test_names_stay_short_and_printable():
    folders = [f"sentence-transformers:{letter * 90}/{letter * 60}" for letter in "abc"]
    benchmark = read({"name": "n" * 100, "model": folders, "chunk_size": [64, 128]})
    assert all(len(name) <= 200 for name in names(benchmark))
    assert len(set(names(benchmark))) == 6


def test_the_same_number_is_the_same_configuration():
    """As in `describe`, by which runs are merged."""
    one, other = ({"kind": "http", "url": "http://x", "timeout_s": n} for n in (1, 1.0))
    made = read({"name": "a", "system": one}, {"name": "b", "system": other}).configurations
    assert describe(made[0]) == describe(made[1])
    assert [(first.name, also) for first, also in distinct(made)] == [("a", ("b",))]
    thresholds = [{"name": str(n), "search": "dense", "threshold": n} for n in (0, 0.0, 1, 1.0)]
    assert len(distinct(read(*thresholds[:1], thresholds[2], thresholds[3]).configurations)) == 2


VALUES = {
    "search": ["lexical", "dense", "hybrid"],
    "chunker": ["auto", "fixed", "whole", "code"],
    "chunk_size": [64, 128, 256],
    "fusion": ["blend", "rrf", "min_max"],
    "rrf_k": [None, 10, 60],
    "rerank": [None, "maxsim"],
    "rerank_depth": [None, 20],
    "threshold": [None, 0.2],
    "weights": [None, [1, 2]],
    "mmr": [False, True, {"k": 5}],
    "lexical_unit": ["auto", "chunk", "document"],
}
LISTS = st.lists(st.sampled_from([*VALUES]), max_size=5, unique=True).flatmap(
    lambda names: st.fixed_dictionaries(
        {
            name: st.lists(st.sampled_from(VALUES[name]), min_size=1, max_size=2, unique_by=said)
            for name in names
        }
    )
)


@settings(max_examples=60)
@given(LISTS)
def test_any_product_is_complete_and_each_of_its_runs_stands_by_itself(lists):
    number = math.prod(map(len, lists.values()))
    assert cells(GivenConfiguration("a", lists)) == number
    try:
        benchmark = read({"name": "a", **lists})
    except AssayError:
        return
    assert benchmark.cells == len(benchmark.configurations) == number
    assert len(set(names(benchmark))) == number
    runs = distinct(benchmark.configurations)
    assert sum(1 + len(also) for _, also in runs) == number
    for at, (one, _) in enumerate(runs):
        assert all(describe(one) != describe(other) for other, _ in runs[:at])


@given(
    st.dictionaries(st.sampled_from(["alpha", "neighbours"]), st.lists(st.integers(), max_size=4))
)
def test_as_many_are_counted_as_are_made(nested):
    value = [True, nested, None]
    assert count("coherence", value) == len(choices("coherence", value))


def test_what_many_cells_come_to_is_worked_out_once_for_each(monkeypatch):
    """Of 800 cells the reader asked 13,000 times for what a chunker takes, and for plugins."""
    asked = {"describe": 0, "find": 0, "plugins": 0}

    def counting(name, function):
        def counted(*args, **options):
            asked[name] += 1
            return function(*args, **options)

        return counted

    monkeypatch.setattr(matrix, "describe", counting("describe", matrix.describe))
    monkeypatch.setattr(catalogue, "find", counting("find", catalogue.find))
    reading = counting("plugins", importlib.metadata.entry_points)
    monkeypatch.setattr(importlib.metadata, "entry_points", reading)
    sizes, depths = [64, 128, 256, 512], [100, 200, 300, 400, 500]
    asks = {"name": "a", "chunk_size": sizes, "depth": depths, "rerank": [None, "maxsim"]}
    asks |= {"fusion": "rrf", "rrf_k": [20, 40, 60, 80, 100]}
    assert read(asks).cells == 200
    assert asked["describe"] == 200
    assert asked["find"] <= 200 * 9
    assert asked["plugins"] <= 10  # once for each package


def test_lists_in_the_settings_of_a_function_multiply():
    settings = {"use_reranker": [True, False], "limit": 20, "fields": [["title", "body"]]}
    system = {"kind": "callable", "function": "store.py:search", "settings": settings}
    found = read_benchmark(
        {"dataset": "stdlib", "configurations": [{"name": "ours", "system": system}]}
    ).configurations
    assert [one.name for one in found] == [
        "ours use_reranker=true",
        "ours use_reranker=false",
    ]
    each = [one.system["settings"] for one in found]
    assert [one["use_reranker"] for one in each] == [True, False]
    assert all((one["limit"], one["fields"]) == (20, ["title", "body"]) for one in each)

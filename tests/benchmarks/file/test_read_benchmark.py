import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from assay.benchmarks.collections.resolve import opened_benchmark
from assay.benchmarks.file.read_benchmark import KEYS, LATER, read_benchmark
from assay.errors import AssayError, InputError, ProblemsError
from assay.metrics import parse_all

ONE = "configurations: [{name: bm25, search: lexical}]\n"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "queries.json").write_text('{"queries": []}')
    return tmp_path


def read(folder, text, name="bench.yaml"):
    (folder / name).write_text(text, newline="")
    return read_benchmark(folder / name)


def test_the_smallest_file(folder):
    benchmark = read(folder, "dataset: data/queries.json\nconfigurations:\n  - name: default\n")

    assert benchmark.name == "bench"
    assert benchmark.dataset == str(folder / "data" / "queries.json")
    assert benchmark.corpus is None
    assert benchmark.metrics[0] == benchmark.primary == "ndcg@10"
    assert set(benchmark.metrics) == {str(metric) for metric in parse_all()}
    assert benchmark.baseline == ""
    assert [one.name for one in benchmark.configurations] == ["default"]


@pytest.mark.parametrize(
    ("given", "primary"),
    [
        ("ndcg@3", "ndcg@3"),
        ("recall@5, ndcg@10", "ndcg@10"),
        ("judged@10, rbp_residual, mrr, recall@5", "mrr"),
        ("rbp_residual", "ndcg@10"),
    ],
)
def test_the_first_metric_decides_if_ndcg_at_10_is_not_among_them(folder, given, primary):
    start = f"dataset: data/queries.json\nmetrics: [{given}]\n"
    benchmark = read(folder, f"{start}configurations: [{{name: default}}]\n")

    assert benchmark.metrics[0] == benchmark.primary == primary


def test_a_larger_file(folder):
    text = """
        name: larger
        dataset: data/queries.json
        corpus: {path: src, include: ["**/*.py"]}
        metrics: [ndcg@10, MRR@10, recall@5]
        primary: mrr@10
        baseline: hybrid
        budgets: {latency_p95_ms: 50, bytes_per_document: 10000}
        margin: 0.05
        configurations:
          - {name: bm25, search: lexical}
          - {name: hybrid, search: hybrid, chunker: code, chunk_size: 512, rerank: null}
    """
    (folder / "src").mkdir()
    benchmark = read(folder, text)

    assert benchmark.metrics == ("mrr@10", "ndcg@10", "recall@5")
    assert benchmark.corpus == {"path": "src", "include": ["**/*.py"]}
    assert benchmark.home == str(folder)
    assert benchmark.baseline == "hybrid"
    assert benchmark.budgets == {"latency_p95_ms": 50, "bytes_per_document": 10000}
    assert benchmark.margin == 0.05
    assert benchmark.configurations[1].chunk_size == 512


def test_json_crlf_and_marks_read_alike(folder):
    plain = read(folder, f"dataset: stdlib\n{ONE}")
    value = {"dataset": "stdlib", "configurations": [{"name": "bm25", "search": "lexical"}]}
    assert read(folder, json.dumps(value), "bench.json") == plain
    assert read(folder, f"dataset: stdlib\r\n{ONE}".replace("\n", "\r\n")) == plain
    assert read(folder, f"\ufeffdataset: stdlib\n{ONE}") == plain
    assert read_benchmark(value).configurations == plain.configurations


def test_without_a_baseline_the_first_of_several_is_it(folder):
    several = "configurations: [{name: é, search: lexical}, {name: 検索}]"
    assert read(folder, f"dataset: stdlib\n{several}").baseline == "é"


def test_a_folder_wins_over_a_shipped_name_and_a_model_is_found_beside_the_file(folder):
    (folder / "stdlib").mkdir()
    (folder / "models" / "mine").mkdir(parents=True)
    for name in ("model.onnx", "tokenizer.json"):
        (folder / "models" / "mine" / name).touch()
    named = "[{name: a, model: models/mine}, {name: b, model: 'ollama:y/z'}]"
    text = f"dataset: stdlib\nconfigurations: {named}"
    benchmark = read(folder, text)
    assert benchmark.dataset == str(folder / "stdlib")
    mine, other = (one.model for one in benchmark.configurations)
    assert (mine, other) == (str(folder / "models/mine"), "ollama:y/z")


REFUSED = [  # a file, and what its message names
    (ONE, "dataset: PATH"),
    (f"dataset: 7\n{ONE}", "dataset: PATH"),
    (f"dataset: data/querys.json\n{ONE}", '"queries.json"'),
    (f"dataset: {'x' * 5000}\n{ONE}", "line 1, dataset"),
    ("dataset: stdlib\n", "configurations: ["),
    ("dataset: stdlib\nconfigurations: []", "configurations: ["),
    ("dataset: stdlib\nconfigurations: {name: a}", "configurations: ["),
    ("dataset: stdlib\nconfigurations: true", "configurations: ["),
    ("dataset: stdlib\nconfigurations: [bm25]", "{name: bm25"),
    ("dataset: stdlib\nconfigurations: [{search: lexical}]", "line 2, configurations[0]"),
    (f"datset: x\ndataset: stdlib\n{ONE}", '"dataset"?'),
    (f"dataset: stdlib\ncorpus: []\n{ONE}", "line 2, corpus"),
    (f"dataset: stdlib\nmetrics: [recal@5]\n{ONE}", "recall@5"),
    (f"dataset: stdlib\nmetrics: [5]\n{ONE}", "line 2, metrics[0]"),
    (f"dataset: stdlib\nmetrics: {{}}\n{ONE}", "[ndcg@10"),
    (f"dataset: stdlib\nprimary: ndgc@10\n{ONE}", "ndcg@10"),
    (f"dataset: stdlib\nprimary: rbp_residual\n{ONE}", "line 2, primary"),
    (f"dataset: [a.json, b.json]\n{ONE}", "datasets: [a.json, b.json]"),
    (f"dataset: stdlib\nbaseline: bm52\n{ONE}", '"bm25"?'),
    (f"dataset: stdlib\nbaseline: 5\n{ONE}", "line 2, baseline"),
    (f"dataset: stdlib\nbudgets: 5\n{ONE}", "latency_p95_ms"),
    (f"dataset: stdlib\nbudgets: {{p95_ms: 5}}\n{ONE}", "latency_p95_ms"),
    (f"dataset: stdlib\nbudgets: {{errors: -1}}\n{ONE}", "line 2, budgets.errors"),
    (f"dataset: stdlib\nbudgets: {{files_per_secnd: 5}}\n{ONE}", '"files_per_second"?'),
    (f"dataset: stdlib\nbudgets: {{ndcg@10: 77}}\n{ONE}", "did you mean 0.77?"),
    (f"dataset: stdlib\nbudgets: {{ndcg@10: 77.5%}}\n{ONE}", "did you mean 0.775?"),
    (f"dataset: stdlib\nbudgets: {{ndcg@10: 770}}\n{ONE}", "from 0 to 1"),
    (f"dataset: stdlib\nbudgets: {{ndcg@10: -0.1}}\n{ONE}", "from 0 to 1"),
    (f"dataset: stdlib\nbudgets: {{ndcg@10: true}}\n{ONE}", "line 2, budgets.ndcg@10"),
    (f"dataset: stdlib\nbudgets: {{ndcg@10: high}}\n{ONE}", "line 2, budgets.ndcg@10"),
    (f"dataset: stdlib\nbudgets: {{ndcg@10: [0.6]}}\n{ONE}", "line 2, budgets.ndcg@10"),
    (f"dataset: stdlib\nbudgets: {{ndgc@10: 0.6}}\n{ONE}", '"ndcg@10"?'),
    (f"dataset: stdlib\nbudgets: {{ndcg: 0.6}}\n{ONE}", "Else add ndcg to"),
    (f"dataset: stdlib\nbudgets: {{quality: 0.6}}\n{ONE}", "a metric such as ndcg@10"),
    (f"dataset: stdlib\nbudgets: {{mrr@3: 0.6}}\n{ONE}", "add mrr@3 to `metrics`"),
    (f"dataset: stdlib\nbudgets: {{err@9: 0.6}}\n{ONE}", "hint: add err@9 to `metrics`"),
    (f"dataset: stdlib\nbudgets: {{ndcg@10: 0.6, nDCG@10: 0.5}}\n{ONE}", "one of the two"),
    (f"dataset: stdlib\nmargin: 2\n{ONE}", "line 2, margin"),
    (f"dataset: stdlib\nname: [a]\n{ONE}", "line 2, name"),
    (f"dataset: stdlib\nrace: 5\n{ONE}", "{alpha: 0.05}"),
    (f"dataset: stdlib\nrace: {{alpha: 0}}\n{ONE}", "line 2, race.alpha"),
    (f"dataset: stdlib\nrace: {{alpah: 0.1}}\n{ONE}", '"alpha"?'),
    (f"dataset: stdlib\nrace: {{first: 2.5}}\n{ONE}", "line 2, race.first"),
    (f"dataset: stdlib\nresume: true\n{ONE}", "FILE --resume"),
    (f"dataset: stdlib\nunit: x\n{ONE}", "line 2, unit"),
    (f"dataset: stdlib\nalpha: 0\n{ONE}", "line 2, alpha"),
    (f"dataset: stdlib\nship_if: good\n{ONE}", "noninferior"),
    (
        "dataset: stdlib\nconfigurations: "
        "[{name: a, search: lexical, lexical_unit: document, chunk_size: 64}]",
        "lexical_unit: chunk",
    ),
    (f"dataset: stdlib\nsuites: 5\n{ONE}", "suites: {small"),
    (f"dataset: stdlib\nmatrix: 5\n{ONE}", "matrix: {search"),
    ("dataset: stdlib\nsuite: quick", '"quick_test"?'),
]


def short(text):
    return text.removeprefix("dataset: stdlib\n").partition("\n")[0][:60]


@pytest.mark.parametrize(("text", "fact"), REFUSED, ids=short)
def test_each_mistake_gets_one_message(folder, snapshot, text, fact):
    with pytest.raises(ProblemsError) as refused:
        read(folder, text)
    (only,) = refused.value.problems
    assert fact in str(only)
    assert str(folder / "bench.yaml") in only.where
    snapshot(only)


def test_all_mistakes_are_told_at_once_with_their_places(folder):
    text = """
dataset: stdlib
metrics: [ndcg@10, recall@200]
configurations:
  - {name: a, search: lexical, model: minilm}
  - {name: a, chunk_size: [0, 2]}
"""
    with pytest.raises(ProblemsError) as refused:
        read(folder, text)
    places = [
        one.where.removeprefix(f"{folder / 'bench.yaml'}, ") for one in refused.value.problems
    ]
    assert places == [
        "line 5, configurations[0].model",  # two have its name
        "line 5, configurations[0].top_k",
        "line 6, configurations[1].name",
        "line 6, configurations[1].chunk_size[0]",
    ]


def test_a_name_that_stands_twice_is_refused(folder, snapshot):
    with pytest.raises(InputError, match='"a"') as refused:
        read(folder, "dataset: stdlib\nconfigurations: [{name: a}, {name: a, search: lexical}]")
    snapshot(refused.value)


@pytest.mark.parametrize("text", ["[1]", "5", "just words", "null"])
def test_a_file_without_keys_is_no_benchmark(folder, text):
    with pytest.raises(InputError, match="not a benchmark"):
        read(folder, text)


@pytest.mark.parametrize("text", ["a: [", "a: &x 1\nb: *x", "a: 1\na: 2", "\0"])
def test_broken_yaml_gets_a_message(folder, text):
    with pytest.raises(InputError):
        read(folder, text)


def test_a_missing_file_suggests_its_neighbour(folder):
    read(folder, f"dataset: stdlib\n{ONE}")
    with pytest.raises(InputError, match="no such file") as refused:
        read_benchmark(folder / "bensh.yaml")
    assert "bench.yaml" in refused.value.hint


def test_what_a_later_version_does_is_not_taken_for_a_key():
    assert not set(KEYS) & set(LATER)


ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner),
    max_leaves=5,
)


@given(st.dictionaries(st.sampled_from([*KEYS, *LATER, "odd"]), ANY, max_size=6))
@example({"configurations": True, "baseline": "a"})
@example({"budgets": {5: 1}, 7: 8})
@example({"configs": {}})
def test_any_mapping_is_read_or_refused(given):
    try:
        benchmark = read_benchmark({"dataset": "stdlib"} | given)
    except AssayError:
        return
    assert benchmark.configurations
    assert benchmark.metrics


def test_a_name_is_no_place(folder):
    """Also where a file of this name stands beside the benchmark."""
    text = "dataset: data/queries.json\nbaseline: data/queries.json\nconfigurations:\n"
    text += "  - {name: data/queries.json, search: lexical}\n  - {name: other}\n"
    benchmark = read(folder, text)

    assert [one.name for one in benchmark.configurations] == ["data/queries.json", "other"]
    assert benchmark.baseline == "data/queries.json"


QUESTION = {"query_key": "q", "query_text": "t"}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("questions.json", json.dumps({"name": "x", "corpus": "pages", "queries": [QUESTION]})),
        ("questions.yaml", f"queries:\n  - {json.dumps(QUESTION)}\n"),
        ("pairs.json", json.dumps({"query": "a", "relevant": ["a.md"]}) + "\n"),
    ],
)
def test_who_runs_a_dataset_is_told_how(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match="is a dataset") as refused:
        read_benchmark(tmp_path / name)
    assert f"assay run --dataset {tmp_path / name}" in refused.value.hint


@pytest.mark.parametrize(("said", "name"), [("name: help\n", "help"), ("", "bench")])
def test_another_dataset_leaves_the_name_and_without_a_file_gives_it(folder, said, name):
    text = f"{said}dataset: stdlib\n{ONE}"
    assert read(folder, text).name == name
    place = folder / "data" / "queries.json"
    assert read_benchmark(folder / "bench.yaml", dataset=place).name == name
    assert read_benchmark(dataset=place).name == "queries.json"


@pytest.mark.parametrize("form", [lambda place, text: place, lambda place, text: json.loads(text)])
def test_who_runs_a_report_is_told_what_it_is(tmp_path, form):
    place, text = tmp_path / "r.json", json.dumps({"benchmark": {"name": "x"}, "runs": []})
    place.write_text(text)
    with pytest.raises(InputError, match="is a report") as refused:
        read_benchmark(form(place, text))
    assert not isinstance(refused.value, ProblemsError)
    assert '"x"' in refused.value.hint


def test_what_is_neither_is_told_as_a_benchmark(folder):
    with pytest.raises(InputError, match='unknown key "querys"'):
        read(folder, "querys: [{query_key: q}]\n")


def test_nothing_unlike_is_suggested(folder):
    (folder / "two.yaml").touch()
    with pytest.raises(InputError, match="no such file") as refused:
        read_benchmark(folder / "nofile.yaml")
    assert refused.value.hint == "check the path"


def test_without_a_file_the_corpus_is_an_option(tmp_path):
    place = tmp_path / "questions.json"
    place.write_text(json.dumps({"queries": [QUESTION]}))
    with pytest.raises(InputError, match="no corpus") as refused:
        opened_benchmark(read_benchmark(dataset=place))
    assert "--corpus PATH" in refused.value.hint


@pytest.mark.parametrize(
    ("options", "place"),
    [
        ({"suite": "quick"}, "--suite"),
        ({"dataset": "no/such.json"}, "--dataset"),
        ({"corpus": "no/such/folder"}, "--corpus"),
        ({"dataset": "all", "corpus": "no/such/folder"}, "--corpus"),
    ],
)
def test_a_wrong_option_is_blamed_and_not_a_line_of_the_file(folder, options, place):
    (folder / "bench.yaml").write_text(f"dataset: stdlib\n{ONE}")
    with pytest.raises(ProblemsError) as refused:
        read_benchmark(folder / "bench.yaml", **options)
    assert {one.where for one in refused.value.problems} == {place}


def test_without_a_file_each_mistake_is_one_of_an_option():
    with pytest.raises(ProblemsError) as refused:
        read_benchmark(dataset="no/such.json", corpus="no/such/folder", model="statik")
    places = [one.where for one in refused.value.problems]
    assert sorted(places) == ["--corpus", "--dataset", "--model"]


def test_what_the_file_says_beside_an_option_is_still_blamed_on_its_line(folder):
    (folder / "bench.yaml").write_text(f"dataset: stdlib\nmargin: 7\n{ONE}")
    with pytest.raises(ProblemsError, match="line 2, margin"):
        read_benchmark(folder / "bench.yaml", suite="quick_test")


SEVERAL = "datasets:\n  - {dataset: stdlib, corpus: stdlib}\n  - {dataset: short-queries"


def test_a_corpus_of_several_datasets_is_blamed_where_it_stands(folder):
    with pytest.raises(ProblemsError) as refused:
        read(folder, f"corpus: nowhere\n{SEVERAL}}}\n{ONE}")
    (only,) = refused.value.problems
    assert only.where.endswith("line 1, corpus")


def test_a_corpus_that_no_dataset_needs_is_refused(folder, snapshot):
    with pytest.raises(ProblemsError) as refused:
        read(folder, f"corpus: stdlib\n{SEVERAL}, corpus: stdlib}}\n{ONE}")
    (only,) = refused.value.problems
    snapshot(only.problem)


@pytest.mark.parametrize(
    ("given", "place"),
    [
        ({"configurations": [{"name": "a", 1: 2}]}, 'configuration "a", 1'),
        ({"matrix": {1: 2}}, "matrix.1"),
        ({"matrix": {1: 2}, "configurations": [{"name": "a"}]}, "matrix.1"),
        ({"suites": {1: [{"name": "a"}]}}, "suites.1"),
        ({"suites": {"s": [{"name": "a", 1: 2}]}}, 'suite "s", configuration "a", 1'),
        ({"config_matrix": {1: 2}}, "config_matrix.1"),
    ],
)
def test_keys_that_are_no_text_are_named(given, place):
    """No file can have them; a mapping in a program can."""
    with pytest.raises(ProblemsError) as refused:
        read_benchmark({"dataset": "stdlib", **given})
    assert refused.value.problems[0].where == f"benchmark, {place}"


PLAIN = {"dataset": "stdlib", "configurations": [{"name": "bm25", "search": "lexical"}]}


def outcome(given):
    """Return what is read, or what is said of it."""
    try:
        return read_benchmark(given)
    except InputError as error:
        return str(error)


@pytest.mark.parametrize("key", KEYS)
def test_a_key_that_is_null_is_left_out(key):
    absent = {name: value for name, value in PLAIN.items() if name != key}
    assert outcome(absent | {key: None}) == outcome(absent)


@pytest.mark.parametrize(
    ("key", "value", "rest"),
    [
        ("budgets", {"errors": 0, "latency_p95_ms": None}, {"errors": 0}),
        ("budgets", {"errors": 0, "ndcg@10": None}, {"errors": 0}),
        ("race", {"first": 30, "alpha": None}, {"first": 30}),
        ("race", {"alpha": 0.1, "first": None}, {"alpha": 0.1}),
        ("dataset", {"path": "stdlib", "binary": None}, {"path": "stdlib"}),
        ("dataset", {"path": "stdlib", "subtopics": None}, {"path": "stdlib"}),
    ],
)
def test_a_key_within_a_key_that_is_null_is_left_out(key, value, rest):
    assert read_benchmark(PLAIN | {key: value}) == read_benchmark(PLAIN | {key: rest})


@pytest.mark.parametrize("limit", [float("inf"), float("nan"), -1, "5", True, [5]])
@pytest.mark.parametrize("name", ["index_bytes", "files_per_second", "ndcg@10"])
def test_a_limit_is_a_finite_number_in_mappings_too(name, limit):
    with pytest.raises(ProblemsError, match="expected a number"):
        read_benchmark(PLAIN | {"budgets": {name: limit}})


def test_budgets_are_costs_rates_and_metrics_by_their_names():
    told = {"metrics": ["ndcg@10", "mrr", "judged@10"]}
    told["budgets"] = {"latency_p95_ms": 50, "files_per_second": 10, "nDCG@10": 0.6, "RR": 1}
    read = read_benchmark(PLAIN | told)
    assert read.budgets == {
        "latency_p95_ms": 50,
        "files_per_second": 10,
        "ndcg@10": 0.6,  # by the name that reports have
        "mrr": 1,
    }
    primary = read_benchmark(PLAIN | {"metrics": ["mrr"], "primary": "ap", "budgets": {"ap": 0}})
    assert primary.budgets == {"ap": 0}


@pytest.mark.parametrize("wrong", [{"margn": None}, {"budgets": {"latency": None}}])
def test_an_unknown_key_is_refused_though_it_is_null(wrong):
    with pytest.raises(ProblemsError, match=r"margn|latency"):
        read_benchmark(PLAIN | wrong)

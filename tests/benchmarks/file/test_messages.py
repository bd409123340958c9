"""Forty broken files: each problem names its place, and reads as a sentence with its subject."""

import re

import pytest

from assay.benchmarks.file.read_benchmark import read_benchmark
from assay.errors import InputError, ProblemsError

START = "dataset: stdlib\n"
ONE = "configurations: [{name: a}]\n"
BROKEN = {  # a file, and the places of its problems
    "no dataset": (ONE, ["line 1, dataset"]),
    "no configurations": (START, ["line 1, configurations"]),
    "empty list": (f"{START}configurations: []\n", ["line 2, configurations"]),
    "a mapping for a list": (f"{START}configurations: {{name: a}}\n", ["line 2, configurations"]),
    "keys": (f"{START}metric: [mrr]\nbaselin: a\n{ONE}", ["line 2, metric", "line 3, baselin"]),
    "criteria": (
        f"{START}margin: two\nalpha: 7\nship_if: maybe\nunjudged: drop\nmatch_weights: 3\n{ONE}",
        [f"line {at}, {key}" for at, key in enumerate(("margin", "alpha", "ship_if"), 2)]
        + ["line 5, unjudged", "line 6, match_weights"],
    ),
    "metrics": (
        f"{START}metrics: [ndgc@10, 5]\nprimary: latency\n{ONE}",
        ["line 2, metrics[0]", "line 2, metrics[1]", "line 3, primary"],
    ),
    "metrics as a number": (f"{START}metrics: 5\n{ONE}", ["line 2, metrics"]),
    "a primary that is better when lower": (
        f"{START}primary: rbp_residual\n{ONE}",
        ["line 2, primary"],
    ),
    "names": (
        f"{START}configurations:\n  - {{name: a, search: lexical}}\n  - {{name: a}}\n"
        "  - {search: dense}\n  - words\n",
        [
            "line 4, configurations[1].name",
            "line 5, configurations[2]",
            "line 6, configurations[3]",
        ],
    ),
    "settings": (
        f"{START}configurations:\n  - {{name: a, serach: dense, top_k: 0}}\n"
        "  - {name: b, fusion: foo, chunk_size: [], overlap: [8, 8]}\n",
        [
            'line 3, configuration "a", serach',
            'line 3, configuration "a", top_k',
            'line 4, configuration "b", fusion',
            'line 4, configuration "b", chunk_size',
            'line 4, configuration "b", overlap',
        ],
    ),
    "settings without effect": (
        f"{START}configurations:\n  - {{name: a, search: lexical, model: minilm}}\n"
        "  - {name: b, search: dense, weights: [1, 2]}\n",
        ['line 3, configuration "a", model', 'line 4, configuration "b", weights'],
    ),
    "nested settings": (
        f"{START}configurations:\n  - {{name: c, search: dense, mmr: {{lambda: 5, foo: 2}}}}\n",
        ['line 3, configuration "c", mmr.lambda', 'line 3, configuration "c", mmr.foo'],
    ),
    "models": (
        f"{START}configurations:\n  - {{name: a, model: gpt}}\n  - {{name: b, model: openai}}\n"
        "  - {name: c, model: ./here}\n",
        [f'line {at}, configuration "{name}", model' for at, name in enumerate("abc", 3)],
    ),
    "lists": (
        f"{START}configurations:\n  - {{name: a, chunk_size: [0, 64], model: [static, gpt]}}\n",
        ['line 3, configuration "a", chunk_size[0]', 'line 3, configuration "a", model[1]'],
    ),
    "combinations": (
        f"{START}metrics: [ndcg@20]\nconfigurations:\n  - {{name: a, top_k: [5, 50]}}\n",
        ['line 4, configuration "a", top_k'],
    ),
    "systems": (
        f"{START}configurations:\n  - {{name: a, system: {{kind: elastic}}}}\n"
        "  - {name: b, system: {kind: http}}\n",
        ['line 3, configuration "a", system.kind', 'line 4, configuration "b", system.url'],
    ),
    "a missing dataset": (f"dataset: nowhere.json\n{ONE}", ["line 1, dataset"]),
    "a missing corpus": (f"{START}corpus: nowhere\n{ONE}", ["line 2, corpus"]),
    "a corpus as a number": (f"{START}corpus: 5\n{ONE}", ["line 2, corpus"]),
    "several datasets as one": (f"dataset: [a.json, b.json]\n{ONE}", ["line 1, dataset"]),
    "a dataset with keys": (
        f"dataset: {{path: stdlib, binry: true, subtopics: 5}}\n{ONE}",
        ["line 1, dataset.binry", "line 1, dataset.subtopics"],
    ),
    "datasets": (
        f"datasets:\n  - {{dataset: stdlib, corpos: a}}\n  - 5\n  - stdlib\n{ONE}",
        ["line 2, datasets[0].corpos", "line 3, datasets[1]", "line 4, datasets[2]"],
    ),
    "dataset and datasets": (f"{START}datasets: [short-queries]\n{ONE}", ["line 2, datasets"]),
    "a suite and configurations": (f"{START}suite: quick_test\n{ONE}", ["line 2, suite"]),
    "an unknown suite": (f"{START}suite: quick\n", ["line 2, suite"]),
    "no suite selected": (
        f"{START}suites: {{s: [{{name: a}}], t: [{{name: b}}]}}\n",
        ["line 2, suites"],
    ),
    "within a suite": (
        f"{START}suites:\n  s: [{{name: q, fooo: 1}}, {{nme: b}}]\n",
        [
            'line 3, suite "s", configuration "q", fooo',
            "line 3, suites.s[1]",
            "line 3, suites.s[1].nme",
        ],
    ),
    "suites as a number": (f"{START}suites: 5\n", ["line 2, suites"]),
    "matrix as a number": (f"{START}matrix: 5\n{ONE}", ["line 2, matrix"]),
    "a matrix that nobody uses": (
        f"{START}matrix: {{search: dense}}\nconfigurations: [{{name: a, search: lexical}}]\n",
        ["line 2, matrix.search"],
    ),
    "a name in the matrix": (f"{START}matrix: {{name: x, top_k: 20}}\n", ["line 2, matrix.name"]),
    "too many combinations": (
        f"{START}matrix: {{chunk_size: {[*range(64, 264)]}, depth: {[*range(100, 300)]}}}\n",
        ["line 2, matrix"],
    ),
    "an unknown baseline": (f"{START}baseline: c\n{ONE}", ["line 2, baseline"]),
    "a baseline of several": (
        f"{START}baseline: a\nconfigurations: [{{name: a, search: [lexical, dense]}}]\n",
        ["line 2, baseline"],
    ),
    "budgets": (
        f"{START}budgets: {{latency_p95: 5, errors: -3}}\n{ONE}",
        ["line 2, budgets.latency_p95", "line 2, budgets.errors"],
    ),
    "race": (
        f"{START}race: {{alpha: 3, fist: 3, first: 0}}\n{ONE}",
        ["line 2, race.alpha", "line 2, race.fist", "line 2, race.first"],
    ),
    "another program's matrix": (
        f"{START}config_matrix: {{search_modes: [foo], use_reranker: [1], foo: 3}}\n",
        [f"line 2, config_matrix.{key}" for key in ("foo", "search_modes", "use_reranker")],
    ),
    "another program's configurations": (
        f"{START}configs:\n  - {{name: a, embedding_model: gpt-9, use_reranker: 5}}\n",
        ['line 3, configuration "a", embedding_model', 'line 3, configuration "a", use_reranker'],
    ),
    "options as keys": (
        f"{START}resume: true\ntapes: off\nunit: page\n{ONE}",
        ["line 2, resume", "line 3, tapes", "line 4, unit"],
    ),
}
# Words that a sentence without its subject begins with.
SUBJECTLESS = re.compile(
    r"(is|are|has|have|holds|names|cannot|can|must|needs|does|says|stands|changes)\b"
)


def problems(folder, text):
    place = folder / "bench.yaml"
    place.write_text(text)
    with pytest.raises(ProblemsError) as refused:
        read_benchmark(place)
    return refused.value.problems


@pytest.mark.parametrize(("text", "places"), BROKEN.values(), ids=BROKEN)
def test_each_problem_names_its_place_and_has_a_subject(tmp_path, text, places):
    found = problems(tmp_path, text)
    assert [one.where.removeprefix(f"{tmp_path / 'bench.yaml'}, ") for one in found] == places
    for one in found:
        assert not SUBJECTLESS.match(one.problem)
        assert one.hint


def test_forty_are_tried():
    assert len(BROKEN) >= 40


@pytest.mark.parametrize("text", ["[1]", "5", "a: [", f"{START}{START}", ""])
def test_what_is_not_even_a_mapping_names_the_file(tmp_path, text):
    place = tmp_path / "bench.yaml"
    place.write_text(text)
    with pytest.raises(InputError) as refused:
        read_benchmark(place)
    assert refused.value.where.startswith(str(place))
    assert refused.value.hint


def test_two_keys_with_one_meaning_are_one_problem_that_names_both_lines(tmp_path):
    (only,) = problems(tmp_path, f"{START}suites: {{s: [{{name: a}}]}}\nconfigs: {{t: []}}\n")
    assert only.where.endswith("line 3, configs")
    assert "suites in line 2" in only.problem


def test_a_configuration_that_shares_its_name_is_called_by_its_number(tmp_path):
    text = f"{START}configurations:\n  - {{name: a, top_k: 0}}\n  - {{name: a, depth: 0}}\n"
    places = [one.where.rpartition(", ")[2] for one in problems(tmp_path, text)]
    assert places == [
        "configurations[0].top_k",
        "configurations[1].name",
        "configurations[1].depth",
    ]

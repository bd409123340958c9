"""Each suite that comes along runs offline, and every setting in it takes effect."""

from contextlib import closing
from pathlib import Path

import pytest

from assay import catalogue
from assay.benchmarks import suites
from assay.benchmarks.file.matrix import distinct
from assay.benchmarks.file.read_benchmark import read_benchmark
from assay.corpora.open_corpus import open_corpus
from assay.errors import ProblemsError
from assay.searches.build import build
from assay.searches.configuration.configuration import describe
from assay.searches.open_models import OpenModels

NAMES = catalogue.names(suites)
LONG = pytest.mark.long  # these embed with a model that takes a second for a page
OFFLINE = {"minilm", "static", None}
# Long enough that chunks of 512 tokens are not the whole of it, and both code and prose.
CODE = "\n\n".join(
    f"def part_{at}(given):\n    '''Take part {at} of what is given.'''\n"
    f"    found = [one for one in given if one > {at}]\n    return sum(found) / {at + 1}"
    for at in range(24)
)
PROSE = "\n\n".join(
    f"# Chapter {at}\n\nThe boat number {at} left early. It came back late, with {at} fish."
    for at in range(24)
)


def cells(name):
    return read_benchmark(dataset="stdlib", suite=name)


def test_they_are_those_of_akashic():
    theirs = ["quick_test", "chunk_comparison", "embedding_comparison", "reranker_study"]
    assert sorted([*theirs, "comprehensive", "speed_quality"]) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_no_cell_is_another_by_a_second_name(name):
    benchmark = cells(name)
    assert len(distinct(benchmark.configurations)) == benchmark.cells > 1
    assert benchmark.merged == ()


@pytest.mark.parametrize("name", NAMES)
def test_all_models_come_along(name):
    for one in cells(name).configurations:
        assert one.model in OFFLINE
        assert one.rerank in (None, "maxsim")
        assert one.system is None


def test_the_comprehensive_one_has_twelve():
    assert cells("comprehensive").cells == 12


@pytest.mark.parametrize("name", NAMES)
def test_each_setting_that_is_given_shows_in_what_is_told(name):
    """Also one that is the default: nothing stands in a suite that does nothing."""
    for given in catalogue.find(suites, name)():
        for setting, value in given.items():
            values = value if isinstance(value, list) else [value]
            for one in (one for one in values if setting != "name" and one is not None):
                alone = {**given, setting: one}
                told = [describe(c) for c in _read(alone)]
                assert all(each[setting] == one for each in told), (name, setting)


def _read(given):
    return read_benchmark({"dataset": "stdlib", "configurations": [given]}).configurations


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("corpus")
    (folder / "parts.py").write_text(CODE)
    (folder / "boats.md").write_text(PROSE)
    return folder


@pytest.fixture(scope="module")
def built(corpus, cache, tmp_path_factory):
    """Build a configuration, and tell by which fingerprint it goes."""
    known, vectors = {}, tmp_path_factory.mktemp("vectors") / "vectors.sqlite"

    def fingerprint(one):
        key = str(describe(one))
        if key not in known:
            folder = Path(tmp_path_factory.mktemp("index"))
            models = OpenModels(cache)
            made = build(open_corpus(corpus), one, folder=folder, models=models, vectors=vectors)
            with closing(made):
                known[key] = made.fingerprint
        return known[key]

    return fingerprint


@pytest.mark.parametrize(
    "name", [name if name == "quick_test" else pytest.param(name, marks=LONG) for name in NAMES]
)
def test_every_cell_builds_something_else(name, built):
    chosen = cells(name).configurations
    assert len({built(one) for one in chosen}) == len(chosen)


def test_a_suite_of_the_file_wins_over_one_that_comes_along():
    own = {"quick_test": [{"name": "mine", "search": "lexical"}]}
    benchmark = read_benchmark({"dataset": "stdlib", "suites": own, "suite": "quick_test"})
    assert [one.name for one in benchmark.configurations] == ["mine"]


def test_a_file_may_name_a_suite_or_have_one_chosen_for_it():
    named = read_benchmark({"dataset": "stdlib", "suite": "speed_quality"})
    assert named.configurations[0].name == named.baseline == "bm25"
    given = {"dataset": "stdlib", "configurations": [{"name": "a"}, {"name": "b", "top_k": 10}]}
    chosen = read_benchmark(given | {"baseline": "b"}, suite="quick_test")
    assert chosen.baseline == "bm25"


def test_a_suite_and_configurations_are_one_too_many(snapshot):
    given = {"dataset": "stdlib", "suite": "quick_test", "configurations": [{"name": "a"}]}
    with pytest.raises(ProblemsError) as caught:
        read_benchmark(given)
    snapshot(caught.value)


def test_a_matrix_applies_to_a_suite_too():
    matrix = {"chunk_size": [64, 128]}
    benchmark = read_benchmark({"dataset": "stdlib", "suite": "quick_test", "matrix": matrix})
    assert benchmark.cells == 4

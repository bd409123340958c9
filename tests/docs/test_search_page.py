"""docs/search.md says of every setting what the program does."""

import inspect
import re
from dataclasses import fields
from pathlib import Path

import pytest

from assay import catalogue
from assay.benchmarks.file.read_benchmark import read_benchmark
from assay.corpora import chunkers
from assay.engines import fusions, lexical
from assay.engines.dense.hnsw import hnsw
from assay.engines.lexical._fields import CODE_WEIGHTS, FIELDS, WEIGHTS
from assay.records import Answer, Configuration, Hit, Loss
from assay.reports.searches.json import json as search_json
from assay.searches.configuration.settings import SETTINGS

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "search.md").read_text()
# Those without a value of their own; the page says in words what holds then.
LATER = [field.name for field in fields(Configuration) if field.default is None]
CHUNKING = {"chunk_size", "overlap", "min_chunk", "merge_below", "greedy"}


def section(title):
    return TEXT.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def row_of(name, title):
    line = re.search(rf"^\| `{name}` \|.*$", section(title), re.MULTILINE)
    assert line, f"{name} is not in the table of {title}"
    return line[0]


@pytest.mark.parametrize("name", SETTINGS)
def test_each_setting_has_its_default(name):
    (default,) = [field.default for field in fields(Configuration) if field.name == name]
    shown = str(default).lower() if isinstance(default, bool) else str(default)

    assert name in LATER or row_of(name, "Settings").split("|")[2].strip() == shown


@pytest.mark.parametrize("name", ["m", "ef_construction"])
def test_the_defaults_of_a_graph_are_those_of_its_function(name):
    (default,) = [inspect.signature(hnsw).parameters[name].default]
    assert row_of(name, "Settings").split("|")[2].strip() == f"{default} with `hnsw`"
    assert re.search(rf"`{name}`: [a-z ]+ \({default}\)", row_of("hnsw", "Near vectors"))


@pytest.mark.parametrize("name", LATER)
def test_settings_without_a_default_are_there(name):
    (default,) = [field.default for field in fields(Configuration) if field.name == name]

    assert default is None
    assert row_of(name, "Settings")


@pytest.mark.parametrize("name", SETTINGS)
def test_each_name_that_a_setting_takes_is_there(name):
    named = [] if SETTINGS[name].opens else SETTINGS[name].names()
    row = row_of(name, "Settings")

    assert "see [" in row or all(f"`{one}`" in row for one in named)


@pytest.mark.parametrize("name", catalogue.files(fusions))
def test_each_fusion_has_its_weights(name):
    own = inspect.signature(catalogue.find(fusions, name)).parameters["weights"].default
    shown = ", ".join(f"{weight:g}" for weight in own or (1, 1))

    assert row_of(name, "One ranking of two").split("|")[-2].strip() == shown


@pytest.mark.parametrize("name", catalogue.files(chunkers))
def test_each_chunker_has_its_settings(name):
    has = set(inspect.signature(catalogue.find(chunkers, name)).parameters) & set(SETTINGS)
    told = row_of(name, "Chunks").split("|")[-2]
    named = set(re.findall(r"`(\w+)`", told))

    assert named == has or (told.strip() == "all of them" and has == CHUNKING)


def test_the_weights_of_fields():
    rows = [line for line in TEXT.splitlines() if line.startswith("| weights: ")]
    prose, code = (", ".join(f"{w[field]:g}" for field in FIELDS) for w in (WEIGHTS, CODE_WEIGHTS))

    assert rows == [f"| weights: {', '.join(FIELDS)} | {prose} | {code} |"]


@pytest.mark.parametrize("name", catalogue.files(lexical))
def test_how_many_words_of_code_are_searched(name):
    most = inspect.signature(catalogue.find(lexical, name)).parameters["code_terms"].default

    assert f"| the {most} rarest, each once" in section("Words")


def test_each_key_of_an_answer_is_there():
    hit = Hit(1, "a", "a", (1, 1), (), 1.0)
    answer = search_json(Answer("q", (hit,), loss=Loss("cut", "too low")))

    for key in (*answer, *answer["hits"][0]):
        assert f"`{key}`" in section("Search"), key


def test_the_example_of_a_benchmark_can_be_read():
    benchmark = read_benchmark(ROOT / "examples" / "handbook" / "benchmark.yaml")

    assert [one.name for one in benchmark.configurations] == ["bm25", "dense", "hybrid"]

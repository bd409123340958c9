"""docs/benchmarks.md says of every key, suite and option what the program does."""

import re
from dataclasses import fields
from pathlib import Path

import pytest
import yaml

from assay import catalogue
from assay.benchmarks import suites
from assay.benchmarks.comparisons.recommend import recommend_runs
from assay.benchmarks.file import read_benchmark
from assay.benchmarks.file.akashic import ALIASES
from assay.benchmarks.file.akashic import KEYS as AKASHIC
from assay.benchmarks.file.criteria import SHIP_IF
from assay.benchmarks.file.matrix import MOST_CELLS
from assay.benchmarks.file.problems import MOST_LISTED
from assay.benchmarks.file.semantik import KEYS as SEMANTIK
from assay.benchmarks.work.route import LIGHT
from assay.cli.commands.run import run as command
from assay.datasets.load import FAMILIES
from assay.records import Benchmark, Report, Run
from assay.records.costs import COSTS
from assay.records.plan import Plan
from assay.reports.plan.json import json as plan_json
from assay.reports.runs.json.json import json
from assay.searches.configuration.settings import SEARCHES

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "benchmarks.md").read_text()


def section(title):
    part = TEXT.partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    assert part, f"there is no section {title}"
    return part


def rows(title):
    found = re.findall(r"^\| `(\w+)` \| (.*?) \| (.*) \|$", section(title), re.MULTILINE)
    return {name: (second, third) for name, second, third in found}


def test_each_key_of_a_file_has_its_row_in_order():
    assert [*rows("The file")] == read_benchmark.KEYS


@pytest.mark.parametrize("key", ["margin", "alpha", "ship_if", "unjudged"])
def test_defaults_of_keys_are_those_of_the_record(key):
    (default,) = [one.default for one in fields(Benchmark) if one.name == key]

    assert rows("The file")[key][0].strip("`") == str(default)


@pytest.mark.parametrize("word", [*COSTS, *read_benchmark.LATER, *SHIP_IF])
def test_budgets_rules_and_refused_words_are_there(word):
    assert f"`{word}`" in section("The file")


def test_suites_are_those_that_come_along():
    told = {}
    for name in catalogue.files(suites):
        read = read_benchmark.read_benchmark({"dataset": "stdlib", "suite": name})
        about = catalogue.find(suites, name).__doc__.partition("\n")[0]
        told[name] = (str(read.cells), about.rstrip("."))

    assert rows("Suites") == told


def test_the_most_cells_are_told():
    told = section("Lists, and what they come to")

    assert f"{MOST_CELLS:,} cells and {MOST_LISTED:,} distinct" in told


@pytest.mark.parametrize("name", FAMILIES)
def test_each_family_of_all_datasets_is_named(name):
    assert name in section("Several datasets")


@pytest.mark.parametrize("key", [*AKASHIC, *SEMANTIK, *read_benchmark.OF_SEMANTIK])
def test_each_setting_of_other_programs_is_there(key):
    assert f"`{key}" in section("Files of Akashic, Semantik and sia-code")


def test_words_of_other_programs_are_translated_as_told():
    told = section("Files of Akashic, Semantik and sia-code")

    assert [ALIASES[name] for name in ("all-minilm-l6-v2", "wordllama")] == ["minilm", "static"]
    assert {SEARCHES[name] for name in ("semantic", "vector")} == {"dense"}
    assert {SEARCHES[name] for name in ("sparse", "keyword", "bm25")} == {"lexical"}
    for word in SEARCHES:
        assert f"`{word}`" in told, word


def test_each_option_of_the_command_is_there():
    told = section("Run, stop, go on")
    options = [one.opts[0] for one in command.params if one.param_type_name == "option"]

    assert len(options) > 15
    for option in options:
        assert f"`{option}" in told, option


def test_stages_without_a_tape_are_named():
    named = re.search(r"`diversify`; (.*?) cost", section("What is recorded, and used again"))

    assert re.findall(r"`(\w+)`", named[1]) == [*LIGHT]


def test_recommendations_are_those_that_are_made():
    made = recommend_runs([Run("a", "f", {}, scores={"ndcg@10": 0.5})], primary="ndcg@10")
    told = re.findall(r"^\| `(\w+)` \|", section("Verdicts, recommendations, the winner"), re.M)

    assert told == [*made]


def test_each_key_of_the_report_is_there():
    report = json(Report({}, {}, {}, {}, (Run("a", "f", {}),)))
    told = section("The report")

    for key in (*report, *report["runs"][0]):
        assert f"`{key}`" in told, key


def test_each_key_of_a_plan_is_there():
    told = section("Lists, and what they come to")

    for key in plan_json(Plan("a", 0, (), (), (), (), 0, 3)):
        assert f"`{key}`" in told, key


def test_the_swept_example_is_the_one_that_is_shown():
    shown = re.search(r"```yaml\n(.*?)```", section("Lists, and what they come to"), re.DOTALL)[1]
    example = ROOT / "examples" / "handbook" / "sweep.yaml"

    assert yaml.safe_load(shown) == yaml.safe_load(example.read_text())

"""docs/analysis.md has each key of the analysis, as the program gives it."""

import re
from pathlib import Path

import pytest

from assay import catalogue
from assay.benchmarks import analysis
from assay.benchmarks.analysis.analyse import analyse
from assay.benchmarks.analysis.load import load
from assay.records import Report, Run
from assay.reports.analysis.waterfall import ADVICE
from assay.searches.configuration.nested_settings import PRICES

TEXT = (Path(__file__).parents[2] / "docs" / "analysis.md").read_text()
QUESTIONS = [name for name in catalogue.files(analysis) if name != "analyse"]
RUNS = ("words", "deep", "both", "near", "every")
OF_QUERY = {"difficulty": "hard", "cluster": "a, b", "file_types": ["md"]}
CATEGORIES = ("prose", "code")


def _run(at, name):
    """Make a run that differs from the first in one number, or in its kind of search."""
    queries = [f"q{number}" for number in range(8)]
    search = {"search": "hybrid" if name == "both" else "lexical", "depth": 100 + 50 * (at == 1)}
    if name in ("near", "every"):
        search |= {"search": "dense", "dense": "hnsw" if name == "near" else "exact"}
    scores = {query: (number + at % 3) % 5 / 5 for number, query in enumerate(queries)}
    return Run(
        name,
        name,
        search,
        scores={"ndcg@10": sum(scores.values()) / len(scores)},
        per_query={query: {"ndcg@10": score} for query, score in scores.items()},
        latency_ms={"p50": 2.0, "p95": 3.0, "queries": dict.fromkeys(queries, 2.0)}
        | {"cpu": {"mean": 0.5, "cores": 0.25}, "busy": False},
        storage={"index_bytes": 1000},
        indexing={"dense_recall": {"mean": 0.9, "worst": 0.5, "queries": 8, "k": 10}}
        | {"dense_index": {"kind": "hnsw", "m": 32, "ef_search": 64}}
        if name == "near"
        else {},
        rankings={query: ("a.md",) for query in queries},
        reading={query: {"opened": 1, "tokens": 9} for query in queries},
    )


@pytest.fixture(scope="module")
def report():
    known = {
        f"q{number}": {**OF_QUERY, "predicted": number / 7, "leaked": not number}
        | {"judged": {"a.md": 1}, "category": CATEGORIES[number % 2]}
        | {"breakdowns": {"language": ["de"]}}
        for number in range(8)
    }
    benchmark = {"name": "b", "primary": "ndcg@10", "baseline": "words"}
    benchmark["breakdowns"] = ["language"]
    benchmark["prices"] = {"words": {"per_hour": 0.1, "per_million_tokens": 0.02}}
    runs = tuple(_run(at, name) for at, name in enumerate(RUNS))
    return Report(benchmark, {}, {}, {"cores": 2}, runs, queries=known)


def keys_of(value, names=()):
    """Collect keys of all levels, but for those that are names of runs, metrics and settings."""
    if isinstance(value, dict):
        mine = {key for key in value if key not in names}
        return mine.union(*(keys_of(one, names) for one in value.values()))
    if isinstance(value, list):
        return set().union(*(keys_of(one, names) for one in value))
    return set()


def told_of(question):
    row = re.search(rf"^\| `{question}` \| .*? \| (.*) \|$", TEXT, re.MULTILINE)
    assert row, f"{question} has no row"
    return set(re.findall(r"`(\w+)`", row[1]))


def test_questions_are_those_of_the_program():
    table = TEXT.partition("\n## Where it stands\n")[2].partition("\n## ")[0]

    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == QUESTIONS


@pytest.mark.parametrize("question", QUESTIONS)
def test_keys_are_those_of_the_program(question, report):
    found = analyse(report)[question]
    if question == "load":
        found = load(report, seed=0, loads=[10.0], price=0.04)
    assert found, "the report of this test has nothing to tell of it"

    names = {
        *RUNS,
        "ndcg@10",
        "search",
        "kind",
        "m",
        "categories",
        "language",
        *CATEGORIES,
        *PRICES,
    }
    assert keys_of(found, names) == told_of(question)


@pytest.mark.parametrize("stage", ADVICE)
def test_each_part_of_a_waterfall_is_there(stage):
    table = TEXT.partition("\n## The waterfall\n")[2].partition("\n## ")[0]

    assert f"`{stage}`" in table


def test_prices_are_those_of_the_program():
    table = TEXT.partition("\n### Prices\n")[2].partition("\n## ")[0]
    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == [*PRICES]

"""The shipped test set is whole, and it fits the Python that runs it."""

import ast
import json
import platform
import re
import sys
import sysconfig
from collections import Counter
from functools import cache
from itertools import combinations
from pathlib import Path

import pytest

import assay
from assay.corpora.open_corpus import open_corpus
from assay.workflows.audit import audit
from assay.workflows.resolve import resolve

SHIPPED = Path(assay.__file__).parent / "datasets" / "shipped" / "stdlib.json"
STDLIB = Path(sysconfig.get_path("stdlib"))
DATASET = json.loads(SHIPPED.read_text(encoding="utf-8"))
QUERIES = DATASET["queries"]
CATEGORIES = {"function", "concept", "error", "pattern", "api"}

checked_versions = pytest.mark.skipif(
    not (3, 11) <= sys.version_info[:2] <= (3, 14),
    reason="paths and symbols were checked on Python 3.11 to 3.14",
)


def judgments():
    return [(query, judgment) for query in QUERIES for judgment in query["relevant_docs"]]


def path_of(judgment):
    return judgment["doc_ref"]["path"]


def groups(query):
    """Either answer is right: judgments of one group, and each other judgment by itself."""
    parts = {}
    for number, judgment in enumerate(query["relevant_docs"]):
        parts.setdefault(judgment.get("group", number), []).append(judgment)
    return parts


def corpus():
    documents = open_corpus(DATASET["metadata"]["corpus"]).documents(texts=False, hashes=False)
    return {document.path: STDLIB / document.path for document in documents}


@cache
def source(path):
    return (STDLIB / path).read_text(encoding="utf-8")


@cache
def definitions(path):
    """Dotted name -> the lines that define it; a name can be defined more than once."""
    found = {}
    collect(ast.parse(source(path)).body, "", found)
    return found


def collect(body, prefix, found):
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.setdefault(prefix + node.name, []).append(node.lineno)
            collect(node.body, f"{prefix}{node.name}.", found)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                if isinstance(target, ast.Name):
                    found.setdefault(prefix + target.id, []).append(node.lineno)
        else:
            for field in ("body", "orelse", "finalbody", "handlers"):
                collect(getattr(node, field, []), prefix, found)


def is_there(judgment):
    path = path_of(judgment)
    symbol = judgment["doc_ref"].get("symbol")
    return (STDLIB / path).is_file() and (symbol is None or symbol in definitions(path))


def words(text):
    return re.findall(r"\w+", text.lower())


def runs(tokens, length):
    return set(zip(*(tokens[start:] for start in range(length)), strict=False))


def test_it_is_large_enough_in_every_category():
    counts = Counter(query["category"] for query in QUERIES)
    assert len(QUERIES) >= 75
    assert set(counts) == CATEGORIES
    assert min(counts.values()) >= 15
    assert len(judgments()) >= 400


def test_the_description_counts_right():
    description = DATASET["metadata"]["description"]
    assert description.startswith(f"{len(QUERIES)} queries")
    assert f"{len(judgments())} judgments" in description


def test_keys_are_unique_and_name_their_category():
    keys = [query["query_key"] for query in QUERIES]
    assert len(set(keys)) == len(keys)
    for query in QUERIES:
        assert query["query_key"].rpartition("-")[0] == query["category"]
        assert query["difficulty"] in {"easy", "medium", "hard"}


def test_every_query_has_an_answer_and_a_trap():
    assert {judgment["relevance_grade"] for _, judgment in judgments()} == {0, 1, 2, 3}
    for query in QUERIES:
        grades = {judgment["relevance_grade"] for judgment in query["relevant_docs"]}
        assert {0, 3} <= grades, query["query_key"]


def test_a_file_is_judged_once_per_query_and_with_a_reason():
    for query in QUERIES:
        paths = [path_of(judgment) for judgment in query["relevant_docs"]]
        assert len(set(paths)) == len(paths), query["query_key"]
    for query, judgment in judgments():
        assert len(words(judgment["because"]["reason"])) >= 4, (query["query_key"], judgment)


def test_a_group_has_several_members_of_one_grade():
    grouped = [query for query in QUERIES if any(isinstance(name, str) for name in groups(query))]
    assert len(grouped) >= 8
    for query in grouped:
        for name, members in groups(query).items():
            assert isinstance(name, int) or len(members) > 1, (query["query_key"], name)
            assert len({member["relevance_grade"] for member in members}) == 1


@checked_versions
def test_paths_and_symbols_are_there_on_this_python():
    """A module that moved is judged at both places, in one group."""
    for query in QUERIES:
        for members in groups(query).values():
            assert any(map(is_there, members)), (query["query_key"], members)


@checked_versions
def test_judged_files_are_in_the_corpus_and_the_corpus_is_small():
    files = corpus()
    judged = {path_of(judgment) for _, judgment in judgments()}
    assert {path for path in judged if (STDLIB / path).is_file()} <= set(files)
    assert sum(path.stat().st_size for path in files.values()) <= 2_000_000


def test_lines_hold_the_definition_of_the_symbol():
    """Line numbers are those of one release; elsewhere only their shape can be checked."""
    exact = platform.python_implementation() == "CPython" and platform.python_version() == "3.11.7"
    for query, judgment in judgments():
        lines = judgment["because"].get("lines")
        if lines is None:
            plain = not judgment["relevance_grade"] and "symbol" not in judgment["doc_ref"]
            assert plain or "group" in judgment, (query["query_key"], judgment)
            continue
        first, last = lines
        assert 1 <= first <= last < first + 80, (query["query_key"], judgment)
        if exact:
            path, symbol = path_of(judgment), judgment["doc_ref"]["symbol"]
            assert last <= len(source(path).splitlines()), (query["query_key"], judgment)
            defined = definitions(path)[symbol]
            assert any(first <= line <= last for line in defined), (query["query_key"], judgment)


@checked_versions
def test_no_query_is_copied_from_its_answer():
    for query, judgment in judgments():
        if judgment["relevance_grade"] == 3 and (STDLIB / path_of(judgment)).is_file():
            shared = runs(words(query["query_text"]), 5) & file_runs(path_of(judgment))
            assert not shared, (query["query_key"], path_of(judgment), shared)


@cache
def file_runs(path):
    return runs(words(source(path)), 5)


def test_no_two_queries_are_alike():
    bags = [(query["query_key"], set(words(query["query_text"]))) for query in QUERIES]
    for (key, bag), (other_key, other) in combinations(bags, 2):
        assert len(bag & other) / len(bag | other) < 0.6, (key, other_key)


@checked_versions
def test_every_item_resolves():
    found = resolve("stdlib")
    assert (found.status, found.ambiguous, found.missing) == ("resolved", 0, 0)


def test_the_second_readers_agreement_is_what_the_description_says():
    """Blind grades of 25 queries; the description quotes what they give."""
    second = Path(__file__).parents[2] / "reproductions" / "stdlib_second_reader.json"
    found = audit("stdlib", judge=second).agreement
    kappa, quadratic = (found.coefficients[name] for name in ("kappa", "kappa_quadratic"))
    said = DATASET["metadata"]["description"].replace(" .", " 0.")

    assert len(json.loads(second.read_text())["queries"]) == 25
    assert f"the {found.pairs} judged files of 25 queries" in said
    assert f"Cohen's kappa is {kappa.value:.2f}" in said
    assert f"interval {kappa.interval.low:.2f} to {kappa.interval.high:.2f})" in said
    assert f"{quadratic.value:.2f} with quadratic weights; {found.equal} grades are equal" in said
    assert all(abs(each["first"] - each["second"]) == 1 for each in found.disagreements)

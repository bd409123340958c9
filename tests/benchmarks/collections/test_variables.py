"""Fields of queries that outside systems are passed: part of the names of answers, else nothing."""

import json

import assay
from assay.benchmarks.collections.describe import dataset_fingerprint
from assay.benchmarks.collections.open_collections import open_collections
from assay.benchmarks.file.read_benchmark import read_benchmark
from assay.records import Query

ECHO = """
import json
from pathlib import Path

LOG = Path(__file__).with_name("asked.jsonl")

def search(query, top, language="none", filters=None, category=""):
    with LOG.open("a") as file:
        file.write(json.dumps([query, language, filters, category]) + "\\n")
    if language == "stop":
        raise KeyboardInterrupt
    return ["d0"]
"""
HTTP = {"kind": "http", "url": "http://127.0.0.1:1/s"}


def write(folder, queries, system):
    told = [
        {"query_key": key, "query_text": f"text {key}", "relevant_docs": ["d0"], **fields}
        for key, fields in queries.items()
    ]
    (folder / "dataset.json").write_text(json.dumps({"queries": told}))
    (folder / "echo.py").write_text(ECHO)
    benchmark = {
        "dataset": "dataset.json",
        "configurations": [{"name": "theirs", "system": system}],
    }
    (folder / "bench.json").write_text(json.dumps(benchmark))
    return folder / "bench.json"


def opened(folder, queries, **request):
    file = write(folder, queries, {**HTTP, "request": {"q": "{query}", **request}})
    return open_collections(read_benchmark(file))[0]


def test_only_what_a_request_names_is_passed(tmp_path):
    fields = {"language": "de", "filters": {"price": 9}, "note": "x", "category": "shoes"}
    queries = {"q1": {**fields, "exclude": ["d9"]}, "q2": {}}
    request = {"l": "{query.language}", "p": "{query.filters.price:-0}", "c": "{query.category:-}"}
    first, second = opened(tmp_path, queries, **request).queries
    passed = {"language": "de", "filters": {"price": 9}, "category": "shoes"}
    assert (first.variables, second.variables) == (passed, {})
    assert first.excluded == {"d9"}


def test_names_of_answers_stay_as_they_are_without_variables(tmp_path):
    """Work that older versions stored must be found again: these names are from before."""
    assert Query("q1", "where").fingerprint == "f0530d3cffef3dbc00aecbccca2553f9"
    plain = opened(tmp_path, {"q1": {"language": "de"}})
    bare = opened(tmp_path, {"q1": {}}, l="{query.language:-en}")
    assert plain.asked == bare.asked
    assert dataset_fingerprint(plain.dataset) == dataset_fingerprint(bare.dataset)


def test_variables_are_part_of_the_names(tmp_path):
    one = opened(tmp_path, {"q1": {"language": "de"}, "q2": {}}, l="{query.language:-en}")
    other = opened(tmp_path, {"q1": {"language": "fr"}, "q2": {}}, l="{query.language:-en}")
    assert one.queries[0].fingerprint != other.queries[0].fingerprint
    assert one.queries[1].fingerprint == other.queries[1].fingerprint
    assert dataset_fingerprint(one.dataset) != dataset_fingerprint(other.dataset)


def test_a_function_gets_the_fields_that_it_has_parameters_for(tmp_path):
    queries = {
        "q1": {"language": "de", "filters": {"a": [1]}, "category": "shoes", "other": 1},
        "q2": {},
    }
    file = write(tmp_path, queries, {"kind": "callable", "function": "echo.py:search"})
    assay.run(file, workspace=tmp_path / ".assay", untimed=True)
    asked = [json.loads(line) for line in (tmp_path / "asked.jsonl").read_text().splitlines()]
    assert ["text q1", "de", {"a": [1]}, "shoes"] in asked
    assert ["text q2", "none", None, ""] in asked


def test_changed_variables_are_asked_again(tmp_path):
    """A run that stopped is resumed with another language: what was answered does not count."""
    system = {"kind": "callable", "function": "echo.py:search"}
    queries = {f"q{at}": {"language": "de"} for at in range(4)}
    file = write(tmp_path, {**queries, "q9": {"language": "stop"}}, system)
    try:
        assay.run(file, workspace=tmp_path / ".assay", untimed=True)
    except KeyboardInterrupt:
        (tmp_path / "asked.jsonl").unlink()
    write(tmp_path, {key: {"language": "fr"} for key in (*queries, "q9")}, system)
    assay.run(file, workspace=tmp_path / ".assay", untimed=True, resume=True)
    asked = [json.loads(line) for line in (tmp_path / "asked.jsonl").read_text().splitlines()]
    assert {(text, language) for text, language, *_ in asked} == {
        (f"text {key}", "fr") for key in (*queries, "q9")
    }

"""A known layout with wrong content: one message with the place, and never a traceback."""

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.reports.ancestors.read.files import FILES

from assay.errors import InputError
from assay.reports.ancestors.read.read_ancestor import read_ancestor

# The place of a number in each layout, and the largest value that it may have.
NUMBERS = [
    ("akashic", "summary.avg_mrr", 1),
    ("akashic", "summary.avg_ndcg_at_10", 4.6),
    ("akashic", "summary.avg_latency_ms", None),
    ("akashic", "summary.total_queries", None),
    ("akashic", "query_results[1].recall_at_5", 1),
    ("akashic", "query_results[0].latency_ms", None),
    ("akashic", "category_metrics.api_search.avg_mrr", 1),
    ("exocortex", "results.retrieval.mrr10", 1),
    ("exocortex", "results.performance.search.p95Ms", None),
    ("exocortex", "results.performance.indexing.peakMemoryMB", None),
    ("exocortex", "results.storage.indexSizeBytes", None),
    ("exocortex", "environment.memory", None),
    ("sia_code", "configurations[1].recall@5", 1),
    ("sia_code", "configurations[0].mrr", 1),
    ("sia_code", "configurations[0].queries_failed", None),
    ("sia_code_results", "results[2].rank", None),
    ("semantik", "runs[0].metrics.ndcg.10", 1),
    ("semantik", "runs[1].metrics.precision@5", 1),
    ("semantik_queries", "results[1].reciprocal_rank", 1),
    ("semantik_queries", "results[1].search_time_ms", None),
    ("consciousdb", "methods[1].nDCG@10", 1),
    ("consciousdb", "methods[2].P95_latency_ms", None),
]


def changed(name, place, value):
    """Return the JSON of a layout with another value at a place."""
    whole = copy.deepcopy(FILES[name]())
    at = whole
    *way, last = place.replace("[", ".[").split(".")
    for step in way:
        at = at[int(step[1:-1])] if step.startswith("[") else at[step]
    at[int(last[1:-1]) if last.startswith("[") else last] = value
    return whole


@pytest.mark.parametrize(("name", "place", "most"), NUMBERS)
@pytest.mark.parametrize("value", ["0.7", True, float("nan"), float("inf"), -0.1, [1], {}, "most"])
def test_a_number_that_is_none_or_out_of_range(name, place, most, value):
    if value == "most":
        value = "x" if most is None else most + 0.001
    with pytest.raises(InputError) as caught:
        read_ancestor(changed(name, place, value), where="old.json")
    assert caught.value.where == f"old.json, {place}"
    assert caught.value.hint
    assert len(str(caught.value).splitlines()) == 2


@pytest.mark.parametrize(
    ("value", "place"),
    [
        ({"modelId": "m", "timestamp": "t"}, "old.json, results"),
        ({"modelId": "m", "results": None}, "old.json, results"),
        ({"modelId": "m", "results": {"speed": 3}}, "old.json, results"),
        ({"modelId": "m", "results": [1]}, "old.json, results"),
        ({"modelId": "m", "results": {"retrieval": {}}}, "old.json"),
        ({"config": {}, "query_results": []}, "old.json, summary"),
        ({"config": {}, "summary": {"avg_mrr": None}}, "old.json"),
        ({"config": [], "summary": {"avg_mrr": 1}}, "old.json, config"),
        ({"summary": {"avg_mrr": 1}, "query_results": {}}, "old.json, query_results"),
        ({"summary": {"avg_mrr": 1}, "query_results": [1]}, "old.json, query_results[0]"),
        ({"summary": {"avg_mrr": 1}, "query_results": [{}]}, "old.json, query_results[0].id"),
        ({"total_queries": 3, "configurations": []}, "old.json"),
        ({"total_queries": 3, "configurations": [{"name": "a"}]}, "old.json"),
        ({"benchmark_id": "b", "runs": []}, "old.json"),
        ({"benchmark_id": "b", "runs": [{"status": "running"}]}, "old.json, runs[0].status"),
        ({"run_id": "r", "results": []}, "old.json"),
        ({"run_id": "r", "results": [{"query_key": "q"}], "total": 9}, "old.json, results"),
        ({"methods": [{"method": "Cosine"}]}, "old.json"),
        ({"methods": [{"method": "a"}, {"name": "b"}]}, "old.json, methods[1].method"),
        ({"methods": [{"method": "a"}, {"method": "a"}]}, "old.json, methods"),
        ({"reports": [{"modelId": "m"}, {"methods": []}]}, "old.json, reports[1]"),
        ({"reports": [{"modelId": "m"}]}, "old.json, reports[0].results"),
    ],
)
def test_what_is_missing_or_of_another_type(value, place):
    with pytest.raises(InputError) as caught:
        read_ancestor(value, where="old.json")
    assert caught.value.where == place
    assert caught.value.hint


def test_two_runs_of_one_name_are_refused():
    one = FILES["exocortex"]()
    with pytest.raises(InputError, match="some-model"):
        read_ancestor({"reports": [one, one]}, where="old.json")


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("akashic", "query_results"),
        ("sia_code_results", "results"),
        ("semantik_queries", "results"),
    ],
)
def test_a_query_that_is_there_twice_is_refused(name, rows):
    value = FILES[name]()
    value[rows].append(value[rows][0])
    with pytest.raises(InputError, match="twice"):
        read_ancestor(value, where="old.json")


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ("edge_overlap", {"median": 0.3, "histogram": {"edges": [1], "counts": [1]}}),
        ("edge_overlap", {"median": 0.3, "histogram": {"edges": [2, 1], "counts": [1]}}),
        ("edge_overlap", {"median": 0.3, "histogram": {"edges": [1, 2], "counts": [-1]}}),
        ("edge_overlap", {"median": 0.3, "histogram": {"edges": "1, 2", "counts": [1]}}),
        ("edge_overlap", 0.3),
        ("fallback_rate", 3.2),
        ("redundancy", "low"),
    ],
)
def test_a_wrong_figure_of_the_template_is_refused(place, value):
    with pytest.raises(InputError) as caught:
        read_ancestor(FILES["consciousdb"](**{place: value}), where="old.json")
    assert caught.value.where.startswith(f"old.json, {place}")


def test_a_wrong_interval_is_refused():
    for wrong in (1, [1], [0.2, 0.1], [0.1, None], [0.1, "x"]):
        value = changed("consciousdb", "methods[1].ndcg_difference_ci", wrong)
        with pytest.raises(InputError, match="ndcg_difference_ci"):
            read_ancestor(value, where="old.json")


@pytest.mark.parametrize("count", [200_000, 10**18, 1e300])
def test_more_failed_queries_than_there_can_be_are_refused(count):
    with pytest.raises(InputError, match="failed queries are more than"):
        read_ancestor(
            changed("sia_code", "configurations[1].queries_failed", count), where="old.json"
        )


JSON = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(max_size=3) | st.integers(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner),
    max_leaves=5,
)


def places(value, path=()):
    """Yield the way to each value inside another."""
    if not isinstance(value, dict | list):
        return
    for key, one in value.items() if isinstance(value, dict) else enumerate(value):
        yield (*path, key)
        yield from places(one, (*path, key))


@pytest.mark.parametrize("name", FILES)
@given(data=st.data(), new=JSON)
def test_whatever_a_value_is_it_is_read_or_refused(name, data, new):
    whole = copy.deepcopy(FILES[name]())
    *way, last = data.draw(st.sampled_from([*places(whole)]))
    at = whole
    for step in way:
        at = at[step]
    at[last] = new
    places_named = []
    try:
        report = read_ancestor(whole, where="old.json")
    except InputError as error:
        report, places_named = None, [error.where]
    assert report is None or report.runs
    assert all(place.startswith("old.json") for place in places_named)

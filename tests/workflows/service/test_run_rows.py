"""The rows of a run: their pages, and how many are remembered."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from assay.errors import InputError, NotFoundError
from assay.workflows.service.run_rows import RecentRows, read_rows

KEYS = [f"q{number}" for number in range(7)]
FAILED = ("q5", "q2", "gone")  # two have scores, too: another attempt had failed


def report(text="what?"):
    run = {
        "name": "plain",
        "aliases": ["other"],
        "per_query": {key: {"mrr": 0.5} for key in KEYS},
        "failed": dict.fromkeys(FAILED, "timed out"),
        "rankings": {key: ["a", "b"] for key in KEYS},
        "ranking_scores": {"q0": [2.0, 1.0]},
        "latency_ms": {"queries": {"q0": 3.5}},
    }
    judged = {"q0": {"text": text, "judged": {"b": 2}}}
    return json.dumps({"runs": [run], "queries": judged}).encode()


def queries_of(rows, **asked):
    """Page through a list to its end."""
    found, cursor = [], ""
    while True:
        page = rows.page(cursor=cursor, **asked)
        found += [json.loads(one) for one in page.items]
        if not (cursor := page.next):
            return found


@pytest.mark.parametrize("limit", [1, 2, 8, 9, 200])
def test_pages_of_any_size_have_each_query_once(limit):
    rows = read_rows(report(), "other")
    assert [one["query"] for one in queries_of(rows, limit=limit)] == [*KEYS, "gone"]
    assert [one["query"] for one in queries_of(rows, limit=limit, failed=True)] == [*FAILED]


def test_a_row_has_all_that_the_report_has_of_a_query():
    first, second, *_, last = queries_of(read_rows(report(), "plain"), limit=50)
    assert first == {
        "query": "q0",
        "text": "what?",
        "scores": {"mrr": 0.5},
        "latency_ms": 3.5,
        "error": None,
        "results": [
            {"document": "a", "score": 2.0, "grade": None},
            {"document": "b", "score": 1.0, "grade": 2},
        ],
    }
    assert second["results"][0] == {"document": "a", "score": None, "grade": None}
    assert (last["scores"], last["error"], last["results"]) == ({}, "timed out", [])


def test_half_of_a_surrogate_pair_comes_back_as_it_is():
    (first, *_) = queries_of(read_rows(report("\ud83d x"), "plain"), limit=1)
    assert first["text"] == "\ud83d x"


def test_what_is_not_there_is_refused():
    with pytest.raises(NotFoundError, match="nobody"):
        read_rows(report(), "nobody")
    with pytest.raises(InputError, match="cursor"):
        read_rows(report(), "plain").page(limit=1, cursor="zz")


def test_no_more_bytes_are_remembered_than_are_allowed():
    rows = read_rows(report(), "plain")
    assert len(rows) > sum(len(json.dumps(one)) - 50 for one in queries_of(rows, limit=50))
    recent = RecentRows(3 * len(rows))
    for key in range(3):
        recent.put(key, rows)
    assert recent.get(0) is rows
    recent.put(3, rows)
    assert [key for key in range(4) if recent.get(key)] == [0, 2, 3]
    recent.put("large", read_rows(report("x" * 4 * len(rows)), "plain"))
    assert recent.get("large") is None
    assert [key for key in range(4) if recent.get(key)] == [0, 2, 3]


def test_threads_do_not_disturb_each_other():
    rows = read_rows(report(), "plain")
    recent = RecentRows(3 * len(rows))

    def work(key):
        for number in range(300):
            recent.put((key, number % 5), rows)
            assert recent.get((key, number % 5)) in (rows, None)

    with ThreadPoolExecutor(4) as threads:
        for one in [threads.submit(work, key) for key in range(4)]:
            one.result()
    held = [recent.get((key, number)) for key in range(4) for number in range(5)]
    assert sum(one is not None for one in held) == 3

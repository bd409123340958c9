"""Chunks and symbols as results, on a small repository with judgments that were checked by hand."""

import ast
import itertools
import json
import math
from textwrap import dedent

import pytest

from assay.errors import InputError
from assay.records.chunk import chunk_span
from assay.reports.runs.json.json import json as as_json
from assay.reports.runs.json.read import load_report
from assay.workflows.compare_reports import compare_reports
from assay.workflows.judge import judge
from assay.workflows.run import run

CLIENT = '''\
"""A client."""

import time


class Client:
    """Sends requests."""

    def __init__(self, host):
        self.host = host

    def send(self, data):
        """Send some data to the host."""
        for attempt in range(3):
            try:
                return post(self.host, data)
            except OSError:
                time.sleep(backoff(attempt))

    def close(self):
        """Close the connection."""
        self.host = None


def backoff(attempt):
    """Return how long to wait before the next attempt."""
    return 2 ** attempt


def post(host, data):
    """Write data to a socket."""
    return host, data
'''
CACHE = '''\
"""A cache with a limit."""


class Cache:
    """Keeps the most recent values."""

    def get(self, key):
        """Return a value, or None."""
        return self.values.get(key)

    def put(self, key, value):
        """Keep a value, and drop the oldest one."""
        self.values[key] = value
        self.values.pop(next(iter(self.values)))


def evict(cache):
    """Remove everything from a cache."""
    cache.values.clear()
'''
QUERIES = """\
queries:
  - id: wait
    query: how long to wait before the next attempt
    expected_files: [{path: client.py, symbol: backoff, grade: 3}]
  - id: send
    query: send data to the host
    expected_files:
      - {path: client.py, lines: [12, 18], grade: 3}
      - {path: client.py, symbol: post, grade: 1}
  - id: oldest
    query: keep a value and drop the oldest one
    expected_symbols: [{symbol: Cache.put, grade: 2}]
  - id: both
    query: remove everything from a cache
    expected_files: [{path: cache.py, grade: 3}]
    expected_symbols: [{symbol: evict, grade: 1}]
  - id: gone
    query: close the connection
    expected_files: [{path: client.py, lines: [400, 410], grade: 2}]
"""
SMALL = {"name": "small", "search": "lexical", "chunk_size": 40}
LARGE = {"name": "large", "search": "lexical", "chunk_size": 400}
HYBRID = {"name": "hybrid", "model": "static", "chunk_size": 40}


@pytest.fixture
def home(tmp_path):
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "client.py").write_text(CLIENT)
    (tmp_path / "src" / "cache.py").write_text(CACHE)
    (tmp_path / "q.yaml").write_text(QUERIES)
    return tmp_path


def measured(home, unit, *configurations, metrics=("ndcg@10", "recall@5", "mrr"), **how):
    asked = {
        "dataset": str(home / "q.yaml"),
        "corpus": str(home / "src"),
        "unit": unit,
        "metrics": list(metrics),
        "configurations": list(configurations),
        **how.pop("keys", {}),
    }
    return run(asked, workspace=home / "w", **how)


def first_ranks(report, run, key):
    return report.runs[run].rankings[key][:3]


def test_chunks_by_hand(home):
    report = measured(home, "chunk", SMALL, LARGE)
    small, large = report.runs
    # send is lines 12 to 18; the chunker cuts it after the docstring, and post is lines 30 to 32.
    assert small.rankings["send"][:3] == ("client.py:12-13", "client.py:30-32", "client.py:14-19")
    scores = {key: row["ndcg@10"] for key, row in small.per_query.items()}
    # Ideal and found for "send": 3, then 1; the third chunk meets an item that was found before.
    # The first chunk for "oldest" has the body of put: a part of its definition.
    assert small.rankings["oldest"][0] == "cache.py:12-16"
    assert scores == {"wait": 1.0, "send": 1.0, "oldest": 1.0, "both": 1.0, "gone": 0.0}
    # In a chunk of the whole file both items are found at once, with the gain of one.
    ideal = 3 + 1 / math.log2(3)
    assert large.per_query["send"] == {
        "ndcg@10": pytest.approx(3 / ideal),
        "recall@5": 1.0,
        "mrr": 1.0,
    }
    assert large.reachable["ndcg@10"] == pytest.approx((3 + 3 / ideal) / 5)
    assert small.reachable == {}
    assert report.queries["send"]["expected"] == {"client.py:12-18": 3, "client.py::post": 1}
    assert report.queries["both"]["expected"] == {"cache.py::evict": 3}
    assert small.missed == {"gone": {"client.py:400-410": "corpus"}}
    assert (report.truth["total"], report.truth["resolved"]) == (6, 5)
    assert "lines 400-410" in report.truth["unresolved"][0]["reference"]


def test_symbols_by_hand(home):
    report = measured(home, "symbol", SMALL, LARGE)
    small, large = report.runs
    assert small.rankings["send"][:2] == ("client.py::Client.send", "client.py::post")
    assert small.rankings["both"][0] == "cache.py::evict"
    assert small.rankings["oldest"][0] == "cache.py::Cache.put"  # by a chunk of its body
    # A chunk of the whole file defines six symbols, which follow each other as they are defined.
    assert large.rankings["send"][:6] == tuple(
        f"client.py::{name}"
        for name in ("Client", "Client.__init__", "Client.send", "Client.close", "backoff", "post")
    )
    assert large.per_query["send"]["mrr"] == pytest.approx(1 / 3)
    assert large.per_query["wait"]["mrr"] == pytest.approx(1 / 5)
    assert large.ranking_symbols["send"][2] == ("Client.send",)


@pytest.mark.parametrize("unit", ["document", "chunk", "symbol"])
def test_what_stages_lose_sums_to_the_loss(home, unit):
    report = measured(home, unit, SMALL, LARGE, HYBRID | {"threshold": 0.3, "fusion": "rrf"})
    for one in report.runs:
        for key, row in one.per_query.items():
            lost = sum(one.losses.get(key, {}).values())
            assert lost == pytest.approx(1 - row["ndcg@10"], abs=1e-9)


@pytest.mark.parametrize("unit", ["chunk", "symbol"])
@pytest.mark.parametrize("how", [{"live": True}, {"untimed": True}, {"race": True}])
def test_every_way_to_run_gives_the_same(home, unit, how):
    keys = {"race": {"first": 2}} if how.pop("race", False) else {}
    chosen = (SMALL, HYBRID | {"weights": [1, 2]}, HYBRID | {"name": "top", "top_k": 10})
    plain = measured(home, unit, *chosen)
    other = measured(home, unit, *chosen, keys=keys, **how)
    assert [one.name for one in other.runs] == [one.name for one in plain.runs]
    for one, same in zip(other.runs, plain.runs, strict=True):
        if one.status == "completed":
            assert one.rankings == same.rankings
            assert one.per_query == same.per_query
            assert one.ranking_scores == same.ranking_scores


@pytest.mark.parametrize("size", [16, 40, 64, 400])
def test_scores_are_those_of_plain_loops(home, tmp_path, size):
    chosen = {"name": "one", "search": "lexical", "chunker": "fixed", "chunk_size": size}
    report = measured(home, "chunk", chosen, save_runs=tmp_path / "runs")
    (file,) = (tmp_path / "runs").iterdir()
    found = ranked(file)
    texts = {"client.py": CLIENT, "cache.py": CACHE}
    wanted = {
        "wait": [(("client.py", *at(CLIENT, "backoff")), 3)],
        "send": [
            (("client.py", *lines(CLIENT, 12, 18)), 3),
            (("client.py", *at(CLIENT, "post")), 1),
        ],
        "oldest": [(("cache.py", *at(CACHE, "put")), 2)],
        "both": [(("cache.py", *at(CACHE, "evict")), 3)],
    }
    for key, items in wanted.items():
        assert report.runs[0].per_query[key]["ndcg@10"] == pytest.approx(
            plain_ndcg(found.get(key, []), items)
        )
    assert all(chunk_span(name)[2] <= len(texts[chunk_span(name)[0]]) for name in found["send"])


def at(text, name):
    """Return where a function begins and ends, as Python's own parser says."""
    every = (one for one in ast.walk(ast.parse(text)) if isinstance(one, ast.FunctionDef))
    one = next(one for one in every if one.name == name)
    starts = [0, *itertools.accumulate(map(len, text.splitlines(keepends=True)))]
    first, last = starts[one.lineno - 1], starts[one.end_lineno - 1]
    return first + one.col_offset, last + one.end_col_offset


def lines(text, first, last):
    parts = text.splitlines(keepends=True)
    start = len("".join(parts[: first - 1]))
    return start, start + len("".join(parts[first - 1 : last]))


def ranked(file):
    found = {}
    for line in file.read_text().splitlines():
        key, _, name, *_ = line.split()
        found.setdefault(key, []).append(name)
    return found


def plain_ndcg(names, items):
    """Claim items from the top: the best grade of those that no result above has claimed."""
    open_items, gained = list(items), 0.0
    for rank, name in enumerate(names[:10], 1):
        document, start, end = chunk_span(name)
        met = [
            one
            for one in open_items
            if one[0][0] == document and start < one[0][2] and end > one[0][1]
        ]
        gained += max((grade for _, grade in met), default=0) / math.log2(rank + 1)
        open_items = [one for one in open_items if one not in met]
    best = sorted((grade for _, grade in items), reverse=True)
    return gained / sum(grade / math.log2(rank + 1) for rank, grade in enumerate(best, 1))


def test_what_fits_into_a_window_depends_on_the_chunks(home):
    wanted = ("recall@40tokens", "recall@5")
    small, large = measured(home, "chunk", SMALL, LARGE, metrics=wanted).runs
    assert large.scores["recall@40tokens"] == 0.0  # no chunk of a whole file fits
    assert small.scores["recall@40tokens"] == 0.7
    assert small.scores["recall@40tokens"] <= small.scores["recall@5"]
    every = measured(home, "chunk", SMALL, LARGE, metrics=("recall@9999tokens", "recall@100"))
    for one in every.runs:
        assert one.scores["recall@9999tokens"] == one.scores["recall@100"]


@pytest.mark.parametrize("unit", ["chunk", "symbol"])
def test_a_store_returns_chunks(home, unit):
    pytest.importorskip("lancedb")
    stored = {"name": "store", "search": "dense", "model": "static", "chunk_size": 40}
    own = stored | {"name": "own", "precision": "float32"}
    report = measured(home, unit, own, stored | {"system": {"kind": "lancedb"}})
    one, other = report.runs
    assert one.rankings == other.rankings
    assert one.per_query == other.per_query


def test_it_survives_reading_and_comparing(home):
    report = measured(home, "chunk", SMALL, LARGE)
    (home / "r.json").write_text(json.dumps(as_json(report), allow_nan=False))
    again = load_report(home / "r.json")
    assert again.benchmark["unit"] == "chunk"
    assert again.runs[0].rankings == report.runs[0].rankings
    other = measured(home, "chunk", SMALL | {"chunk_size": 64}, LARGE)
    (home / "o.json").write_text(json.dumps(as_json(other), allow_nan=False))
    (since,) = compare_reports(home / "r.json", [home / "o.json"])
    assert since.queries == 5  # other chunks, and the same judgments
    assert since.rejudged == ()


def test_conflicts_are_told(home):
    for given, said in [
        ({"collapse": "sum"}, "collapse"),
        ({"lexical_unit": "document"}, "lexical_unit must be chunk"),
        ({"system": {"kind": "callable", "function": "a.py:b"}, "search": None}, "system"),
        ({"unit": "chunk"}, "unit is the same"),
    ]:
        chosen = {key: value for key, value in {**SMALL, **given}.items() if value is not None}
        if "system" in given:
            chosen = {"name": "s", "system": given["system"]}
        with pytest.raises(InputError, match=said):
            measured(home, "chunk", chosen)
    with pytest.raises(InputError, match="chunker"):
        measured(home, "symbol", SMALL | {"chunker": "fixed"})


def test_judging_is_refused(home):
    asked = {
        "dataset": str(home / "q.yaml"),
        "corpus": str(home / "src"),
        "unit": "chunk",
        "configurations": [SMALL],
    }
    with pytest.raises(InputError, match="grades documents"):
        judge(asked, ask=lambda *_: "q", workspace=home / "w")


def test_collections_are_told_apart(home):
    (home / "one").mkdir()
    (home / "src").rename(home / "one" / "a")
    (home / "one" / "b").mkdir()
    (home / "one" / "b" / "client.py").write_text(dedent(CACHE))
    rows = [
        {
            "id": "1",
            "repo": "a",
            "query": "send data",
            "ground_truth": "client.py",
            "line_range": [12, 18],
        },
        {
            "id": "2",
            "repo": "b",
            "query": "remove everything",
            "ground_truth": "client.py",
            "line_range": [17, 19],
        },
    ]
    (home / "q.jsonl").write_text("\n".join(map(json.dumps, rows)))
    asked = {
        "dataset": str(home / "q.jsonl"),
        "corpus": {"collections": str(home / "one")},
        "unit": "chunk",
        "metrics": ["recall@5"],
        "configurations": [SMALL],
    }
    (found,) = run(asked, workspace=home / "w").runs
    assert found.scores["recall@5"] == 1.0
    assert found.rankings["a/1"][0] == "client.py:12-13"
    assert found.rankings["b/2"][0] == "client.py:17-19"


@pytest.mark.parametrize("unit", ["document", "chunk", "symbol"])
def test_weights_of_queries_count_at_each_unit(home, unit):
    weights = {"wait": 5, "send": 1, "oldest": 1, "both": 2, "gone": 1}
    text = QUERIES
    for key, weight in weights.items():
        text = text.replace(f"id: {key}\n", f"id: {key}\n    weight: {weight}\n")
    (home / "q.yaml").write_text(text)
    report = measured(home, unit, SMALL, HYBRID)
    for one in report.runs:
        weighed = sum(weights[key] * row["ndcg@10"] for key, row in one.per_query.items())
        assert one.scores["ndcg@10"] == pytest.approx(weighed / 10)


def test_several_lines_of_a_file_are_items_of_their_own(home):
    expected = "[{path: client.py, lines: [12, 18]}, {path: client.py, lines: [30, 32]}, %s]"
    wrong = "{path: client.py, lines: [18, 12]}"
    (home / "q.yaml").write_text(
        f"[{{id: q, query: send data, expected_files: {expected % wrong}}}]"
    )
    report = measured(home, "chunk", SMALL)
    assert report.queries["q"]["expected"] == {
        "client.py:12-18": 1,
        "client.py:30-32": 1,
        "client.py:18-12": 1,
    }
    assert report.runs[0].per_query["q"]["recall@5"] == pytest.approx(2 / 3)
    assert (report.truth["total"], report.truth["resolved"]) == (3, 2)
    assert "lines 18-12" in report.truth["unresolved"][0]["reference"]


@pytest.mark.parametrize("unit", ["chunk", "symbol"])
@pytest.mark.parametrize("how", [{}, {"live": True}])
def test_structure_is_measured_on_what_is_returned(home, unit, how):
    chosen = {"name": "c", "search": "dense", "model": "static", "chunk_size": 40}
    report = measured(home, unit, chosen | {"coherence": {}}, **how)
    (found,) = report.runs
    assert found.structure.studied == 5
    own = next(one for one in found.structure.methods if one.name == "coherence")
    assert own.scores["ndcg@10"] == pytest.approx(found.scores["ndcg@10"])


def test_lines_without_a_symbol_are_not_found(home):
    expected = "[{path: client.py, lines: [1, 3]}, {path: client.py, symbol: backoff}]"
    (home / "q.yaml").write_text(f"[{{id: q, query: how long, expected_files: {expected}}}]")
    report = measured(home, "symbol", SMALL)
    assert report.runs[0].missed == {"q": {"client.py:1-3": "corpus"}}
    assert (report.truth["total"], report.truth["resolved"]) == (2, 1)
    assert any("or none in these lines" in note for note in report.notes)
    assert measured(home, "chunk", SMALL).truth["resolved"] == 2


def test_reports_of_different_units_are_not_compared(home):
    for unit in ("document", "chunk"):
        told = json.dumps(as_json(measured(home, unit, SMALL)), allow_nan=False)
        (home / f"{unit}.json").write_text(told)
    with pytest.raises(InputError, match="documents and chunks"):
        compare_reports(home / "document.json", [home / "chunk.json"])


def test_results_that_end_before_the_window_is_full_are_said(home):
    few = SMALL | {"name": "few", "top_k": 2}
    metric = "recall@200tokens"
    how = {"metrics": (metric, "recall@2"), "keys": {"primary": metric}}
    short, whole = measured(home, "chunk", few, SMALL, **how).runs
    assert [note for note in short.notes if "before 200 tokens" in note]
    assert not [note for note in whole.notes if "tokens" in note]


def test_a_chunk_that_a_store_never_returns_is_lost_by_its_search(home):
    pytest.importorskip("lancedb")
    expected = "[{path: cache.py, lines: [7, 9]}, {path: cache.py, lines: [99, 99]}]"
    (home / "q.yaml").write_text(f"[{{id: q, query: time to wait, expected_files: {expected}}}]")
    chosen = {"name": "s", "search": "dense", "model": "static", "chunk_size": 40}
    chosen |= {"top_k": 1, "depth": 1, "system": {"kind": "lancedb"}}
    how = {"metrics": ("recall@1",), "keys": {"primary": "recall@1"}}
    (found,) = measured(home, "chunk", chosen, **how).runs
    assert found.missed == {"q": {"cache.py:7-9": "search", "cache.py:99-99": "corpus"}}
    assert found.scores["recall@1"] == 0.0

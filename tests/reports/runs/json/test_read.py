import copy
import gzip
import json as plain
from pathlib import Path

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import InputError
from assay.records import (
    Candidate,
    Change,
    Comparison,
    Comparisons,
    Evaluation,
    Interval,
    Report,
    Run,
    ToJudge,
    Verdict,
)
from assay.reports.runs.json._schema import SCHEMA
from assay.reports.runs.json.json import json
from assay.reports.runs.json.read import load_report

PUBLISHED = Path(__file__).parents[4] / "docs" / "report.schema.json"
METRICS = ("ndcg@10", "recall@5")


def packed(report):
    return plain.dumps(json(report), ensure_ascii=False, allow_nan=False).encode()


def test_what_is_read_is_what_was_written(report):
    written = report("bm25", "hybrid", id="b1", plan={"cells": 3}, status="cancelled")
    read = load_report(packed(written))
    assert read.runs == written.runs
    assert (read.id, read.plan, read.status) == ("b1", {"cells": 3}, "cancelled")
    assert read.benchmark == written.benchmark
    assert read.comparisons is None


def test_a_file_may_be_compressed_and_start_with_a_mark(report, tmp_path):
    content = packed(report("bm25"))
    (tmp_path / "r.json.gz").write_bytes(gzip.compress(content))
    (tmp_path / "r.json").write_bytes(b"\xef\xbb\xbf" + content.replace(b",", b",\r\n"))
    for name in ("r.json.gz", "r.json"):
        assert load_report(tmp_path / name).runs[0].name == "bm25"


# Any report at all comes back as it was.
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
FINITE = st.floats(-1e6, 1e6)
SHARE = st.floats(0, 1)
COUNT = st.integers(0, 1000)
NUMBER = st.none() | COUNT
PLAIN = st.dictionaries(TEXT, st.one_of(TEXT, FINITE, st.booleans(), st.none()), max_size=3)
ENDS = st.builds(Interval, FINITE, FINITE, note=TEXT) | st.just(
    Interval(float("-inf"), float("inf"))
)
SCORES = st.fixed_dictionaries({name: SHARE for name in METRICS})


@st.composite
def a_run(draw, name):
    return Run(
        name=name,
        fingerprint=draw(TEXT),
        configuration=draw(PLAIN),
        status=draw(st.sampled_from(["completed", "failed", "cancelled"])),
        scores=draw(SCORES | st.just({})),
        intervals=draw(st.dictionaries(st.sampled_from(METRICS), ENDS)),
        latency_ms=draw(
            st.just({}) | st.fixed_dictionaries({"p50": FINITE, "stages": st.just({})})
        ),
        indexing=draw(st.fixed_dictionaries({"seconds": FINITE})),
        storage=draw(st.just({}) | st.fixed_dictionaries({"index_bytes": COUNT})),
        failed=draw(st.dictionaries(TEXT, TEXT, max_size=2)),
        categories=draw(st.dictionaries(TEXT, SCORES, max_size=2)),
        per_query={"q1": draw(SCORES), "q2": draw(SCORES)},
        aliases=tuple(draw(st.lists(TEXT, max_size=2))),
        scores_answered=draw(SCORES | st.just({})),
        judged_at_10=draw(st.none() | SHARE),
        notes=tuple(draw(st.lists(TEXT, max_size=2))),
        error=draw(TEXT),
        rankings=draw(st.dictionaries(TEXT, st.lists(TEXT, max_size=3).map(tuple), max_size=2)),
        collections=draw(st.dictionaries(TEXT, PLAIN, max_size=2)),
        macro=draw(st.dictionaries(TEXT, PLAIN, max_size=2)),
        repeats=draw(PLAIN),
    )


@st.composite
def a_comparison(draw, name):
    return Comparison(
        metric=name,
        queries=draw(COUNT),
        **{key: draw(FINITE) for key in ("baseline", "candidate", "difference", "p")},
        **{key: draw(ENDS) for key in ("baseline_interval", "candidate_interval", "interval")},
        p_corrected=draw(SHARE),
        standardised=draw(FINITE | st.sampled_from([float("inf"), float("-inf")])),
        **{key: draw(COUNT) for key in ("wins", "ties", "losses")},
        smallest_detectable=draw(FINITE | st.just(float("inf"))),
        sd=draw(FINITE | st.just(float("inf"))),
        holes=draw(st.none() | st.tuples(FINITE, FINITE)),
        unbounded=draw(st.booleans()),
        higher_is_better=draw(st.booleans()),
        tests=draw(st.fixed_dictionaries({"t": SHARE, "wilcoxon": SHARE})),
    )


@st.composite
def comparisons(draw, runs):
    outcome = draw(st.sampled_from(["ship", "hold", "dont_ship", "needs_queries"]))
    candidates = tuple(
        Candidate(
            run=run.name,
            metrics={name: draw(a_comparison(name)) for name in METRICS},
            verdict=Verdict(
                outcome,
                draw(TEXT),
                draw(NUMBER),
                draw(TEXT),
                queries_to_show=draw(NUMBER),
                rule=draw(st.sampled_from(["", "better", "no_gain"])),
                queries_for_margin=draw(NUMBER),
            ),
            agreement={"overlap@10": draw(SHARE)},
            changes=tuple(draw(st.lists(st.builds(Change, TEXT, FINITE, FINITE, FINITE)))),
        )
        for run in runs[1:]
    )
    return Comparisons(
        baseline=runs[0].name,
        primary=METRICS[0],
        queries=2,
        candidates=candidates,
        judge_next=tuple(draw(st.lists(st.builds(ToJudge, TEXT, TEXT, st.none() | FINITE)))),
        best_set=tuple(draw(st.lists(TEXT))),
        best=runs[1].name,
        observed_gain=draw(FINITE),
        corrected_gain=draw(st.none() | FINITE),
        evaluations=tuple(_evaluation(run, draw) for run in runs),
        settings={"alpha": 0.05, "correction": draw(TEXT)},
    )


def _evaluation(run, draw):
    import numpy as np

    return Evaluation(
        run=run.name,
        queries=tuple(run.per_query),
        scores=draw(SCORES),
        per_query={m: np.array([row[m] for row in run.per_query.values()]) for m in METRICS},
        unjudged={5: 0.5, 10: draw(SHARE)},
        intervals=draw(st.none() | st.fixed_dictionaries({METRICS[0]: ENDS})),
        bounds=draw(st.none() | st.fixed_dictionaries({METRICS[0]: st.none() | st.just((0, 1.0))})),
        notes=tuple(draw(st.lists(TEXT, max_size=1))),
        **{key: draw(COUNT) for key in ("missing_queries", "without_relevant", "tied")},
    )


FAILED = Verdict("dont_ship", "It failed.", rule="failed")


@st.composite
def reports(draw):
    names = draw(st.lists(TEXT, min_size=0, max_size=3, unique=True))
    runs = tuple(draw(a_run(name)) for name in names)
    return Report(
        benchmark={"name": draw(TEXT), "metrics": list(METRICS), "primary": METRICS[0]},
        dataset=draw(PLAIN.map(lambda d: {"queries": 2, **d})),
        corpus={"documents": draw(COUNT)},
        environment=draw(PLAIN),
        runs=runs,
        comparisons=draw(comparisons(runs)) if len(runs) > 1 else None,
        recommendations=draw(st.just({}) | st.just({"pick": None})),
        truth={"resolved": draw(COUNT), "judged@10": draw(st.none() | SHARE)},
        notes=tuple(draw(st.lists(TEXT, max_size=2))),
        id=draw(TEXT),
        plan=draw(PLAIN),
        queries={"q1": {"text": draw(TEXT), "judged": {draw(TEXT): draw(COUNT)}}},
        uncompared=draw(st.just({}) | st.just({"not compared": FAILED})),
    )


@settings(max_examples=40, deadline=None)
@given(reports())
def test_json_to_a_report_and_back_is_the_same(made):
    written = plain.loads(packed(made))
    assert jsonschema_rs.is_valid(plain.loads(PUBLISHED.read_bytes()), written)
    read = load_report(packed(made))
    assert plain.loads(packed(read)) == written
    assert (read.runs, read.uncompared) == (made.runs, made.uncompared)
    for before, after in zip(_candidates(made), _candidates(read), strict=True):
        assert {n: _numbers(one) for n, one in before.metrics.items()} == {
            n: _numbers(one) for n, one in after.metrics.items()
        }
        assert (before.verdict, before.changes) == (after.verdict, after.changes)


def _candidates(made):
    return made.comparisons.candidates if made.comparisons else ()


def _numbers(one):
    return (one.interval, one.sd, one.smallest_detectable, one.holes, one.unbounded, one.queries)


def test_evaluations_have_their_queries_again(report):
    import numpy as np

    made = report("a", "b")
    scored = Evaluation("a", ("q1",), {"ndcg@10": 0.1}, {"ndcg@10": np.array([0.1])})
    one = Comparison("ndcg@10", 1, 0.1, 0.2, *[Interval(0, 1)] * 2, 0.1, Interval(0, 1), *[1.0] * 3,
                     1, 0, 0, 0.5, tests={"t": 1.0, "wilcoxon": 1.0})  # fmt: skip
    told = Candidate("b", {"ndcg@10": one}, Verdict("hold", "why", None, "judge d"), {}, ())
    compared = Comparisons("a", "ndcg@10", 1, (told,), (), ("a",), "b", 0.1, None, (scored,))
    read = load_report(packed(report("a", "b", comparisons=compared)))
    assert made.comparisons is None
    assert read.comparisons.evaluations[0].queries == ("q1",)
    assert read.comparisons.evaluations[0].per_query["ndcg@10"].tolist() == [0.1]
    assert read.comparisons.candidates[0].verdict.change == "judge d"
    assert json(read)["winner"]["best"] == "b"


NO_REPORTS = {
    "nothing": b"",
    "a list": b"[]",
    "no keys": b"{}",
    "a dataset": b'{"queries": []}',
    "newer": b'{"schema_version": 2, "runs": []}',
    "older": b'{"schema_version": 0, "runs": []}',
    "a truth value": b'{"schema_version": true, "runs": []}',
    "a text": b'{"schema_version": "1", "runs": []}',
    "a run file": b"q1 Q0 d1 1 2.5 bm25",
    "the mark of UTF-16": b"\xff\xfe",  # and nothing else
    "deep lists": b"[" * 100_000,
}


@pytest.mark.parametrize("name", NO_REPORTS)
def test_what_is_no_report_gets_one_message(tmp_path, name, snapshot):
    path = tmp_path / "r.json"
    path.write_bytes(NO_REPORTS[name])
    with pytest.raises(InputError) as caught:
        load_report(path)
    snapshot(caught.value)
    assert str(path) in str(caught.value)
    assert name != "a run file" or "--qrels" in caught.value.hint


@pytest.mark.parametrize(
    ("content", "fact"),
    [
        pytest.param(b'{"schema_version": 1, "runs": 3}', r'"benchmark"(.|\n)*runs: 3', id="shape"),
        pytest.param(b'{"schema_version": 1, "runs": [', "JSON", id="cut"),
        pytest.param(b'{"a": NaN}', "NaN", id="NaN"),
        pytest.param(b'{"a": "\xff"}', "UTF-8|utf", id="no UTF-8"),
        pytest.param(b'{"a":' * 100_000, "nested|JSON", id="deep"),
    ],
)
def test_what_cannot_be_read_gets_one_message(tmp_path, content, fact):
    path = tmp_path / "r.json"
    path.write_bytes(content)
    with pytest.raises(InputError, match=fact) as caught:
        load_report(path)
    assert str(path) in str(caught.value)


def parts_of(value, path=()):
    """Yield the path of every part of a value."""
    yield path
    if isinstance(value, dict):
        for key, child in value.items():
            yield from parts_of(child, (*path, key))
    elif isinstance(value, list):
        for at, child in enumerate(value):
            yield from parts_of(child, (*path, at))


def put(value, path, given):
    changed = copy.deepcopy(value)
    at = changed
    for step in path[:-1]:
        at = at[step]
    at[path[-1]] = given
    return changed


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_a_damaged_report_is_read_or_refused_and_never_breaks(data):
    value = plain.loads(packed(data.draw(reports())))
    path = data.draw(st.sampled_from(list(parts_of(value))[1:]))
    wrong = data.draw(st.sampled_from([None, 3, -1, "x", [], {}, [[]], {"a": 1}, True, 1e300]))
    try:
        read = load_report(plain.dumps(put(value, path, wrong)).encode())
    except InputError as error:
        assert error.problem  # noqa: PT017 - a report that can be read is as right
    else:
        packed(read)


def test_parts_that_deny_each_other_are_refused(report, snapshot):
    value = json(report("a", "b"))
    value["verdicts"] = [
        {"run": "b", "baseline": "a", "primary": "p", "outcome": "hold"}
        | {"reason": "", "queries_needed": None}
    ]
    value["comparisons"] = [
        {"baseline": "a", "run": "b", "metrics": {}, "agreement": {}, "changes": []}
    ] * 2
    with pytest.raises(InputError) as caught:
        load_report(plain.dumps(value).encode())
    snapshot(caught.value)


@pytest.mark.parametrize(
    ("change", "count"),
    [
        ("1,060 more queries would show a gain as large as the one seen. 9 more queries", 1060),
        ("The gain seen is less than the margin; 1 more query would show it. More", 1),
        ("9 more queries of this spread would find a difference of 0.01, the margin", None),
        ("", None),
    ],
)
def test_older_reports_say_in_a_sentence_how_many_queries_show_a_gain(change, count):
    from assay.reports.runs.json._read_comparisons import _early_count

    assert _early_count(change) == count


def test_every_required_key_is_missed(report):
    value = json(report("bm25"))
    for key in ("runs", "schema_version", "benchmark", "truth", "verdicts"):
        less = {name: part for name, part in value.items() if name != key}
        with pytest.raises(InputError):
            load_report(plain.dumps(less).encode())


def test_the_published_schema_is_the_one_that_is_used():
    assert PUBLISHED.read_bytes() == SCHEMA.read_bytes()
    jsonschema_rs.meta.validate(plain.loads(SCHEMA.read_bytes()))


@pytest.mark.parametrize(
    "section", sorted(plain.loads(SCHEMA.read_bytes())["properties"]["analysis"]["properties"])
)
@pytest.mark.parametrize("wrong", [5, "text", [1], {"a": 1}, {"a": {"b": []}}, [{"a": None}]])
def test_a_damaged_analysis_is_refused_by_its_place(report, section, wrong):
    value = json(report("bm25"))
    value["analysis"] = {section: wrong}
    with pytest.raises(InputError, match=rf"analysis\.{section}"):
        load_report(plain.dumps(value).encode())


def test_the_schema_covers_every_part_of_the_analysis():
    from assay import catalogue
    from assay.benchmarks import analysis

    known = plain.loads(SCHEMA.read_bytes())["properties"]["analysis"]["properties"]
    assert {*catalogue.files(analysis)} - {"analyse"} == set(known)

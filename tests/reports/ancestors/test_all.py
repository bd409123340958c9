"""Whatever a report lacks: each shape can be written, and gives a reason for what is null."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay import catalogue
from assay.reports import ancestors

DATE = "2026-01-30T12:00:00"
# Null by what it is: nothing failed, no reranker is used, or nothing is compared with.
PLAIN = ("error", "reranker_model", "category", "query", "pythonVersion", "by", "value")
PLAIN += ("ndcg_uplift_percent", "mrr_uplift_percent", "ndcg_difference_ci", "mrr_difference_ci")


def nulls(value, path=()):
    if isinstance(value, dict):
        for key, one in value.items():
            yield from nulls(one, (*path, key))
    elif isinstance(value, list):
        for one in value:
            yield from nulls(one, path)
    elif value is None:
        yield path


def reported(told):
    return told.get("reports", [told])


PARTS = ["scores", "intervals", "latency_ms", "indexing", "storage", "categories", "configuration"]


@pytest.mark.parametrize("name", catalogue.files(ancestors))
@given(lost=st.sets(st.sampled_from([*PARTS, "per_query", "rankings"])), hurt=st.booleans())
def test_what_is_null_has_a_reason(made_by, name, lost, hurt):
    options = {key: {} for key in lost} | ({"status": "failed", "error": "é"} if hurt else {})
    run = made_by.run(structure=None if hurt else made_by.structure(), **options)
    shape = catalogue.find(ancestors, name)
    told = shape(made_by.report(run, made_by.run("b")), date=DATE)
    assert json.loads(json.dumps(told, allow_nan=False)) == told
    for one in reported(told):
        notes = one["notes"]
        assert all(isinstance(reason, str) and reason for reason in notes.values())
        for path in nulls({key: part for key, part in one.items() if key != "notes"}):
            if path[-1] not in PLAIN:
                known = {".".join(path[:at]) for at in range(1, len(path) + 1)}
                known |= {"methods"} if path[0] == "methods" else set()
                assert known & set(notes) or any(
                    key.startswith(f"{path[0]}.") and key.endswith(path[-1]) for key in notes
                ), (path, notes)


@pytest.mark.parametrize("name", catalogue.files(ancestors))
def test_the_same_report_gives_the_same_file(made_by, name):
    shape = catalogue.find(ancestors, name)
    told = [shape(made_by.report(made_by.run()), date=DATE) for _ in range(2)]
    assert json.dumps(told[0]) == json.dumps(told[1])

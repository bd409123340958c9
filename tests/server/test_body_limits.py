"""The bodies of requests have limits: what is wrong with one never takes long to describe."""

import pytest
from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError

from assay.server.models.benchmark_bodies import BenchmarkBody
from assay.server.models.datasets import EditBody
from assay.server.models.judgments import JudgmentsBody
from assay.server.models.report_bodies import ComparisonBody, GateBody
from assay.server.models.search_bodies import SearchBody
from assay.server.problem import describe_problem

MANY = 50_000
KEYS = {str(at): [] for at in range(MANY)}
QUERY = {"query_key": "q", "query_text": "a"}


def schemas(document):
    """Walk through the schemas of all JSON bodies, each with its place."""
    for path, methods in document["paths"].items():
        for method, one in methods.items():
            content = one.get("requestBody", {}).get("content", {})
            if "application/json" in content:
                yield from within(
                    content["application/json"]["schema"], f"{method} {path}", document, ()
                )


def within(schema, place, document, known):
    if (name := schema.get("$ref", "").rpartition("/")[2]) and name not in known:
        schema, known = document["components"]["schemas"][name], (*known, name)
    yield place, schema
    for kind in ("anyOf", "oneOf", "allOf"):
        for each in schema.get(kind, []):
            yield from within(each, place, document, known)
    for name, each in schema.get("properties", {}).items():
        yield from within(each, f"{place} {name}", document, known)
    for name in ("items", "additionalProperties"):
        if isinstance(schema.get(name), dict):
            yield from within(schema[name], f"{place} {name}", document, known)


def is_bounded(schema):
    if schema.get("type") == "array":
        return "maxItems" in schema
    if schema.get("type") != "object":
        return True
    return schema.get("additionalProperties") is False or "maxProperties" in schema


def test_every_list_and_object_of_a_request_has_a_bound(client):
    found = [*schemas(client.get("/openapi.json").json())]
    assert sum(one.get("type") == "array" for _, one in found) > 10
    assert sum(one.get("type") == "object" for _, one in found) > 20
    assert [place for place, one in found if not is_bounded(one)] == []


@pytest.mark.parametrize(
    ("model", "body", "most"),
    [
        (BenchmarkBody, {"metrics": [1] * MANY}, 2),
        (BenchmarkBody, {"metrics_to_compute": [1] * MANY}, 1),
        (BenchmarkBody, {"metrics": [1] * 200}, 201),
        (BenchmarkBody, {"mappings": [1] * MANY, "breakdowns": [1] * MANY}, 3),
        (BenchmarkBody, {"configurations": [1] * MANY}, 1),
        (BenchmarkBody, {"budgets": KEYS}, 1),
        (BenchmarkBody, {"settings": KEYS}, 1),
        (BenchmarkBody, KEYS, 1),
        (SearchBody, {"query": "a", "configuration": KEYS}, 1),
        (GateBody, {"current": {}, "allow": [1] * MANY, "min": KEYS}, 4),
        (GateBody, {"current": {"report": KEYS}, "baseline": KEYS, "preset": [1] * MANY}, 3),
        (ComparisonBody, {"baseline": {}, "candidates": [1] * MANY}, 1),
        (EditBody, {"put": [QUERY | {"relevant_docs": [1] * MANY}]}, 1),
        (EditBody, {"put": [KEYS] * 10, "remove": [1] * MANY}, 11),
        (EditBody, {"put": [{str(at): 1 for at in range(10)}] * 1_000}, 12_000),
        (JudgmentsBody, {"judgments": [1] * 10_000}, 1),
        (JudgmentsBody, {"judgments": [KEYS]}, 1),
    ],
)
def test_a_wrong_body_makes_few_errors(model, body, most):
    with pytest.raises(ValidationError) as caught:
        model.model_validate(body)
    assert caught.value.error_count() <= most


def test_a_thousand_errors_are_described(monkeypatch):
    described = []
    from assay.server import problem

    def listed(errors, *_):
        described.extend(errors)
        return [(str(at), "wrong", "") for at, _ in enumerate(errors)]

    monkeypatch.setattr(problem, "field_problems", listed)
    error = {"type": "missing", "loc": ("body", "a"), "input": {}}
    found = describe_problem(RequestValidationError([error] * 1_001))
    assert len(described) == 1_000
    assert found.detail == "at least 1,000 problems"
    assert describe_problem(RequestValidationError([error] * 2)).detail == "2 problems"


def test_many_metrics_and_many_unknown_fields_are_refused(client):
    answer = client.post("/api/v1/plans", json={"name": "x", "metrics": [1] * MANY})
    assert answer.status_code == 422
    (problem,) = answer.json()["problems"]
    assert problem["where"] == "metrics"
    assert "at most 200 items" in problem["problem"]
    answer = client.post("/api/v1/plans", json={f"key{at}": 1 for at in range(1_000)})
    assert answer.status_code == 422
    assert answer.json()["detail"].startswith('there are 1,000 unknown fields, such as "key0", ')
    answer = client.post("/api/v1/plans", json={"name": "x", "budgets": KEYS})
    assert answer.json()["detail"] == "expected at most 200 items"

"""The client has a method for each operation of the API, and each sends what the API expects."""

import inspect
import re
from collections.abc import Iterator

import pytest

from assay.client import Client
from assay.client.connection import PREFIX, Connection
from assay.records.service import NewJudgment
from assay.server.app import make_app

METHODS = {
    "list_audit": "audit",
    "create_benchmark": "benchmarks.create",
    "list_benchmarks": "benchmarks.list",
    "plan_benchmark": "benchmarks.plan",
    "get_benchmark": "benchmarks.get",
    "delete_benchmark": "benchmarks.delete",
    "list_runs": "benchmarks.runs",
    "start_benchmark": "benchmarks.start",
    "cancel_benchmark": "benchmarks.cancel",
    "resume_benchmark": "benchmarks.resume",
    "retry_benchmark": "benchmarks.retry",
    "undelete_benchmark": "benchmarks.undelete",
    "get_report": "benchmarks.report",
    "get_chart": "benchmarks.chart",
    "get_results": "benchmarks.results",
    "list_query_results": "benchmarks.query_results",
    "get_rankings": "benchmarks.rankings",
    "get_progress": "benchmarks.watch",
    "compare_stored": "compare",
    "check_gate": "gate",
    "search_corpus": "search",
    "list_kind": "members",
    "health": "health",
    "create_corpus": "corpora.create",
    "list_corpora": "corpora.list",
    "get_corpus": "corpora.get",
    "change_corpus": "corpora.move",
    "delete_corpus": "corpora.delete",
    "undelete_corpus": "corpora.undelete",
    "index_corpus": "corpora.index",
    "create_dataset": "datasets.upload",
    "list_datasets": "datasets.list",
    "validate_dataset": "datasets.validate",
    "get_dataset": "datasets.get",
    "change_dataset": "datasets.rename",
    "delete_dataset": "datasets.delete",
    "replace_dataset": "datasets.replace",
    "undelete_dataset": "datasets.undelete",
    "export_dataset": "datasets.export",
    "list_losses": "datasets.losses",
    "audit_dataset": "datasets.audit",
    "list_queries": "datasets.queries",
    "edit_queries": "datasets.edit",
    "edit_grade": "datasets.grade",
    "get_query_history": "datasets.history",
    "list_versions": "datasets.versions",
    "get_version": "datasets.version",
    "restore_version": "datasets.restore",
    "list_jobs": "jobs.list",
    "get_job": "jobs.get",
    "cancel_job": "jobs.cancel",
    "record_judgments": "judgments.add",
    "list_judgments": "judgments.list",
    "read_documents": "judgments.documents",
    "create_mapping": "mappings.create",
    "list_mappings": "mappings.list",
    "get_mapping": "mappings.get",
    "delete_mapping": "mappings.delete",
    "resolve_mapping": "mappings.resolve",
    "list_unresolved": "mappings.unresolved",
    "list_choices": "mappings.choices",
    "choose_document": "mappings.choose",
    "undo_choice": "mappings.undo_choice",
    "undelete_mapping": "mappings.undelete",
    "create_token": "tokens.create",
    "list_tokens": "tokens.list",
    "get_token": "tokens.get",
    "revoke_token": "tokens.revoke",
}
WITHOUT = {
    "get_start": "for a person who opens the address in a browser",
    "live": "for load balancers: it takes no token, and says nothing of the service",
    "get_metrics": "for Prometheus: a text format that programs of its own read",
}
BESIDE = {  # further methods: they use the operations above
    "benchmarks.mappings",
    "benchmarks.wait",
    "corpora.find",
    "corpora.rename",
    "datasets.find",
    "jobs.wait",
    "mappings.wait",
    "close",
}
GIVEN = {
    "candidates": ["i"],
    "configuration": {},
    "documents": ["d"],
    "file": b"{}",
    "judgments": [NewJudgment("q", "d", 1)],
    "number": 1,
    "where": {"path": "x"},
    "benchmark": "i",
    "grade": 1,
}


class SentError(Exception):
    """A request was about to be sent."""


@pytest.fixture
def recorded(monkeypatch):
    """A client whose requests are told, and not sent."""

    def ask(_self, method, path, **_):
        raise SentError(method, path)

    monkeypatch.setattr(Connection, "ask", ask)
    return Client("http://127.0.0.1:1", token="t")


@pytest.fixture(scope="module")
def operations(service):
    described = make_app(service).openapi()["paths"]
    return {
        one["operationId"]: (method.upper(), path)
        for path, methods in described.items()
        for method, one in methods.items()
    }


def test_each_operation_has_a_method_or_a_reason_to_have_none(operations):
    assert METHODS.keys() | WITHOUT.keys() == operations.keys()
    assert not METHODS.keys() & WITHOUT.keys()


def test_each_method_is_listed(recorded):
    found = set()
    for name, part in vars(recorded).items():
        if not name.startswith("_"):
            found |= {f"{name}.{one}" for one in dir(part) if not one.startswith("_")}
    found |= {one for one, _ in inspect.getmembers(Client, inspect.isfunction) if one[0] != "_"}
    assert found == {*METHODS.values()} | BESIDE


@pytest.mark.parametrize("operation", METHODS)
def test_each_method_sends_the_request_of_its_operation(recorded, operations, operation):
    method = recorded
    for name in METHODS[operation].split("."):
        method = getattr(method, name)
    required = [
        GIVEN.get(name, "i")
        for name, one in inspect.signature(method).parameters.items()
        if one.default is one.empty and one.kind is one.POSITIONAL_OR_KEYWORD
    ]
    if operation in ("create_benchmark", "plan_benchmark"):
        required = [{"mappings": []}]
    with pytest.raises(SentError) as caught:
        _read(method(*required))
    verb, path = operations[operation]
    assert caught.value.args[0] == verb
    assert re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", path), PREFIX + caught.value.args[1])


def _read(found):
    """Let a list be asked for, too."""
    return next(found) if isinstance(found, Iterator) else found

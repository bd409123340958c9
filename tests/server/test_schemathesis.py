"""Requests that schemathesis derives from the OpenAPI document, to a real process of the service.

No answer is a server error, and each is one that the document describes: its status, type, headers
and content. The service has real data, and each operation is known to succeed, too: answers of 404
alone would show little. The last phase follows the links between operations.
"""

import itertools
import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from urllib.parse import urlencode

import pytest
from tests.server.process import running_service
from tests.server.seeds import FORM, add_pending_job, make_seeds

pytestmark = [pytest.mark.service, pytest.mark.timeout(420)]

CHECKS = (
    *("not_a_server_error", "status_code_conformance", "content_type_conformance"),
    *("response_headers_conformance", "response_schema_conformance", "missing_required_header"),
    *("use_after_free", "ensure_resource_availability", "ignored_auth"),
    *("unsupported_method", "allow_header_conformance"),
)
SEED = os.environ.get("ASSAY_SEED", "20261119")
ROOT = Path(__file__).parents[2]
NOT_YET = {  # refused: nothing is deleted, resolved, cancelled or measured yet
    *("undelete_dataset", "undelete_corpus", "undelete_mapping", "undelete_benchmark"),
    *("choose_document", "undo_choice", "create_benchmark", "resume_benchmark", "retry_benchmark"),
    *("get_report", "get_results"),
}


@pytest.fixture
def seeded(tmp_path):
    """A service with data, and a request for each operation. Its workers have gone, so that what
    has not begun stays so: then each request that is meant to succeed does."""
    folder, place = tmp_path / "corpus", tmp_path / "workspace"
    folder.mkdir()
    options = ("--rate", "1000000", "--allow", f"corpus={folder}")
    with running_service(place, "--workers", "1", *options) as service:
        seeds = make_seeds(service, folder)
    with running_service(place, "--workers", "0", *options) as service:
        yield service, add_pending_job(service, seeds)


@pytest.fixture
def explore(seeded, tmp_path):
    """Run phases of schemathesis; return how often each operation answered with each status."""
    service, requests = seeded
    document = service.ask("GET", "/openapi.json")[2]
    labels = {
        one["operationId"]: f"{method.upper()} {path}"
        for path, methods in document["paths"].items()
        for method, one in methods.items()
    }
    assert set(requests) == set(labels)
    seeds = {labels[name]: one for name, one in requests.items()}
    stored, calls = tmp_path / "seeds.json", tmp_path / "calls.txt"
    stored.write_text(json.dumps({"seeds": seeds, "token": service.token.split("_")[1]}))
    env = {"ASSAY_SEEDS": str(stored), "ASSAY_CALLS": str(calls), "PYTHONPATH": str(ROOT)}
    env |= {"SCHEMATHESIS_HOOKS": "tests.server.schemathesis_hooks"}

    def run(phases, *options):
        done = subprocess.run(
            [
                *(sys.executable, "-m", "schemathesis.cli", "run", f"{service.base}/openapi.json"),
                *("--phases", phases, "--checks", ",".join(CHECKS), "--seed", SEED),
                *("--header", f"Authorization: Bearer {service.token}", *options),
                *("--continue-on-failure", "--generation-database", "none", "--no-color"),
                *("--suppress-health-check", "all", "--no-shrink", "--request-timeout", "60"),
            ],
            capture_output=True,
            text=True,
            timeout=360,
            cwd=tmp_path,
            check=False,
            env={**os.environ, **env},
        )
        assert done.returncode == 0, done.stdout[-12_000:] + done.stderr[-2_000:]
        found = Counter(calls.read_text().splitlines())
        assert not [one for one in found if one.startswith("5")], found
        return {
            name: {one[:3]: count for one, count in found.items() if one[4:] == label}
            for name, label in labels.items()
        }

    yield run
    status, _, found = service.ask("GET", "/api/v1/benchmarks")
    assert status == 200, found


def succeeding(found):
    return {name for name, answers in found.items() if any(one < "300" for one in answers)}


def test_each_operation_succeeds_on_an_example(explore):
    found = explore("examples")
    assert succeeding(found) == set(found), found


def test_covered_parts_of_schemas_are_answered_as_documented(explore):
    found = explore("coverage")
    assert len(succeeding(found)) >= 1


def test_random_requests_are_answered_as_documented(explore):
    found = explore("fuzzing", "--max-examples", "20")
    assert len(succeeding(found)) >= 1


def test_what_was_created_can_be_used_by_its_links(explore):
    found = explore("stateful", "--max-examples", "100")
    assert len(succeeding(found)) >= 10, found  # which ones depends on the seed


def test_each_link_leads_to_what_was_created(seeded):
    service, requests = seeded
    paths = service.ask("GET", "/openapi.json")[2]["paths"]
    operations = {
        one["operationId"]: (method.upper(), path, one)
        for path, methods in paths.items()
        for method, one in methods.items()
    }
    numbers = itertools.count()

    def send(name, link, created):
        """Send the request that succeeds, but to what a link names, and under a new name."""
        seed, (method, path, _) = requests[name], operations[name]
        place = path.format_map(seed["path"] | resolved(link.get("parameters", {}), created))
        query = f"?{urlencode(seed['query'])}" if seed["query"] else ""
        body = dict(seed["body"]) if "body" in seed else None
        if body is not None:
            body |= resolved(link.get("requestBody", {}), created)
            body |= {"name": f"linked {next(numbers)}"} if "name" in body else {}
        if body is None or seed["media"] != FORM:
            return service.ask(method, place + query, body)
        content = body.pop("file").encode()
        return service.upload(place, content, fields=body, method=method)

    def create(source):
        """Create something new; only a new dataset is not mapped yet."""
        fresh = source == "create_mapping"
        link = {"requestBody": {"dataset": "$response.body#/id"}} if fresh else {}
        status, _, created = send(source, link, create("create_dataset") if fresh else {})
        assert status in (201, 202), (source, created)
        return created

    links = [
        (source, link)
        for source, (_, _, about) in operations.items()
        for answer in about["responses"].values()
        for link in answer.get("links", {}).values()
    ]
    answers = {
        one["operationId"]: send(one["operationId"], one, create(source))[0]
        for source, one in links
    }
    assert max(answers.values()) < 500
    refused = {target for target, status in answers.items() if status >= 300}
    assert refused == NOT_YET


def resolved(values, created):
    """Look up what a link takes from an answer."""
    found = {}
    for name, pointer in values.items():
        value = created
        for key in pointer.removeprefix("$response.body#/").split("/"):
            value = value[key]
        found[name] = value
    return found

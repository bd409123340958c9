"""What schemathesis does besides: it knows real data of the service, and notes each answer.

Loaded by schemathesis itself. ASSAY_SEEDS names the file with a request that succeeds for each
operation, and ASSAY_CALLS the file that gets a line per answer.
"""

import itertools
import json
import os
from pathlib import Path

import schemathesis
from hypothesis import strategies as st

FOUND = json.loads(Path(os.environ["ASSAY_SEEDS"]).read_text())
SEEDS, OWN_TOKEN = FOUND["seeds"], FOUND["token"]
CALLS = Path(os.environ["ASSAY_CALLS"])
REVOKE = "DELETE /api/v1/tokens/{token}"
NUMBERS = itertools.count(1)


def fill(case):
    """Give a case the data that its operation succeeds on; its headers stay as generated."""
    seed = SEEDS[case.operation.label]
    case.path_parameters = dict(seed["path"])
    case.query = dict(seed["query"])
    if "body" in seed:
        case.body, case.media_type = seed["body"], seed["media"]
    for name in ("If-Match", "Idempotency-Key"):
        case.headers.pop(name, None)
    return case


@schemathesis.hook
def before_add_examples(context, examples):
    """Ask each operation once as a client would."""
    seed = SEEDS[context.operation.label]
    body = {"body": seed["body"], "media_type": seed["media"]} if "body" in seed else {}
    given = {"path_parameters": dict(seed["path"]), "query": dict(seed["query"]), **body}
    examples.insert(0, context.operation.Case(**given))


@schemathesis.hook
def before_generate_case(_context, strategy):
    """Let half of the cases reach what is behind the validation."""
    return st.one_of(strategy, strategy.map(fill))


@schemathesis.hook
def before_call(_context, case, _kwargs):
    """Keep the token that all requests are sent with, and give what is created another name."""
    label, body = case.operation.label, case.body
    if label == REVOKE and OWN_TOKEN in str(case.path_parameters):
        case.path_parameters = dict(SEEDS[REVOKE]["path"])
    if label.startswith("POST ") and isinstance(body, dict) and body is SEEDS[label].get("body"):
        case.body = body | ({"name": f"{body['name']} {next(NUMBERS)}"} if "name" in body else {})


@schemathesis.hook
def filter_failure(_context, failure, _case, _response):
    """Accept 429 where a token is missing: after some failures an address has to wait."""
    return "got `429 " not in failure.message


@schemathesis.hook
def after_call(_context, case, response):
    """Note which operation answered what."""
    with CALLS.open("a") as file:
        file.write(f"{response.status_code} {case.operation.label}\n")

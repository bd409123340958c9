"""Requests that schemathesis derives from the OpenAPI document, to a real process of the service.

No answer is a server error, and each is one that the document describes: its status, type, headers
and content. The last phase follows the links between operations, so that it also asks for what
earlier requests have created.
"""

import os
import subprocess
import sys

import pytest
from tests.server.process import running_service

pytestmark = [pytest.mark.service, pytest.mark.timeout(420)]

CHECKS = (
    *("not_a_server_error", "status_code_conformance", "content_type_conformance"),
    *("response_headers_conformance", "response_schema_conformance", "use_after_free"),
    *("ignored_auth", "missing_required_header", "unsupported_method", "allow_header_conformance"),
)
SEED = os.environ.get("ASSAY_SEED", "20261119")


@pytest.mark.parametrize("phases", ["examples,coverage", "fuzzing", "stateful"])
def test_each_answer_is_documented_and_none_is_a_server_error(tmp_path, phases):
    options = ("--workers", "1", "--rate", "1000000")
    with running_service(tmp_path / "workspace", *options) as service:
        done = subprocess.run(
            [
                *(sys.executable, "-m", "schemathesis.cli", "run", f"{service.base}/openapi.json"),
                *("--phases", phases, "--checks", ",".join(CHECKS), "--seed", SEED),
                *("--header", f"Authorization: Bearer {service.token}", "--max-examples", "12"),
                *("--continue-on-failure", "--generation-database", "none", "--no-color"),
                *("--max-time", "100", "--suppress-health-check", "all", "--no-shrink"),
            ],
            capture_output=True,
            text=True,
            timeout=360,
            cwd=tmp_path,
            check=False,
        )
        assert done.returncode == 0, done.stdout[-12_000:] + done.stderr[-2_000:]
        status, _, found = service.ask("GET", "/api/v1/benchmarks")
        assert status == 200, found

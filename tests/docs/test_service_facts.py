"""The pages of the service name each option, metric, limit and status that there is."""

import re
from pathlib import Path

import click
import pytest

from assay.cli import command_line
from assay.records.service import Role
from assay.server.app import make_app
from assay.server.metrics import ServiceMetrics
from assay.server.progress.hub import MOST_VIEWERS
from assay.server.security.body_check import BodyLimits
from assay.server.security.sign_in import FAILURES
from assay.server.serve import open_service
from assay.server.settings import ServeSettings
from assay.workflows.jobs.supervisor import ATTEMPTS
from assay.workflows.service.allowlist.entries import ALLOWED_KINDS
from assay.workspace.ledger.ledger import LEASE_S
from assay.workspace.locate import Workspace

DOCS = Path(__file__).parents[2] / "docs"
USE, API, OPERATION = (
    (DOCS / f"{name}.md").read_text(encoding="utf-8")
    for name in ("service", "service-api", "service-operation")
)


def first_cells(text, heading):
    """Return the first cells of the rows of a section."""
    part = text.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    return re.findall(r"^\| (.*?) \|", part, re.MULTILINE)[1:]


@pytest.fixture
def settings(tmp_path):
    return ServeSettings(Workspace(tmp_path), workers=0)


def test_each_kind_that_can_be_allowed_has_a_row():
    assert first_cells(OPERATION, "What an administrator allows") == [
        f"`{kind}`" for kind in ALLOWED_KINDS_IN_ORDER
    ]
    assert sorted(ALLOWED_KINDS_IN_ORDER) == sorted(ALLOWED_KINDS)


ALLOWED_KINDS_IN_ORDER = ("corpus", "run_file", "model", "http", "callable", "store")


def test_each_role_has_a_row():
    assert first_cells(USE, "Start") == [f"`{role}`" for role in Role.__args__]


def test_each_metric_has_a_row(settings):
    with open_service(settings) as service:
        text = ServiceMetrics(service).text().decode()
    found = set(re.findall(r"^# TYPE (\w+)", text, re.MULTILINE))
    told = set(re.findall(r"`(assay_\w+)`", OPERATION.partition("**Metrics**")[2]))
    assert {name for name in found if name.startswith("assay_")} - {
        "assay_requests_created"
    } == told


def test_each_status_has_a_row(settings):
    with open_service(settings) as service:
        paths = make_app(service).openapi()["paths"]
    answers = {
        status
        for operations in paths.values()
        for operation in operations.values()
        for status in operation["responses"]
        if status >= "400" and status != "405"  # as everywhere
    }
    told = {number for cell in first_cells(API, "Errors") for number in re.findall(r"\d+", cell)}
    assert told == answers


def test_limits_are_those_of_the_program(settings):
    rows = API.partition("\n## Limits\n")[2].partition("\n## ")[0]
    limits = BodyLimits()
    mb = 1024 * 1024
    for told in (
        f"{settings.upload_limit // mb} MB (`--upload-limit`), within {limits.upload_s / 60:g} min",
        f"{settings.query_limit:,}; {settings.judgment_limit}",
        f"{limits.json_bytes // 10**6} MB and {limits.json_values:,} values",
        f"values, within {limits.json_s:g} s",
        f"| {limits.idle_s:g} s |",
        f"{settings.rate:,} per minute (`--rate`)",
        f"{FAILURES} per minute",
        f"{MOST_VIEWERS:,} per process",
    ):
        assert told in rows, told
    assert f"for {LEASE_S:g} s after its last sign of life" in OPERATION
    assert f"more than {limits.json_depth} levels" in API
    assert ATTEMPTS == 3
    assert "that three workers have died of" in OPERATION


def options(group):
    """Collect the options of all commands."""
    found = set()
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        for one in command.params:
            found.update(one.opts)
        if isinstance(command, click.Group):
            found |= options(command)
    return found


@pytest.mark.parametrize("text", [USE, API, OPERATION], ids=["use", "api", "operation"])
def test_options_that_are_named_exist(text):
    named = set(re.findall(r"(?<![\w-])(--[a-z][a-z-]+)", text))
    assert named
    assert named <= options(command_line)


def test_each_option_of_the_start_is_named():
    serve = command_line.get_command(click.Context(command_line), "serve")
    pages = USE + API + OPERATION
    missing = [one.opts[0] for one in serve.params if one.opts[0] not in pages]
    assert missing == ["--port"]

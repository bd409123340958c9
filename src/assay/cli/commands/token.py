"""``assay token``: create, list and revoke the tokens that give access to the service."""

import sys
import time
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import click

from assay.cli.options import URL, WORKSPACE, refuse_workspace
from assay.cli.terminal.output import as_json, note, wrap
from assay.text import sanitize

__all__ = ["token"]

ROLES = ("viewer", "editor", "admin")
LONGEST_DAYS = 36_500


def _common(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options that all have."""
    return click.option("--json", "json_", is_flag=True, help="Print JSON.")(
        WORKSPACE(URL(command))
    )


@click.group("token", short_help="Create, list and revoke access tokens of the service.")
def token() -> None:
    """Create, list and revoke the tokens that give people and programs access to the service.

    They belong to the workspace, or to the database at ASSAY_DATABASE_URL, and only their hashes
    are stored. A service that is running accepts a new token at once, and refuses a revoked one
    within seconds.
    """


@token.command("create", short_help="Create a token and print it, once.")
@click.argument("name")
@click.option(
    "--role",
    type=click.Choice(ROLES),
    default="viewer",
    show_default=True,
    help="viewer: read, search, compare; editor: also change data and run benchmarks; admin: also "
    "tokens and the audit log.",
)
@click.option(
    "--days",
    type=click.FloatRange(0, LONGEST_DAYS, min_open=True),
    metavar="N",
    help="Valid for N days (default: until revoked).",
)
@_common
def create(
    name: str,
    *,
    role: Any,  # noqa: ANN401 - one of ROLES
    days: float | None,
    json_: bool,
    workspace: str | None,
    url: str | None,
) -> None:
    """Create a token for NAME, a person or a program, and print it.

    This is the only time that it is shown. NAME appears as the author of what is done with it.
    """
    refuse_workspace(url, workspace)
    if url is None:
        from assay.workflows.token import create_token

        made = create_token(name, role, days=days, workspace=workspace)
    else:
        from assay.client import Client

        with Client(url) as client:
            made = client.tokens.create(name, role, days=days)
    if json_:
        click.echo(as_json({"token": made.plain, "entry": asdict(made.entry)}))
        return
    from assay.reports.workspace.tokens import describe_expiry

    click.echo(made.plain)
    valid = describe_expiry(made.entry, now=time.time())
    note(f"token {made.entry.id} of {made.entry.name}: {role}, valid {valid}; not shown again")
    if sys.stdout.isatty():
        note("for `--url` and assay.client, set the environment variable ASSAY_TOKEN to it")


@token.command("list", short_help="List the tokens, without their secrets.")
@click.option("--all", "all_", is_flag=True, help="Also list revoked and expired tokens.")
@_common
def list_(*, all_: bool, json_: bool, workspace: str | None, url: str | None) -> None:
    """List the valid tokens, the newest first, without their secrets."""
    from assay.reports.workspace.tokens import tokens_json, tokens_table
    from assay.workflows.token import is_valid

    refuse_workspace(url, workspace)
    every = _every(url, workspace)
    now = time.time()
    found = [one for one in every if all_ or is_valid(one, now)]
    if json_:
        click.echo(as_json(tokens_json(found)))
        return
    if found:
        from assay.reports.terminal import terminal

        terminal(tokens_table(found, now=now))
    else:
        note("no valid tokens; `assay token create NAME` creates one")
    if hidden := len(every) - len(found):
        note(f"{hidden:,} revoked or expired: assay token list --all")


@token.command("revoke", short_help="Revoke a token for good.")
@click.argument("named", metavar="TOKEN")
@_common
def revoke(named: str, *, json_: bool, workspace: str | None, url: str | None) -> None:
    """Revoke a TOKEN for good, by its id or name.

    Services that are running refuse it within seconds, and close what it has open.
    """
    refuse_workspace(url, workspace)
    if url is None:
        from assay.workflows.token import revoke_token

        entry = revoke_token(named, workspace=workspace)
    else:
        from assay.client import Client
        from assay.workflows.token import find_token

        with Client(url) as client:
            entry = client.tokens.revoke(find_token(client.tokens.list(), named).id)
    if json_:
        click.echo(as_json(asdict(entry)))
    else:
        told = f"revoked token {entry.id} of {sanitize(entry.name)} ({entry.role})"
        click.echo(wrap(told), err=True)


def _every(url: str | None, workspace: str | None) -> list[Any]:
    if url is None:
        from assay.workflows.token import list_tokens

        return list_tokens(workspace=workspace)
    from assay.client import Client

    with Client(url) as client:
        return [*client.tokens.list()]

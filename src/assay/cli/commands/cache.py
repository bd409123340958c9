"""``assay cache``: what the workspace holds, and how it is kept small."""

import sys
from typing import TYPE_CHECKING, Any

import click

from assay.cli.options import WORKSPACE
from assay.cli.terminal.output import as_json, note, wrap
from assay.errors import UsageError
from assay.text.count_noun import count_noun
from assay.text.join_list import join_list

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from assay.workspace.clear import ClearResult
    from assay.workspace.prune import PruneResult

__all__ = ["cache"]

KINDS = ("tapes", "builds", "vectors", "tokens", "indexes", "reports")
REBUILT = KINDS[:-1]


def _common(command: "Callable[..., Any]") -> "Callable[..., Any]":
    """Give a command the options that all of them have, also before a second word."""
    return WORKSPACE(click.option("--json", "json_", is_flag=True, help="Print JSON.")(command))


@click.group(
    "cache",
    short_help="Show the disk usage of the workspace, and reduce it.",
    invoke_without_command=True,
)
@_common
@click.pass_context
def cache(context: click.Context, *, workspace: str | None, json_: bool) -> None:
    """Show what the workspace stores: counts, sizes, and when each kind was last used.

    Tapes (stage outputs), builds (indexes of benchmarks), cached vectors and cached tokens are
    limited to 5 GB, or to ASSAY_CACHE_LIMIT: each run removes the least recently used ones. Indexes
    of `assay index` and reports stay until they are cleared. Models are shared by all workspaces.
    """
    context.obj = {"workspace": workspace, "json_": json_}
    if context.invoked_subcommand is None:
        _show(workspace, json_=json_)


@cache.command("prune", short_help="Remove the least recently used data, down to the limit.")
@click.option(
    "--limit", metavar="SIZE", help="Limit, e.g. 500MB (default: ASSAY_CACHE_LIMIT, or 5GB)."
)
@_common
@click.pass_obj
def prune(above: dict[str, Any], *, limit: str | None, workspace: str | None, json_: bool) -> None:
    """Remove tapes (stage outputs) and builds, least recently used first, down to the limit.

    Cached vectors and tokens count towards the limit, and are removed last, oldest first. Data that
    a process is using stays. Leftovers of killed processes are always removed.
    """
    from assay.workflows.cache import prune_cache
    from assay.workspace.cache_limit import cache_limit

    allowed = cache_limit(limit, name="--limit")
    done = prune_cache(limit=allowed, workspace=workspace or above["workspace"])
    if json_ or above["json_"]:
        click.echo(as_json(_pruned_json(done)))
    else:
        click.echo(wrap(_pruned(done), out=True))
    for text in done.notes:
        note(text)


@cache.command("clear", short_help="Remove all data of one or more kinds.")
@click.argument("kinds", nargs=-1, type=click.Choice(KINDS), metavar="[KIND]...")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@_common
@click.pass_obj
def clear(
    above: dict[str, Any], *, kinds: tuple[str, ...], yes: bool, workspace: str | None, json_: bool
) -> None:
    """Remove all data of each KIND: tapes, builds, vectors, tokens, indexes or reports.

    Without KIND: all kinds except reports, since these are rebuilt when needed. Data that a process
    is using stays.
    """
    from assay.workflows.cache import clear_cache

    chosen, place = tuple(dict.fromkeys(kinds)) or REBUILT, workspace or above["workspace"]
    if not yes and not _agreed(chosen, place):
        click.echo("nothing was removed", err=True)
        return
    done = clear_cache(chosen, workspace=place)
    if json_ or above["json_"]:
        click.echo(as_json({one.name: _cleared_json(one) for one in done}))
        return
    for one in done:
        click.echo(_cleared(one))


def _show(workspace: str | None, *, json_: bool) -> None:
    from assay.workflows.cache import cache as workflow

    found = workflow(workspace=workspace)
    if json_:
        from assay.reports.cache.json import json

        click.echo(as_json(json(found.parts, limit=found.limit, workspace=str(found.workspace))))
        return
    from assay.reports.cache.table import table
    from assay.reports.terminal import terminal

    terminal(table(found.parts, limit=found.limit))


def _agreed(kinds: "Sequence[str]", workspace: str | None) -> bool:
    """Ask a person, who is shown how much it is; a program has to say --yes."""
    if not (sys.stdin and sys.stdin.isatty()):
        hint = "add --yes: without a terminal, Assay cannot ask"
        raise UsageError("removal must be confirmed", hint=hint)
    from assay.reports.cache.size import size
    from assay.workflows.cache import cache as workflow

    parts = {part.name: part for part in workflow(workspace=workspace).parts}
    for kind in kinds:
        click.echo(f"{kind}: {parts[kind].count:,}, {size(parts[kind].bytes)}", err=True)
    total = size(sum(parts[kind].bytes for kind in kinds))
    return click.confirm(wrap(f"Remove all {', '.join(kinds)} ({total})?"), err=True)


def _pruned(done: "PruneResult") -> str:
    from assay.reports.cache.size import size

    parts = [count_noun(done.tapes, "stage output"), count_noun(done.builds, "build")]
    parts += [f"old {name}" for name in ("vectors", "tokens") if done.freed.get(name)]
    freed = sum(done.freed.values())
    removed = f"removed {join_list(parts)} ({size(freed)})" if freed else "nothing to remove"
    if done.bytes <= done.limit:
        return f"{removed}; {size(done.bytes)} of {size(done.limit)} used"
    above = f"{size(done.bytes)} left, above the limit of {size(done.limit)}"
    return f"{removed}; {above} (--limit, ASSAY_CACHE_LIMIT): {_reason(done)}"


def _reason(done: "PruneResult") -> str:
    """Say why more is left than the limit."""
    if done.notes:
        return "some data could not be removed"
    if done.in_use:
        items = count_noun(done.in_use, "item is", "items are")
        return f"{items} in use by a running process"
    return "the files of the vector and token caches are empty, but still take this space"


def _pruned_json(done: "PruneResult") -> dict[str, Any]:
    return {
        "limit_bytes": done.limit,
        "limited_bytes": done.bytes,
        "removed": {"tapes": done.tapes, "builds": done.builds},
        "freed_bytes": dict(done.freed),
        "in_use": done.in_use,
    }


def _cleared(one: "ClearResult") -> str:
    from assay.reports.cache.size import size

    in_use = f"; {one.in_use:,} in use and not removed" if one.in_use else ""
    return f"{one.name}: removed {one.removed:,} ({size(one.freed)}){in_use}"


def _cleared_json(one: "ClearResult") -> dict[str, int]:
    return {"removed": one.removed, "freed_bytes": one.freed, "in_use": one.in_use}

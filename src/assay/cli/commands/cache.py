"""``assay cache``: what the workspace holds, and how it is kept small."""

import sys
from typing import TYPE_CHECKING, Any

import click

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
    workspace = click.option(
        "--workspace",
        type=click.Path(file_okay=False),
        metavar="FOLDER",
        help="Which workspace (default: the nearest .assay).",
    )
    return workspace(click.option("--json", "json_", is_flag=True, help="Print JSON.")(command))


@click.group(
    "cache",
    short_help="Show what the workspace holds, and make it smaller.",
    invoke_without_command=True,
)
@_common
@click.pass_context
def cache(context: click.Context, *, workspace: str | None, json_: bool) -> None:
    """Show what the workspace holds: counts, bytes, and when each kind was last used.

    Tapes (what searches answered), builds (indexes of benchmarks), remembered vectors and tokens
    are kept below 5 GB, or ASSAY_CACHE_LIMIT: every run removes what was not used for longest.
    Indexes of `assay index` and reports stay until they are cleared. Models are shared by all
    workspaces. Takes --json and --workspace FOLDER.
    """
    context.obj = {"workspace": workspace, "json_": json_}
    if context.invoked_subcommand is None:
        _show(workspace, json_=json_)


@cache.command("prune", short_help="Remove what was not used for longest, down to the limit.")
@click.option("--limit", metavar="SIZE", help="Such as 500MB (default: ASSAY_CACHE_LIMIT, or 5GB).")
@_common
@click.pass_obj
def prune(above: dict[str, Any], *, limit: str | None, workspace: str | None, json_: bool) -> None:
    """Remove tapes and builds, the least recently used first, until all is below the limit.

    Remembered vectors and tokens count, too, and go last, the oldest first. What a process works
    on stays; what killed processes left goes in any case.
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


@cache.command("clear", short_help="Remove all of a kind.")
@click.argument("kinds", nargs=-1, type=click.Choice(KINDS), metavar="[KIND]...")
@click.option("--yes", is_flag=True, help="Do not ask.")
@_common
@click.pass_obj
def clear(
    above: dict[str, Any], *, kinds: tuple[str, ...], yes: bool, workspace: str | None, json_: bool
) -> None:
    """Remove all tapes, builds, vectors, tokens, indexes or reports, whichever are named.

    Without a name: all but reports, since all of these are made again when they are needed. What a
    process works on stays.
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
        hint = "add --yes: there is nobody to ask"
        raise UsageError("nothing is cleared without a yes", hint=hint)
    from assay.reports.cache.size import size
    from assay.workflows.cache import cache as workflow

    parts = {part.name: part for part in workflow(workspace=workspace).parts}
    for kind in kinds:
        click.echo(f"{kind}: {parts[kind].count:,}, {size(parts[kind].bytes)}", err=True)
    total = size(sum(parts[kind].bytes for kind in kinds))
    return click.confirm(wrap(f"Remove all {', '.join(kinds)} ({total})?"), err=True)


def _pruned(done: "PruneResult") -> str:
    from assay.reports.cache.size import size

    parts = [count_noun(done.tapes, "tape"), count_noun(done.builds, "build")]
    parts += [f"old {name}" for name in ("vectors", "tokens") if done.freed.get(name)]
    removed = f"removed {join_list(parts)}, {size(sum(done.freed.values()))}"
    if done.bytes <= done.limit:
        return f"{removed}; {size(done.bytes)} of {size(done.limit)} are taken"
    above = f"{size(done.bytes)} are left, more than the limit of {size(done.limit)}"
    return f"{removed}; {above}: {_reason(done)}"


def _reason(done: "PruneResult") -> str:
    """Say why there is more left than there may be."""
    if done.notes:
        return "not all could be removed"
    if done.in_use:
        stays = "stays" if done.in_use == 1 else "stay"
        return f"{done.in_use:,} in use {stays} until the process that works on it ends"
    return "the files that remember vectors and tokens are empty, and stay"


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

    stay = "it stays" if one.in_use == 1 else "they stay"
    in_use = f"; {one.in_use:,} in use, so {stay}" if one.in_use else ""
    return f"{one.name}: removed {one.removed:,}, {size(one.freed)}{in_use}"


def _cleared_json(one: "ClearResult") -> dict[str, int]:
    return {"removed": one.removed, "freed_bytes": one.freed, "in_use": one.in_use}

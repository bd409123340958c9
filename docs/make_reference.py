"""Write the reference pages from the program: docs/commands.md, docs/metrics.md, docs/http-api.md.

Run ``python -m docs.make_reference`` after changing a command, a metric or a route; a test
compares.
"""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click

import assay.metrics
from assay import catalogue
from assay.cli import command_line
from assay.metrics import between
from assay.records import Kind

if TYPE_CHECKING:
    from fastapi import FastAPI

__all__ = ["main", "pages"]

FOLDER = Path(__file__).parent


TOKENS = """\
The cut-off of `hit`, `mrr`, `ndcg` and `recall` may be a number of tokens: `recall@4000tokens` is
the recall of what fits into 4,000 tokens. Results are taken from the top, each as a whole, until
one does not fit. Tokens are counted by the rule that measures `chunk_size`, in what is returned:
documents, chunks or symbols, as [`unit`](benchmarks.md#units) says. A corpus is needed for it,
and a `top_k` that fills that many tokens: a note says where it does not."""


def main() -> None:
    """Write the pages."""
    for name, text in pages().items():
        (FOLDER / name).write_text(text, encoding="utf-8")


def pages() -> dict[str, str]:
    """Return each page by its file name."""
    return {"commands.md": _commands(), "metrics.md": _metrics(), "http-api.md": _http_api()}


def _commands() -> str:
    parts = ["# Commands", "", "Written by `python -m docs.make_reference` from the program.", ""]
    return "\n".join([*parts, *_group(command_line, "")])


def _group(group: click.Group, prefix: str) -> list[str]:
    """Describe each command of a group, and those of the groups in it."""
    context = click.Context(group, info_name="assay")
    parts = []
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            parts += [f"## {prefix}{name}", "", _help(command), ""]
            parts += _group(command, f"{prefix}{name} ")
        elif command is not None:
            parts += _command(f"{prefix}{name}", command)
    return parts


def _command(name: str, command: click.Command) -> list[str]:
    arguments = [p for p in command.params if isinstance(p, click.Argument)]
    options = [p for p in command.params if isinstance(p, click.Option)]
    usage = " ".join(["assay", name, *(_argument(argument) for argument in arguments)])
    rows = [f"| {_option(option)} | {_meaning(option)} |" for option in options]
    table = ["| option | meaning |", "|---|---|", *rows]
    return [f"## {name}", "", f"`{usage}`", "", _help(command), "", *table, ""]


def _help(command: click.Command) -> str:
    return "\n".join(line.strip() for line in (command.help or "").splitlines())


def _argument(argument: click.Argument) -> str:
    return str(argument.metavar or (argument.name or "").upper())


def _option(option: click.Option) -> str:
    names = ", ".join(option.opts)
    if isinstance(option.type, click.Choice):
        return f"`{names}` {' / '.join(f'`{choice}`' for choice in option.type.choices)}"
    if option.is_flag:
        return f"`{names}`"
    number = isinstance(option.type, click.types.IntParamType | click.types.FloatParamType)
    return f"`{names} {option.metavar or ('NUMBER' if number else 'TEXT')}`"


def _meaning(option: click.Option) -> str:
    shown = f" (default {option.default})"
    return f"{option.help}{shown if option.show_default else ''}".replace("|", "\\|")


def _metrics() -> str:
    parts = ["# Metrics", "", "Written by `python -m docs.make_reference` from the program.", ""]
    parts += ["Write a metric as `name(parameter=value)@k`. `rel=` sets the lowest grade that"]
    parts += ["counts as relevant. Spellings of ir_measures and trec_eval are understood.", ""]
    parts += [*TOKENS.splitlines(), ""]
    parts += ["| metric | what it does | cut-off | grades | parameters |", "|---|---|---|---|---|"]
    for name in catalogue.files(assay.metrics):
        kind: Kind = catalogue.find(assay.metrics, name).kind  # type: ignore[attr-defined]
        parts.append(_row(name, kind))
    parts += ["", "Between two runs, in `assay compare`:", ""]
    parts += ["| metric | what it does |", "|---|---|"]
    for name in catalogue.files(between):
        summary = (catalogue.find(between, name).__doc__ or "").partition("\n")[0]
        parts.append(f"| `{name}` | {summary} |")
    return "\n".join([*parts, ""])


def _row(name: str, kind: Kind) -> str:
    given = [f"{key}={value:g}" for key, value in kind.parameters.items()]
    given += ["rel=1"] if kind.levels else []
    graded = "used" if kind.graded else "relevant or not"
    return f"| `{name}` | {kind.summary} | {kind.cutoff} | {graded} | {', '.join(given) or '-'} |"


HTTP_API = """\
Written by `python -m docs.make_reference` from the OpenAPI document of the service, which
`assay serve` has at `/openapi.json`, with the schemas of all requests and answers.
[service-api.md](service-api.md) explains what is the same everywhere: tokens, pages, errors,
`If-Match`, `Idempotency-Key`.

The role is the least that a token needs: an `editor` may do what a `viewer` may, an `admin`
everything."""


def _http_api() -> str:
    parts = ["# HTTP API", "", *HTTP_API.splitlines(), ""]
    with TemporaryDirectory() as folder:
        document, roles = _app(Path(folder)).openapi(), dict(_roles())
    subjects: dict[str, list[str]] = {}
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            subject = operation["tags"][0]
            role = roles[method.upper(), path]
            row = f"| `{method.upper()}` | `{path}` | {role} | {_sentence(operation)} |"
            subjects.setdefault(subject, []).append(row)
            if "x-websocket-messages" in operation:
                sent = "Sends a snapshot, then each change: [progress](service-api.md#progress)."
                subjects[subject].append(f"| `WebSocket` | `{path}` | {role} | {sent} |")
    for subject, rows in sorted(subjects.items()):
        head = ["| method | path | role | what it does |", "|---|---|---|---|"]
        parts += [f"## {subject.capitalize()}", "", *head, *rows, ""]
    return "\n".join(parts)


def _app(folder: Path) -> "FastAPI":
    """Make the application of a service that is never run."""
    from assay.server.app import make_app
    from assay.server.serve import open_service
    from assay.server.settings import ServeSettings
    from assay.workspace.locate import Workspace

    with open_service(ServeSettings(Workspace(folder), workers=0)) as service:
        return make_app(service)


def _roles() -> Iterator[tuple[tuple[str, str], str]]:
    """Find which role each route requires."""
    from fastapi.routing import APIRoute

    from assay.server import routes

    for module in catalogue.files(routes):
        for route in import_module(f"{routes.__name__}.{module}").router.routes:
            if isinstance(route, APIRoute):
                required = [getattr(one.call, "role", "") for one in route.dependant.dependencies]
                role = next(filter(None, required), "no token")
                yield from (((method, route.path), role) for method in route.methods or ())


def _sentence(operation: dict[str, Any]) -> str:
    """Return the first paragraph of a description, for a cell."""
    first = str(operation["description"]).strip().partition("\n\n")[0]
    return " ".join(first.replace("``", "`").split()).replace("|", "\\|")


if __name__ == "__main__":
    main()

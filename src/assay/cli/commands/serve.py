"""``assay serve``: the whole product over HTTP, on this machine or for a team."""

import gc
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.cli.options import WORKSPACE
from assay.cli.terminal.output import note, one_thread, wrap

if TYPE_CHECKING:
    from assay.server.settings import ServeSettings

__all__ = ["serve"]

MB = 1024 * 1024
FILE = click.Path(dir_okay=False, path_type=Path)


@click.command(short_help="Serve benchmarks, datasets and searches over HTTP.")
@click.option(
    "--host", default="127.0.0.1", show_default=True, metavar="HOST", help="Address to listen on."
)
@click.option(
    "--port",
    type=click.IntRange(0, 65_535),
    default=8787,
    show_default=True,
    metavar="PORT",
    help="Port to listen on; 0: any free one.",
)
@click.option(
    "--workers",
    type=click.IntRange(0, 256),
    default=1,
    show_default=True,
    metavar="N",
    help="Worker processes that the service runs; 0: none, see `assay worker`.",
)
@click.option(
    "--memory-limit", type=click.IntRange(64), metavar="MB", help="Memory limit of each worker."
)
@click.option(
    "--upload-limit",
    type=click.IntRange(1, 10_000),
    default=10,
    show_default=True,
    metavar="MB",
    help="Largest upload.",
)
@click.option(
    "--rate",
    type=click.IntRange(1),
    default=1200,
    show_default=True,
    metavar="N",
    help="Requests per minute that each token may send.",
)
@click.option(
    "--allow",
    multiple=True,
    metavar="KIND=VALUE",
    help="What requests may name: corpus=FOLDER, run_file=FOLDER, model=NAME, http=ADDRESS, "
    "callable=MODULE:NAME or store=KIND; can be repeated.",
)
@click.option(
    "--host-name",
    "hosts",
    multiple=True,
    metavar="NAME",
    help="A further name under which the service is reached; can be repeated.",
)
@click.option("--certificate", type=FILE, metavar="FILE", help="TLS certificate (PEM).")
@click.option("--key", type=FILE, metavar="FILE", help="Private key of the certificate (PEM).")
@click.option("--proxy", is_flag=True, help="A proxy in front of the service handles TLS.")
@click.option("--log-json", is_flag=True, help="Log each request as a line of JSON on stderr.")
@click.option(
    "--retention-days",
    type=click.FloatRange(0, 36_500),
    default=30.0,
    show_default=True,
    metavar="N",
    help="Remove deleted items for good after N days; 0: never.",
)
@click.option(
    "--check", is_flag=True, help="Check settings, database, disk and port; change nothing."
)
@WORKSPACE
def serve(*, check: bool, workspace: str | None, **options: Any) -> int:  # noqa: ANN401
    """Serve benchmarks, datasets and searches over HTTP until a signal ends it.

    The first line of the output is the address to open; its token is valid for 7 days. Without
    --host only this machine can reach the service; any other HOST requires a token of `assay token
    create`. SIGTERM stops it in order: open requests are finished, and unfinished benchmarks
    continue at the next start. With --check, exits with 0 if the service could start and with 1 if
    not.
    """
    from assay.extras import require_extra

    require_extra("server", "`assay serve` needs packages that are not installed")
    settings = _settings(workspace, options)
    one_thread()  # this process, not its workers: settings have the environment from before
    if check:
        return _check(settings)
    gc.disable()  # hardly anything that is made at the start is garbage; `run` enables it again
    try:
        return _serve(settings)
    finally:
        gc.enable()


def _serve(settings: "ServeSettings") -> int:
    from assay.server.serve import serve as run
    from assay.server.start_link import is_loopback

    if not is_loopback(settings.host) and not settings.secure:
        note("tokens are sent unencrypted: use --certificate and --key, or a proxy with --proxy")
    return run(settings, ready=click.echo)


def _settings(workspace: str | None, options: dict[str, Any]) -> "ServeSettings":
    from assay.server.settings import ServeSettings
    from assay.workspace.locate import locate

    limit = options.pop("memory_limit")
    options["memory_limit"] = None if limit is None else limit * MB
    options["upload_limit"] *= MB
    return ServeSettings(place=locate(given=workspace), **options)


def _check(settings: "ServeSettings") -> int:
    from assay.server.check_service import check_service

    found = check_service(settings)
    for one in found:
        state = "warning" if one.warning else "ok" if one.ok else "problem"
        click.echo(wrap(f"{state:<8} {one.name}: {one.text}", out=True))
        if one.hint:
            click.echo(wrap(f"{'':9}hint: {one.hint}", out=True))
    return int(not all(one.ok for one in found))

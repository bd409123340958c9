"""Reports of a service, by the id of a benchmark, its beginning, or its name."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from assay.cli.terminal.output import note
from assay.errors import ConflictError, NotFoundError
from assay.text.join_list import first_named
from assay.text.quote import quote_value

if TYPE_CHECKING:
    from assay.client import Client
    from assay.records import Report
    from assay.records.service import BenchmarkStatus

__all__ = ["fetch_report", "fetch_sides", "find_benchmark", "open_remote", "without_token"]

SHORT = 8
SHOWN = 5


def fetch_report(client: "Client", named: str) -> "Report":
    """Return the report of a benchmark of a service; ConflictError while it has none."""
    from assay.reports.runs.json.read import load_report

    found = find_benchmark(client, named, reported=True)
    content = client.benchmarks.report(found.id)
    return load_report(content, where=f"benchmark {found.id} of {client.url}")


def find_benchmark(client: "Client", named: str, *, reported: bool = False) -> "BenchmarkStatus":
    """Find a benchmark by its id, the beginning of its id, or its name.

    Of several with a name it is the newest, or the newest that has a report (``reported``).
    """
    try:
        return client.benchmarks.get(named)
    except NotFoundError as error:
        listed = [*client.benchmarks.list()]
        begun = [one for one in listed if one.id.startswith(named)]
        found = begun or _newest_named(listed, named, reported=reported)
        if len(found) == 1:
            return found[0]
        if found:
            ids = first_named([one.id for one in found], SHOWN)
            problem = f"{quote_value(named)} is the beginning of several ids"
            raise ConflictError(problem, where=client.url, hint=f"use one of {ids}") from None
        names = first_named([f"{one.id[:SHORT]} ({one.name})" for one in listed], SHOWN)
        hint = f"available: {names}" if names else "create one: assay run FILE --url ..."
        problem = f"no benchmark {quote_value(named)}"
        raise NotFoundError(problem, where=client.url, hint=hint) from error


def _newest_named(
    listed: "Sequence[BenchmarkStatus]", name: str, *, reported: bool
) -> "list[BenchmarkStatus]":
    """Choose one of the benchmarks with a name, and say which where there are several."""
    found = [one for one in listed if one.name == name]
    chosen = next((one for one in found if one.reported or not reported), None) or (
        found[0] if found else None
    )
    if chosen is None:
        return []
    if chosen is not found[0]:
        newest = f"the newest, {found[0].id[:SHORT]}, is {found[0].state} and has no report"
        note(f"{len(found):,} benchmarks are named {quote_value(name)}; {newest}")
        note(f"this is the newest that has one: {chosen.id[:SHORT]}")
    elif len(found) > 1:
        note(f"{len(found):,} benchmarks are named {quote_value(name)}; this is the newest")
        note(f"its id is {chosen.id[:SHORT]}; `assay show --url ...` lists the others")
    return [chosen]


def open_remote(url: str, named: str | None) -> "tuple[Report, str, str]":
    """Return a report of a service (the newest, if none is named), how commands name it, a run."""
    from assay.client import Client
    from assay.records.command import at_service, report_place

    with Client(url) as client:
        place, run = (_newest(client), "") if named is None else _split(named)
        report = at_service(fetch_report(client, place), client.url)
        return report, report_place(report), run


def _newest(client: "Client") -> str:
    listed = client.benchmarks.list()
    newest = next((one for one in listed if one.reported), None)
    if newest is None:
        hint = "create one: assay run FILE --url ..."
        raise NotFoundError("no benchmark has a report yet", where=client.url, hint=hint)
    return newest.id


def fetch_sides(url: str, sides: "tuple[str, ...]") -> "list[str | Report]":
    """Return what a gate compares: files of this machine stay, and others are reports there."""
    from assay.client import Client

    with Client(url) as client:
        return [one if _is_local(one) else _side(client, one) for one in sides]


def _side(client: "Client", named: str) -> "Report":
    """Return a report, with the one run that was named if one was."""
    place, run = _split(named)
    report = fetch_report(client, place)
    if not run:
        return report
    from dataclasses import replace

    from assay.workflows.show import find_run

    return replace(report, runs=(find_run(report, run),))


def _is_local(named: str) -> bool:
    from assay.benchmarks.open_report import split_run

    place, _ = split_run(named)
    return place == "-" or os.path.isfile(place)  # noqa: PTH113 - never raises


def _split(named: str) -> tuple[str, str]:
    place, _, run = named.partition(":")
    return place, run


def without_token(url: str) -> str:
    """Return an address without its query, which may be the token of a start link.

    >>> without_token("http://127.0.0.1:8787/?token=secret")
    'http://127.0.0.1:8787'
    """
    return url.partition("?")[0].rstrip("/")

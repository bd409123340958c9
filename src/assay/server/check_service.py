"""Whether the service could start, part by part; nothing is changed."""

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from assay.errors import AssayError, InputError, UsageError
from assay.server.certificates import refuse_certificate
from assay.server.serve import open_socket
from assay.server.settings import ServeSettings
from assay.server.start_link import has_token, is_loopback
from assay.text.count_noun import count_noun
from assay.workflows.service.allowed import Allowed
from assay.workspace.database_state import read_database
from assay.workspace.disk.connections import reading
from assay.workspace.disk.faults import explained
from assay.workspace.ledger.open_database import NEWEST
from assay.workspace.locate import Workspace

__all__ = ["CheckResult", "check_service"]

MB = 1024 * 1024
LEAST_FREE = 500 * MB


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What was checked, and what came of it; a problem or a warning has a hint."""

    name: str
    ok: bool
    text: str
    hint: str = ""
    warning: bool = False


def check_service(settings: ServeSettings) -> list[CheckResult]:
    """Check all that a start needs, and report every problem."""
    return [*_results(settings)]


def _results(settings: ServeSettings) -> Iterator[CheckResult]:
    yield _result("settings", lambda: _settings(settings))
    yield from _missing(settings)
    yield _result("certificate", lambda: _certificate(settings))
    database = _result("database", lambda: _database(settings.place))
    yield database
    if database.ok:
        yield _result("integrity", lambda: _integrity(settings.place))
        yield _result("access", lambda: _access(settings))
    yield _result("disk", lambda: _disk(settings.place.folder))
    yield _result("address", lambda: _address(settings))


def _result(name: str, check: Callable[[], str]) -> CheckResult:
    try:
        return CheckResult(name, ok=True, text=check())
    except AssayError as error:
        where = f"{error.where}: " if error.where else ""
        return CheckResult(name, ok=False, text=f"{where}{error.problem}", hint=error.hint)
    except (OSError, sqlite3.Error) as error:
        return CheckResult(name, ok=False, text=str(error))


def _settings(settings: ServeSettings) -> str:
    Allowed(settings.allow)
    workers = count_noun(settings.workers, "worker")
    return f"{workers}, {count_noun(len(settings.allow), 'allowed entry')}"


def _missing(settings: ServeSettings) -> Iterator[CheckResult]:
    """Warn of what is allowed and is not there now, as the start does."""
    with suppress(AssayError):  # reported with the settings
        for text, hint in Allowed(settings.allow).missing():
            yield CheckResult("--allow", ok=True, text=text, hint=hint, warning=True)


def _certificate(settings: ServeSettings) -> str:
    refuse_certificate(settings)
    if settings.certificate is not None:
        return f"{settings.certificate} can be used"
    return "TLS is handled by a proxy" if settings.proxy else "none, HTTP only"


def _database(place: Workspace) -> str:
    state = read_database(place.database)
    if state.step is None:
        return f"{state.place}: created at the first start"
    if state.step > NEWEST:
        hint = "install the newer version of Assay again, or restore a backup"
        problem = f"schema version {state.step} is newer than this version ({NEWEST})"
        raise InputError(problem, where=state.place, hint=hint)
    if state.step < NEWEST:
        return f"{state.place}: schema version {state.step}, upgraded to {NEWEST} at the start"
    return f"{state.place}: schema version {state.step}"


def _integrity(place: Workspace) -> str:
    if place.url:
        return "checked by the database server"
    if not place.has_database:
        return "nothing to check"
    with explained(place.ledger), closing(reading(place.ledger)) as connection:
        found = [str(row[0]) for row in connection.execute("PRAGMA quick_check(3)")]
    if found != ["ok"]:
        hint = "restore a backup: assay workspace restore FILE --force"
        raise InputError(f"is damaged ({found[0]})", where=str(place.ledger), hint=hint)
    return "no damage found"


def _access(settings: ServeSettings) -> str:
    """Tell whether somebody can sign in; a database of an older version is not opened for it."""
    if is_loopback(settings.host):
        return "only this machine; the start link has a token"
    hint = "create one first: assay token create NAME --role admin"
    problem = f"{settings.host} can be reached from other machines, and there is no token"
    state = read_database(settings.place.database)
    if not state.counts.get("tokens"):
        raise UsageError(problem, hint=hint)
    if state.step != NEWEST:
        return f"tokens: {state.counts['tokens']:,}"
    from assay.workspace.store.store import open_service_store

    with closing(open_service_store(settings.place.database)) as store:
        if not has_token(store):
            raise UsageError(problem, hint=hint)
    return "at least one valid token"


def _disk(folder: Path) -> str:
    there = next(one for one in (folder, *folder.parents) if one.exists())
    if not there.is_dir() or not os.access(there, os.W_OK | os.X_OK):
        hint = "check its permissions, or choose another one with --workspace"
        raise InputError("not a folder that can be written to", where=str(there), hint=hint)
    free = shutil.disk_usage(there).free
    if free < LEAST_FREE:
        hint = "free some space; `assay cache` shows what the workspace uses"
        problem = f"only {free // MB:,} MB free"
        raise InputError(problem, where=str(there), hint=hint)
    return f"{free // MB:,} MB free in {there}"


def _address(settings: ServeSettings) -> str:
    with open_socket(settings.host, settings.port):
        return f"{settings.host}:{settings.port} is free"

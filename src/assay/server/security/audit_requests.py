"""Note in the audit log who changed what, and who could not sign in."""

import logging
import re
from collections.abc import Mapping

from sqlalchemy.exc import SQLAlchemyError
from starlette.concurrency import run_in_threadpool
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from assay.errors import AssayError
from assay.server.security.access import Person
from assay.server.security.log_text import client_of, method_of, path_of
from assay.server.security.origin_check import SAFE
from assay.workspace.store.store import ServiceStore

__all__ = ["AuditRequests", "note_sign_in_failure"]

# The store and the ledger note changes of these themselves, in the transaction of the change.
NOTED = re.compile("/api/v1/(datasets|corpora|mappings|judgments|tokens|benchmarks|jobs)(/|$)")
READS = re.compile("/api/v1/(search|gate|comparisons|plans)(/|$)")  # by POST, for their size
LOGGER = logging.getLogger("assay.server")


class AuditRequests:
    """Middleware that notes each change that succeeded and that nothing else notes."""

    def __init__(self, app: ASGIApp, *, store: ServiceStore) -> None:
        self._app, self._store = app, store

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and note it if it changed something."""
        path = scope.get("path", "")
        if scope["type"] != "http" or scope["method"] in SAFE:
            await self._app(scope, receive, send)
            return
        status = 500

        async def watched(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        await self._app(scope, receive, watched)
        person = scope.get("state", {}).get("person")
        if status < 400 and person and not NOTED.match(path) and not READS.match(path):
            await run_in_threadpool(self._note, scope, person, status)

    def _note(self, scope: Scope, person: Person, status: int) -> None:
        about = {"status": status, "token": person.token, "client": client_of(scope)}
        act = f"request.{method_of(scope).lower()}"
        _note(self._store, act, path_of(scope), author=person.name, after=about)


def note_sign_in_failure(store: ServiceStore, scope: Scope, reason: str) -> None:
    """Note that somebody could not sign in."""
    about = {"reason": reason, "method": method_of(scope), "path": path_of(scope)}
    client = client_of(scope)
    _note(store, "sign_in.refused", client, author=f"client {client}", after=about)


def _note(
    store: ServiceStore, act: str, thing: str, *, author: str, after: Mapping[str, object]
) -> None:
    """Add an entry; a database that is busy stops nobody, but the log says so."""
    try:
        store.audit.note(act, thing, author=author, after=after)
    except (AssayError, SQLAlchemyError, OSError) as error:
        LOGGER.error("the audit log misses %s %s: %s", act, thing, type(error).__name__)  # noqa: TRY400

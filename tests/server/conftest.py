"""A service in this process: its routes, without what protects them, and without workers."""

import tempfile
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from assay.server.app import make_app
from assay.server.security.access import Person
from assay.server.settings import ServeSettings
from assay.server.state import Service
from assay.workflows.jobs.perform import perform
from assay.workflows.service.allowed import Allowed
from assay.workspace.ledger.ledger import open_ledger
from assay.workspace.locate import Workspace
from assay.workspace.store.store import open_service_store

MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None  # these tests wait for many commits
collect_ignore = ["schemathesis_hooks.py"]  # schemathesis loads it, with what it needs
ROLE, NAME = "x-test-role", "x-test-name"
NOBODY = "nobody"


class Client(TestClient):
    """Sends requests as a person of some role: an administrator, until another is chosen."""

    def role(self, role, name="Ada"):
        """Send as a viewer, an editor or an admin from now on; as nobody with None."""
        self.headers[ROLE] = role or NOBODY
        self.headers[NAME] = name
        return self


class Persons:
    """Says who sent a request, as the middleware of the service does from a token."""

    def __init__(self, app):
        self._app = app

    async def __call__(self, scope, receive, send):
        if scope["type"] in ("http", "websocket"):
            headers = {key.decode(): value.decode() for key, value in scope["headers"]}
            role = headers.get(ROLE, "admin")
            if role != NOBODY:
                person = Person(headers.get(NAME, "Ada"), role, "0123456789ab")
                scope.setdefault("state", {})["person"] = person
        await self._app(scope, receive, send)


@pytest.fixture
def make_service():
    """Open services on workspaces of their own; settings and the clock can be others."""
    with ExitStack() as stack:

        def made(*, place=None, clock=None, **settings):
            if place is None:
                place = Workspace(
                    Path(stack.enter_context(tempfile.TemporaryDirectory(dir=MEMORY)))
                )
            chosen = replace(ServeSettings(place, workers=0, port=0), **settings)
            clocks = {} if clock is None else {"clock": clock}
            ledger = open_ledger(place.database, **clocks)
            stack.callback(ledger.close)
            store = open_service_store(place.database, **clocks)
            stack.callback(store.close)
            return Service(chosen, store, ledger, Allowed(chosen.allow))

        yield made


@pytest.fixture
def settings():
    """Settings of `service` other than the default ones; a test file may have its own."""
    return {}


@pytest.fixture
def service(make_service, settings):
    return make_service(**settings)


@pytest.fixture
def make_client():
    """Make clients of services; each has its own application."""
    with ExitStack() as stack:

        def made(service):
            app = make_app(service)
            app.add_middleware(Persons)
            return stack.enter_context(Client(app, base_url="http://127.0.0.1:8787"))

        yield made


@pytest.fixture
def client(make_client, service):
    return make_client(service)


@pytest.fixture
def wait_for_job(service):
    """Do a job here, as a worker would, and return how it ended; what it fails for is raised."""

    def wait(job):
        stored = service.ledger.job(job)
        perform(stored, service.place)
        return (
            service.ledger.find(job)
            if stored.kind == "benchmark"
            else service.ledger.job_status(job)
        )

    return wait

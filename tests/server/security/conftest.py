"""What protects the service, around routes that do nothing, and tokens of each role."""

import logging
from contextlib import ExitStack

import pytest
from fastapi import FastAPI, Request, UploadFile
from starlette.websockets import WebSocket
from tests.server.security.routes import BASE, PORT, Secured

from assay.server.problem import install_problems
from assay.server.security.access import Admin, Editor, Viewer, person_of
from assay.server.security.install import install_security


def add_test_routes(app):
    """Add routes that do nothing but say that they were reached."""

    @app.get("/test/who")
    def route_who(person: Viewer):
        return {"name": person.name, "role": person.role}

    @app.post("/test/json")
    async def route_json(_person: Editor, request: Request):
        return {"bytes": len(await request.body())}

    @app.post("/test/report")
    async def route_report(_person: Viewer, request: Request):
        return {"bytes": len(await request.body())}

    @app.post("/test/upload")
    def route_upload(_person: Editor, file: UploadFile):
        return {"bytes": len(file.file.read())}

    @app.delete("/test/all")
    def route_delete(_person: Admin):
        return {}

    @app.get("/test/bug")
    def route_bug(_person: Viewer):
        raise RuntimeError("assay_0123456789ab_" + "s" * 43)

    @app.websocket("/test/socket")
    async def route_socket(websocket: WebSocket):
        person = person_of(websocket)
        await websocket.accept()
        await websocket.send_text(person.name)
        await websocket.close()


@pytest.fixture
def tokens(service):
    """A plain token of each role."""
    return {
        role: service.store.tokens.create(f"the {role}", role, author="test").plain
        for role in ("viewer", "editor", "admin")
    }


@pytest.fixture
def make_secured():
    with ExitStack() as stack:

        def made(service, **options):
            app = FastAPI()
            app.state.service = service
            install_problems(app)
            add_test_routes(app)
            install_security(app, service, port=PORT, **options)
            client = Secured(app, base_url=BASE, follow_redirects=False)
            return stack.enter_context(client)

        yield made


@pytest.fixture
def secured(service, make_secured):
    return make_secured(service)


@pytest.fixture
def refusals(caplog):
    """The lines of the log that say what was refused."""
    caplog.set_level(logging.INFO, "assay.server")
    return lambda: [one.getMessage() for one in caplog.records if one.msg.startswith("refused")]

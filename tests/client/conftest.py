"""A service in this process that listens on a port, and a client of it."""

import threading
import time
from contextlib import closing, contextmanager

import pytest
import uvicorn

from assay.client import Client
from assay.server.app import make_app
from assay.server.security.install import install_security
from assay.server.serve import open_socket
from assay.server.settings import ServeSettings
from assay.server.state import Service
from assay.workflows.service.allowed import Allowed
from assay.workflows.worker import worker
from assay.workspace.ledger.ledger import open_ledger
from assay.workspace.locate import Workspace
from assay.workspace.store.store import open_service_store


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    folder = tmp_path_factory.mktemp("service")
    place = Workspace(folder)
    with (
        closing(open_ledger(place.database)) as ledger,
        closing(open_service_store(place.database)) as store,
    ):
        yield Service(ServeSettings(place, workers=0, port=0), store, ledger, Allowed())


@pytest.fixture(scope="module")
def address(service):
    """Where the service listens."""
    with open_socket("127.0.0.1", 0) as listening:
        port = listening.getsockname()[1]
        app = make_app(service)
        install_security(app, service, port=port)
        config = uvicorn.Config(app, log_config=None, access_log=False)
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        until = time.monotonic() + 60
        while not server.started:
            assert thread.is_alive()
            assert time.monotonic() < until
            time.sleep(0.02)
        yield f"http://127.0.0.1:{port}"
        server.should_exit = True
        thread.join(60)


@pytest.fixture(scope="module")
def token(service):
    return service.store.tokens.create("Ada", "admin", author="tests").plain


@pytest.fixture
def client(address, token):
    with Client(address, token=token, patience_s=5) as made:
        yield made


@pytest.fixture
def work(service):
    """Do all pending jobs, as a worker process would."""

    def done():
        return worker(workspace=service.place.folder)

    return done


@pytest.fixture
def working(work):
    """Have jobs done while something else waits for them."""

    @contextmanager
    def meanwhile():
        ended = threading.Event()

        def loop():
            while not ended.is_set():
                work()
                ended.wait(0.1)

        thread = threading.Thread(target=loop)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join(120)

    return meanwhile

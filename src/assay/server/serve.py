"""Run the service: open the workspace, listen, print the address, stop in order."""

import asyncio
import atexit
import gc
import logging
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack, contextmanager, suppress

import uvicorn

from assay.errors import AssayError, InputError, UsageError
from assay.server.app import make_app
from assay.server.certificates import refuse_certificate
from assay.server.logs import logging_to_stderr
from assay.server.progress.denied_websockets import DeniedWebSockets
from assay.server.security.install import install_security
from assay.server.security.timed_headers import TimedHeaders
from assay.server.settings import ServeSettings
from assay.server.start_link import has_token, is_loopback, start_address
from assay.server.state import Service
from assay.text.count_noun import count_noun
from assay.workflows.jobs.dispatch import Dispatch, NoDispatch
from assay.workflows.service.allowed import Allowed
from assay.workspace.ledger.ledger import open_ledger
from assay.workspace.store.store import open_service_store

__all__ = ["INTERRUPTED", "open_service", "open_socket", "serve"]

DRAIN_S = 5  # for which open requests are waited for at the end
CANCEL_S = 1.0  # in which threads must end after that
CLOSING_S = 20.0  # for closing workers and database while abandoned requests compute
THREADS = "AnyIO worker thread"  # the name of those in which requests are handled
FAREWELL_S = 0.2  # in which viewers are told that the service stops
RETENTION_S = 3600.0
INTERRUPTED = 130
BACKLOG = 128  # connections that are accepted at once: each that fails, as without files, is logged
NO_DISPATCH = NoDispatch()
LOGGER = logging.getLogger("assay.server")
_SIGNALS = (signal.SIGINT, signal.SIGTERM)


def serve(settings: ServeSettings, *, ready: Callable[[str], None] = print) -> int:
    """Run the service until a signal ends it, and return its exit code.

    ``ready`` is given its address: 0 after SIGTERM, which is how a service is stopped, and 130
    after an interrupt. If requests still compute when their time is over, workers and database are
    closed and the process ends here, since threads cannot be stopped.
    """
    refuse_certificate(settings)
    others = {*threading.enumerate()}
    with ExitStack() as stack:
        stack.enter_context(logging_to_stderr(as_json=settings.log_json))
        listening = stack.enter_context(open_socket(settings.host, settings.port))
        dispatch = _make_dispatch(settings)
        service = stack.enter_context(open_service(settings, dispatch))
        for problem, hint in service.allowed.missing():
            LOGGER.warning("--allow: %s (hint: %s)", problem, hint)
        server = _make_server(service, listening, ready)
        dispatch.start()
        stack.callback(dispatch.stop)
        stack.enter_context(_retention(settings))
        server.run(sockets=[listening])
        code = INTERRUPTED if server.interrupted else 0
        if abandoned := _unfinished(others, CANCEL_S):
            requests = count_noun(abandoned, "request")
            LOGGER.warning("%s did not end in time and were abandoned", requests)
            _end_after(CLOSING_S, code)
    if abandoned:
        atexit._run_exitfuncs()
        _end_process(code)
    return code


@contextmanager
def open_service(settings: ServeSettings, dispatch: Dispatch = NO_DISPATCH) -> Iterator[Service]:
    """Open the workspace: its database is upgraded first, with a backup."""
    from assay.workspace.backups.upgrade import upgrade_with_backup

    allowed = Allowed(settings.allow)
    settings.place.folder.mkdir(parents=True, exist_ok=True)
    upgrade_with_backup(settings.place)
    with ExitStack() as stack:
        ledger = open_ledger(settings.place.database)
        stack.callback(ledger.close)
        store = open_service_store(settings.place.database)
        stack.callback(store.close)
        if not is_loopback(settings.host) and not has_token(store):
            hint = "create one first: assay token create NAME --role admin"
            problem = f"{settings.host} can be reached from other machines, and there is no token"
            raise UsageError(problem, hint=hint)
        yield Service(settings, store, ledger, allowed, dispatch)


@contextmanager
def open_socket(host: str, port: int) -> Iterator[socket.socket]:
    """Take the port, before anything else is done."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        made = socket.create_server((host.strip("[]"), port), family=family, backlog=2048)
    except (OSError, OverflowError) as error:
        told = str(getattr(error, "strerror", None) or error)
        reason = told.partition(" (while attempting")[0]  # what follows repeats the address
        hint = "choose another port with --port, or 0 for any free one"
        raise InputError(f"cannot listen ({reason})", where=f"{host}:{port}", hint=hint) from None
    # Connections inherit it. Else the body of an answer would wait for the client's acknowledgement
    # of its headers, which systems delay by 40 ms.
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    with made:
        yield made


def _make_server(
    service: Service, listening: socket.socket, ready: Callable[[str], None]
) -> "_Server":
    settings, port = service.settings, listening.getsockname()[1]
    app = make_app(service)
    install_security(app, service, port=port)
    config = uvicorn.Config(
        app,
        http=TimedHeaders,
        ws=DeniedWebSockets,
        access_log=False,
        log_config=None,
        server_header=False,
        backlog=BACKLOG,
        ws_per_message_deflate=False,
        ws_max_size=4096,
        timeout_graceful_shutdown=DRAIN_S,
        proxy_headers=settings.proxy,
        ssl_certfile=settings.certificate,
        ssl_keyfile=settings.key,
    )

    def say() -> None:
        ready(start_address(settings, service.store, port))

    return _Server(config, say, app.state.progress.stop)


def _make_dispatch(settings: ServeSettings) -> Dispatch:
    """Run worker processes beside the service, and restart those that die; 0: run none."""
    if not settings.workers:
        return NO_DISPATCH
    from assay.workflows.jobs.supervisor import Supervisor

    return Supervisor(
        settings.place,
        processes=settings.workers,
        memory_limit=settings.memory_limit,
        environment=settings.environment,
    )


@contextmanager
def _retention(settings: ServeSettings) -> Iterator[None]:
    """Remove now and then what was deleted long ago."""
    if settings.retention_days <= 0:
        yield
        return
    stopped = threading.Event()

    def work() -> None:
        from assay.workflows.retention import retain

        while not stopped.wait(RETENTION_S):
            try:
                retain(place=settings.place, days=settings.retention_days)
            except (AssayError, OSError) as error:  # tried again an hour later
                LOGGER.warning("retention: %s", error)

    thread = threading.Thread(target=work, name="retention", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stopped.set()


def _unfinished(others: Collection[threading.Thread], wait_s: float) -> int:
    """Count the threads of requests that still run after some time; idle ones end at once."""
    threads = [one for one in threading.enumerate() if one.name == THREADS and one not in others]
    until = time.monotonic() + wait_s
    for one in threads:
        one.join(max(0.0, until - time.monotonic()))
    return sum(one.is_alive() for one in threads)


def _end_after(seconds: float, code: int) -> None:
    """End the process after some time, even if something that is closed waits for a thread."""
    timer = threading.Timer(seconds, _end_process, [code])
    timer.daemon = True
    timer.start()


def _end_process(code: int) -> None:
    """End without waiting for threads; what was written is on its way."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):  # closed, or not there
            stream.flush()
    os._exit(code)


class _Server(uvicorn.Server):
    """A server that says when it can be asked, and viewers when it stops."""

    def __init__(
        self, config: uvicorn.Config, ready: Callable[[], None], stopping: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self._ready = ready
        self._stopping = stopping

    @property
    def interrupted(self) -> bool:
        """Whether it was an interrupt that ended it."""
        return signal.SIGINT in self._captured_signals

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and say so."""
        await super().startup(sockets)
        if self.started:
            gc.freeze()  # what was made until now stays: no collection looks at it again
            gc.enable()
            await asyncio.to_thread(self._ready)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept nothing more, close what viewers watch, and finish open requests."""
        for server in self.servers:
            server.close()
        await asyncio.to_thread(self._stopping)
        await asyncio.sleep(FAREWELL_S)
        with suppress(TimeoutError):  # its end needs a thread, and all of them may be taken
            async with asyncio.timeout(DRAIN_S + CANCEL_S):
                await super().shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop at a signal, and leave it at that: it is not raised again at the end."""
        handled = {one: signal.signal(one, self.handle_exit) for one in _SIGNALS}
        try:
            yield
        finally:
            for number, handler in handled.items():
                signal.signal(number, handler)

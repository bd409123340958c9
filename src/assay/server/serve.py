"""Run the service: open the workspace, listen, print the address, stop in order."""

import ipaddress
import logging
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from secrets import token_hex

import uvicorn

from assay.errors import InputError, UsageError
from assay.server.app import make_app
from assay.server.security.install import install_security
from assay.server.settings import ServeSettings
from assay.server.state import Service
from assay.workflows.service.allowed import Allowed
from assay.workspace.ledger.ledger import open_ledger
from assay.workspace.store.store import ServiceStore, open_service_store

__all__ = ["is_loopback", "open_service", "serve"]

START_TOKEN_DAYS = 7
DAY_S = 86_400.0
AUTHOR = "assay serve"
DRAIN_S = 5  # for which open requests are waited for at the end
RETENTION_S = 3600.0
LOGGER = logging.getLogger("assay.server")


def serve(settings: ServeSettings, *, ready: Callable[[str], None] = print) -> None:
    """Run the service until it is told to stop; ``ready`` is given its address."""
    with ExitStack() as stack:
        service = stack.enter_context(open_service(settings))
        listening = stack.enter_context(_listen(settings.host, settings.port))
        port = listening.getsockname()[1]
        app = make_app(service)
        install_security(app, service, port=port)
        config = uvicorn.Config(
            app,
            access_log=False,
            log_config=None,
            server_header=False,
            ws_per_message_deflate=False,
            ws_max_size=4096,
            timeout_graceful_shutdown=DRAIN_S,
            proxy_headers=settings.proxy,
            ssl_certfile=settings.certificate,
            ssl_keyfile=settings.key,
        )
        address = _address(settings, service.store, port)
        stack.enter_context(_workers(settings))
        stack.enter_context(_retention(settings))
        _Server(config, lambda: ready(address)).run(sockets=[listening])


@contextmanager
def open_service(settings: ServeSettings) -> Iterator[Service]:
    """Open the workspace: its database is upgraded first, with a backup."""
    from assay.workspace.backups.upgrade import upgrade_with_backup

    if (settings.certificate is None) != (settings.key is None):
        hint = "give both --certificate FILE and --key FILE"
        raise UsageError("TLS needs a certificate and its key", hint=hint)
    allowed = Allowed(settings.allow)
    settings.place.folder.mkdir(parents=True, exist_ok=True)
    upgrade_with_backup(settings.place)
    with ExitStack() as stack:
        ledger = open_ledger(settings.place.database)
        stack.callback(ledger.close)
        store = open_service_store(settings.place.database)
        stack.callback(store.close)
        if not is_loopback(settings.host) and not _has_token(store):
            hint = "create one first: assay token create NAME --role admin"
            problem = f"{settings.host} can be reached from other machines, and there is no token"
            raise UsageError(problem, hint=hint)
        yield Service(settings, store, ledger, allowed)


def is_loopback(host: str) -> bool:
    """Tell whether only this machine can reach an address."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def _has_token(store: ServiceStore) -> bool:
    """Tell whether somebody could sign in: a token that is neither revoked nor expired."""
    cursor, now = "", datetime.now(UTC).timestamp()
    while True:
        page = store.tokens.page(limit=200, cursor=cursor)
        for one in page.items:
            if one.revoked is None and (one.expires is None or one.expires > now):
                return True
        if not page.next:
            return False
        cursor = page.next


def _address(settings: ServeSettings, store: ServiceStore, port: int) -> str:
    """Return the address to open; on this machine it has a new token, valid for some days."""
    scheme = "https" if settings.certificate else "http"
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    address = f"{scheme}://{host}:{port}/"
    if not is_loopback(settings.host):
        return address
    moment = datetime.now(UTC)
    made = store.tokens.create(
        f"start link {moment:%Y-%m-%d %H:%M} {token_hex(3)}",
        "admin",
        expires=moment.timestamp() + START_TOKEN_DAYS * DAY_S,
        author=AUTHOR,
    )
    return f"{address}?token={made.plain}"


@contextmanager
def _listen(host: str, port: int) -> Iterator[socket.socket]:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        made = socket.create_server((host.strip("[]"), port), family=family, backlog=2048)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        hint = "choose another port with --port, or 0 for any free one"
        raise InputError(f"cannot listen ({reason})", where=f"{host}:{port}", hint=hint) from None
    with made:
        yield made


@contextmanager
def _workers(settings: ServeSettings) -> Iterator[None]:
    """Run worker processes beside the service, and restart those that die."""
    if not settings.workers:
        yield
        return
    from assay.workflows.jobs.supervisor import Supervisor

    supervisor = Supervisor(
        settings.place, processes=settings.workers, memory_limit=settings.memory_limit
    )
    supervisor.start()
    try:
        yield
    finally:
        supervisor.stop()


@contextmanager
def _retention(settings: ServeSettings) -> Iterator[None]:
    """Remove now and then what was deleted long ago."""
    if settings.retention_days <= 0:
        yield
        return
    stopped = threading.Event()

    def work() -> None:
        from assay.errors import AssayError
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


class _Server(uvicorn.Server):
    """A server that says when it can be asked."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and say so."""
        await super().startup(sockets)
        if self.started:
            self._ready()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop at a signal, and leave it at that: it is not raised again at the end."""
        handled = {one: signal.signal(one, self.handle_exit) for one in _SIGNALS}
        try:
            yield
        finally:
            for number, handler in handled.items():
                signal.signal(number, handler)


_SIGNALS = (signal.SIGINT, signal.SIGTERM)

"""Find out who sends a request: by a token in its header, or in the cookie of a start link."""

from time import time
from urllib.parse import parse_qsl, quote, urlencode

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from assay.errors import AccessError
from assay.records.service import TokenEntry
from assay.server.problem import Problem, refuse
from assay.server.security.access import COOKIE, Person
from assay.server.security.audit_requests import note_sign_in_failure
from assay.server.security.known_tokens import KnownTokens
from assay.server.security.log_text import client_of
from assay.server.security.rate_limit import RateLimit
from assay.workspace.store.store import ServiceStore

__all__ = ["PUBLIC", "SignIn"]

PUBLIC = ("/health/live",)  # paths that need no token
READING = ("GET", "HEAD")
FAILURES = 30  # per minute and client address
NOTED = 60  # failures per minute that the audit log gets, of all clients


class SignIn:
    """Middleware that puts the person into the state of a request; nobody unknown gets past it.

    An address with many failures is answered 429, except for tokens that were valid before: whoever
    shares the address with an attacker is not locked out.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        store: ServiceStore,
        known: KnownTokens,
        requests: RateLimit,
        secure: bool,
    ) -> None:
        self._app, self._store, self._known = app, store, known
        self._requests, self._secure = requests, secure
        self._failures, self._noted = RateLimit(FAILURES), RateLimit(NOTED)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on with its person, or refuse it."""
        reading = scope["type"] == "http" and scope["method"] in READING
        if scope["type"] not in ("http", "websocket") or (reading and scope["path"] in PUBLIC):
            await self._app(scope, receive, send)
            return
        given = [one for name, one in _query(scope) if name == "token"] if reading else []
        try:
            plain = given[0] if len(given) == 1 else _token_of(scope, given)
            entry = await self._entry(scope, plain)
        except AccessError as error:
            await self._refuse_unknown(scope, receive, send, error)
            return
        if not self._requests.hit(entry.id):
            await refuse(scope, receive, send, _too_many(self._requests.wait_s(entry.id)))
            return
        scope.setdefault("state", {})["person"] = Person(entry.name, entry.role, entry.id)
        if given:
            await self._signed_in(scope, plain, entry)(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _entry(self, scope: Scope, plain: str) -> TokenEntry:
        found = self._known.fresh(plain)
        if found is not None:
            return found
        if self._failures.is_reached(client_of(scope)) and not self._known.was_valid(plain):
            raise AccessError("too many failures to sign in")
        return await run_in_threadpool(self._known.check, plain)

    async def _refuse_unknown(
        self, scope: Scope, receive: Receive, send: Send, error: AccessError
    ) -> None:
        client = client_of(scope)
        if not self._failures.hit(client):
            await refuse(scope, receive, send, _too_many(self._failures.wait_s(client)))
            return
        if self._noted.hit("all"):
            await run_in_threadpool(note_sign_in_failure, self._store, scope, error.problem)
        headers = {"WWW-Authenticate": "Bearer"}
        problem = Problem(401, error.problem, "access", hint=error.hint, headers=headers)
        await refuse(scope, receive, send, problem)

    def _signed_in(self, scope: Scope, plain: str, entry: TokenEntry) -> Response:
        """Answer with the cookie, and the same address without the token."""
        # Two slashes at the start would lead to another host.
        path = "/" + quote(scope["path"].lstrip("/\\"), safe="/:@!$'()*+,;=~", errors="replace")
        rest = urlencode([one for one in _query(scope) if one[0] != "token"])
        answer = Response(status_code=303, headers={"Location": f"{path}?{rest}" if rest else path})
        age = None if entry.expires is None else max(0, int(entry.expires - time()))
        answer.set_cookie(
            COOKIE, plain, max_age=age, secure=self._secure, httponly=True, samesite="strict"
        )
        return answer


def _query(scope: Scope) -> list[tuple[str, str]]:
    try:
        text = scope.get("query_string", b"").decode("latin-1")
        return parse_qsl(text, keep_blank_values=True, max_num_fields=1000)
    except ValueError:
        return []


def _token_of(scope: Scope, given: list[str]) -> str:
    """Return the token of the header, else of the cookie; AccessError without exactly one."""
    headers = Headers(scope=scope)
    values = headers.getlist("authorization")
    if given or len(values) > 1:
        raise AccessError("there are several tokens", hint="send one")
    if values:
        scheme, _, plain = values[0].partition(" ")
        if scheme.lower() != "bearer" or not plain.strip():
            hint = "send `Authorization: Bearer TOKEN`"
            raise AccessError("the header Authorization has no token", hint=hint)
        return plain.strip()
    for value in headers.getlist("cookie"):
        if found := cookie_parser(value).get(COOKIE):
            return found
    hint = "send a token as `Authorization: Bearer TOKEN`, or open the start link"
    raise AccessError("the token is missing", hint=hint)


def _too_many(wait_s: int) -> Problem:
    hint = f"try again in {wait_s} s"
    return Problem(429, "too many requests", hint=hint, headers={"Retry-After": str(wait_s)})

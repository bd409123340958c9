"""The settings of a request -> what is sent for one query, and what must never be shown."""

import json
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import SplitResult, quote, urlencode, urlsplit

from assay.engines.systems._plain_secrets import check_plain_secrets
from assay.engines.systems._template import Places, fill, missing, named, shown, values
from assay.errors import InputError
from assay.http.connections import HttpRequest, parse_server
from assay.records import Query

__all__ = ["Request"]

METHODS = ("GET", "POST", "PUT")
TOKEN = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
FRAMING = ("content-length", "transfer-encoding", "connection", "expect", "accept-encoding")
DEEPEST = 100  # mappings and lists in each other
RESERVED = "/:?#[]@!$&'()*+,;=%~"  # of an address: written by whoever wrote it as they should be


class Request:
    """How one query is asked: a template of an address, of headers and of a body."""

    def __init__(
        self,
        *,
        url: str,
        method: str | None = None,
        headers: Mapping[str, str] | None = None,
        params: Mapping[str, Any] | None = None,
        request: object = None,
    ) -> None:
        self._url, self._params, self._body = url, _mapping(params, "params"), request
        self._given = _mapping(headers, "headers")
        _check_url(url)
        _check_body(request)
        self.method = _method(method, request)
        self.environment = values(url, self._given, self._params, request)
        self._check()
        self.server = self._server()
        self._headers = self._filled_headers()

    @property
    def shown(self) -> str:
        """The address as a message may have it."""
        return shown(self._url, self.environment)

    @property
    def settings(self) -> dict[str, object]:
        """All that decides what is sent; variables by their names."""
        parts = {"url": self._url, "method": self.method, "headers": dict(self._given)}
        return {**parts, "params": dict(self._params), "request": self._body}

    @property
    def places(self) -> set[str]:
        """The places that it has: query, top, id, vector."""
        return named([self._url, self._params, self._body])

    def sent(self, query: Query, top: int, *, vector: list[float] | None = None) -> HttpRequest:
        """Fill in one query."""
        text, key = _sound(query.text), _sound(query.key)
        places = Places(self.environment, query=text, top=top, id=key, vector=vector)
        body = None
        if self._body is not None:
            body = json.dumps(fill(self._body, places), allow_nan=False).encode()
        return HttpRequest(self.method, self._target(places), self._headers, body)

    def _target(self, places: Places) -> str:
        parts = urlsplit(_address(self._url, places))
        given = {key: _texts(fill(value, places)) for key, value in self._params.items()}
        asked = "&".join(part for part in (parts.query, urlencode(given, doseq=True)) if part)
        target = quote(parts.path or "/", safe=RESERVED)
        return f"{target}?{quote(asked, safe=RESERVED)}" if asked else target

    def _check(self) -> None:
        parts = {"url": self._url, "params": self._params, "request": self._body}
        for name, template in {**parts, "headers": self._given}.items():
            if refused := missing(template, self.environment):
                raise InputError(refused.problem, where=name, hint=refused.hint)
        check_plain_secrets(self._url, self._given, self._params, self._body)
        if "vector" in named([self._url, self._params]):
            hint = 'write it into request, as vector: "{vector}"'
            raise InputError("{vector} can only stand in request", where="url", hint=hint)
        if not self.places & {"query", "id", "vector"}:
            hint = 'write "{query}" where it belongs, in request, params or url'
            raise InputError("sends the query nowhere", where="request", hint=hint)

    def _server(self) -> SplitResult:
        """Find the server, which no query can change."""
        filled = [Places(self.environment, query=text, id=text) for text in "ab"]
        one, other = (parse_server(_address(self._url, places)) for places in filled)
        if one is None or other is None:
            hint = "write it as https://HOST:PORT/PATH"
            raise InputError(f"{self.shown!r:.200} is no address", where="url", hint=hint)
        if one.netloc != other.netloc:
            hint = "name one server; the query belongs behind it"
            raise InputError("lets the query choose the server", where="url", hint=hint)
        if one.username is not None or one.password is not None:
            hint = 'use headers: {Authorization: "Basic ${NAME}"}, NAME from the environment'
            raise InputError("holds a user's name or password", where="url", hint=hint)
        return one

    def _filled_headers(self) -> dict[str, str]:
        told = {"Accept": "application/json", "User-Agent": "assay"}
        if self._body is not None:
            told["Content-Type"] = "application/json"
        places = Places(self.environment)
        for name, template in self._given.items():
            _check_header(name, template)
            told = {key: value for key, value in told.items() if key.lower() != name.lower()}
            told[name] = _value(name, str(fill(template, places)).strip())
        return {name: value for name, value in told.items() if value}  # a default may be empty


def _address(url: str, places: Places) -> str:
    """Fill an address; what comes of a query is encoded, what is of the environment stands."""
    return str(fill(url, places, write=lambda text: quote(text, safe="")))


def _sound(text: str) -> str:
    """Replace halves of characters, which no encoding can write."""
    return text.encode("utf-8", "replace").decode()


def _texts(value: object) -> object:
    """Write switches as JSON does, not as Python."""
    if isinstance(value, list):
        return [_texts(one) for one in value]
    return str(value).lower() if isinstance(value, bool) else "" if value is None else value


def _mapping(given: object, name: str) -> Mapping[str, Any]:
    if given is None:
        return {}
    if not isinstance(given, Mapping) or not all(isinstance(key, str) for key in given):
        hint = f"give names and values, e.g. {name}: {{NAME: VALUE}}"
        raise InputError(f"cannot be {given!r:.60}", where=name, hint=hint)
    for key, value in given.items():
        some = value if isinstance(value, list | tuple) else [value]
        if not all(one is None or isinstance(one, str | int | float) for one in some):
            raise InputError("is no text", where=f"{name}.{key}", hint="give a text, or a number")
    return given


def _method(given: object, request: object) -> str:
    method = ("GET" if request is None else "POST") if given is None else given
    if not isinstance(method, str) or method.upper() not in METHODS:
        hint = f"it can be {', '.join(METHODS)}"
        raise InputError(f"cannot be {given!r:.60}", where="method", hint=hint)
    return method.upper()


def _check_url(url: object) -> None:
    if not isinstance(url, str) or not url.isprintable() or " " in url or not url:
        hint = "write it as https://HOST:PORT/PATH"
        raise InputError(f"cannot be {url!r:.60}", where="url", hint=hint)


def _check_body(body: object) -> None:
    if _depth(body) > DEEPEST:
        hint = f"give a structure of at most {DEEPEST} levels"
        raise InputError("is nested too deeply", where="request", hint=hint)
    try:
        json.dumps(body, allow_nan=False, sort_keys=True)
    except (TypeError, ValueError) as error:
        hint = "give texts, numbers, true, false, lists and mappings"
        raise InputError(f"cannot be sent as JSON ({error})", where="request", hint=hint) from None
    if isinstance(body, str):
        hint = "give its structure, e.g. request: {q: '{query}'}"
        raise InputError("is a text", where="request", hint=hint)


def _depth(body: object) -> int:
    """Count the levels of a structure, as far as it matters; one may hold itself."""
    depth, level = 0, [body]
    while level and depth <= DEEPEST:
        inner = [list(one.values()) if isinstance(one, Mapping) else one for one in level]
        lists = (one for one in inner if isinstance(one, list | tuple))
        level = list({id(part): part for one in lists for part in one}.values())
        depth += 1
    return depth


def _check_header(name: str, template: object) -> None:
    where = f"headers.{name:.60}"
    if not TOKEN.fullmatch(name) or name.lower() in FRAMING:
        raise InputError("cannot be set", where=where, hint="leave it out")
    if isinstance(template, bool) or not isinstance(template, str | int | float):
        raise InputError("is no text", where=where, hint="give a text")
    if found := named(template):
        hint = "write it into request, params or url"
        problem = f"{{{min(found)}}} can only stand in request, params and url"
        raise InputError(problem, where=where, hint=hint)


def _value(name: str, value: str) -> str:
    """Refuse what no header can hold; the message must not have it."""
    if not value.isprintable() or not value.isascii():
        hint = "look for line breaks and unusual letters in what it is made of"
        raise InputError("cannot be sent in a header", where=f"headers.{name}", hint=hint)
    return value

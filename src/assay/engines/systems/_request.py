"""The settings of a request -> what is sent for one query, and what must never be shown."""

import json
import re
from collections.abc import Mapping
from functools import partial
from typing import Any
from urllib.parse import SplitResult, quote, urlencode, urlsplit

from assay.engines.systems._plain_secrets import check_plain_secrets
from assay.engines.systems._query_fields import fields_of
from assay.engines.systems._template import (
    Places,
    check_places,
    fill,
    missing,
    named,
    needed,
    shown,
    values,
)
from assay.errors import InputError
from assay.http.connections import HttpRequest, parse_server
from assay.http.targets import leads_elsewhere
from assay.records import Query
from assay.text.quote import quote_value

__all__ = ["Request"]

METHODS = ("GET", "POST", "PUT")
TOKEN = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
FRAMING = ("content-length", "transfer-encoding", "connection", "expect", "accept-encoding")
DEEPEST = 100  # mappings and lists in each other
INSTEAD = "put it into params or request instead"
RESERVED = "/:?#[]@!$&'()*+,;=%~"  # of an address: written by whoever wrote it as they should be


class Request:
    """How one query is asked: a template of an address, of headers and of a body.

    In a ``confined`` one no query can lead out of the folder that the address names.
    """

    def __init__(
        self,
        *,
        url: str,
        method: str | None = None,
        headers: Mapping[str, str] | None = None,
        params: Mapping[str, Any] | None = None,
        request: object = None,
        confined: bool = False,
    ) -> None:
        self._url, self._params, self._body = url, _mapping(params, "params"), request
        self._given, self._confined = _mapping(headers, "headers"), confined
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
        """The places that it has: query, top, id, vector, query.FIELD."""
        return named([self._url, self._params, self._body])

    @property
    def needs(self) -> set[str]:
        """The fields that every query must have."""
        return needed([self._url, self._params, self._body])

    def sent(self, query: Query, top: int, *, vector: list[float] | None = None) -> HttpRequest:
        """Fill in one query."""
        text, key, field = _sound(query.text), _sound(query.key), fields_of(query.variables)
        places = Places(self.environment, query=text, top=top, id=key, vector=vector, field=field)
        body = None if self._body is None else _json(fill(self._body, places))
        return HttpRequest(self.method, self._target(places), self._headers, body)

    def _target(self, places: Places) -> str:
        parts = urlsplit(_address(self._url, places))
        if self._confined and leads_elsewhere(parts.path):
            problem = "a text of the query leads to another folder of the server"
            raise InputError(problem, where="url", hint=INSTEAD)
        given = {key: _texts(fill(value, places), key) for key, value in self._params.items()}
        asked = "&".join(part for part in (parts.query, urlencode(given, doseq=True)) if part)
        target = quote(parts.path or "/", safe=RESERVED)
        return f"{target}?{quote(asked, safe=RESERVED)}" if asked else target

    def _check(self) -> None:
        parts = {"url": self._url, "params": self._params, "request": self._body}
        for name, template in {**parts, "headers": self._given}.items():
            if refused := missing(template, self.environment):
                raise InputError(refused.problem, where=name, hint=refused.hint)
            _check_places(template, name)
        check_plain_secrets(self._url, self._given, self._params, self._body)
        if "vector" in named([self._url, self._params]):
            hint = 'put it into request, e.g. request: {vector: "{vector}"}'
            raise InputError("{vector} is only allowed in request", where="url", hint=hint)
        if not self.places - {"top"}:
            hint = 'put "{query}" into request, params or url, e.g. params: {q: "{query}"}'
            raise InputError("does not contain the query", where="request", hint=hint)

    def _server(self) -> SplitResult:
        """Find the server, which no query can change."""
        filled = [
            Places(self.environment, query=text, id=text, field=partial(_same, text))
            for text in "ab"
        ]
        one, other = (parse_server(_address(self._url, places)) for places in filled)
        if one is None or other is None:
            hint = "expected e.g. https://localhost:9200/index/_search"
            raise InputError(f"invalid URL {quote_value(self.shown, 200)}", where="url", hint=hint)
        if one.netloc != other.netloc:
            hint = "use a fixed server; put {query} into the path, params or request"
            raise InputError("the server must not depend on the query", where="url", hint=hint)
        if one.username is not None or one.password is not None:
            hint = 'use headers: {Authorization: "Basic ${NAME}"} and set that variable'
            raise InputError("contains a user name or password", where="url", hint=hint)
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


def _same(text: str, _: str) -> str:
    return text


def _address(url: str, places: Places) -> str:
    """Fill an address; what comes of a query is encoded, what is of the environment stands."""
    return str(fill(url, places, write=_part))


def _part(text: str) -> str:
    """Encode a part of an address; dots alone would lead to another folder, encoded or not."""
    if text in (".", ".."):
        raise InputError(f'"{text}" cannot be part of an address', where="url", hint=INSTEAD)
    return quote(_sound(text), safe="")


def _sound(text: str) -> str:
    """Replace halves of characters, which no encoding can write."""
    return text.encode("utf-8", "replace").decode()


def _texts(value: object, key: str) -> object:
    """Write a parameter, or a list of its values; switches as JSON does, not as Python."""
    if isinstance(value, list):
        return [_single(one, key) for one in value]
    return _single(value, key)


def _single(value: object, key: str) -> str:
    if isinstance(value, Mapping | list):
        hint = "use a text, a number, true, false, null, or a list of these"
        raise InputError(f"a structure cannot be sent as the parameter {key}", hint=hint)
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else _sound(str(value))


def _json(body: object) -> bytes:
    try:
        return json.dumps(body, allow_nan=False).encode()
    except (TypeError, ValueError) as error:
        hint = "check the fields of this query in the dataset"
        raise InputError(f"the request cannot be written as JSON ({error})", hint=hint) from None


def _check_places(template: object, name: str) -> None:
    """Refuse a place that does not exist; headers have none, and a request may hold braces."""
    try:
        check_places(template, whole=name in ("request", "headers"))
    except InputError as error:
        where = ", ".join(filter(None, (name, error.where)))
        raise InputError(error.problem, where=where, hint=error.hint) from None


def _mapping(given: object, name: str) -> Mapping[str, Any]:
    if given is None:
        return {}
    if not isinstance(given, Mapping) or not all(isinstance(key, str) for key in given):
        hint = f"expected names and values, e.g. {name}: {{NAME: VALUE}}"
        raise InputError(f"invalid value {quote_value(given)}", where=name, hint=hint)
    for key, value in given.items():
        some = value if isinstance(value, list | tuple) else [value]
        if not all(one is None or isinstance(one, str | int | float) for one in some):
            hint = "expected a text or a number"
            raise InputError("not a text", where=f"{name}.{key}", hint=hint)
    return given


def _method(given: object, request: object) -> str:
    method = ("GET" if request is None else "POST") if given is None else given
    if not isinstance(method, str) or method.upper() not in METHODS:
        hint = f"expected {', '.join(METHODS[:-1])} or {METHODS[-1]}"
        raise InputError(f"invalid value {quote_value(given)}", where="method", hint=hint)
    return method.upper()


def _check_url(url: object) -> None:
    if not isinstance(url, str) or not url.isprintable() or " " in url or not url:
        hint = "expected e.g. https://localhost:9200/index/_search"
        raise InputError(f"invalid URL {quote_value(url)}", where="url", hint=hint)


def _check_body(body: object) -> None:
    if _depth(body) > DEEPEST:
        hint = f"use at most {DEEPEST} levels"
        raise InputError("nested too deeply", where="request", hint=hint)
    try:
        json.dumps(body, allow_nan=False, sort_keys=True)
    except (TypeError, ValueError) as error:
        hint = "use only texts, numbers, booleans, null, lists and mappings"
        raise InputError(f"cannot be sent as JSON ({error})", where="request", hint=hint) from None
    if isinstance(body, str):
        hint = "write it as a mapping, e.g. request: {q: '{query}'}"
        raise InputError("expected a mapping or a list, got a text", where="request", hint=hint)


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
        raise InputError("this header cannot be set", where=where, hint="remove it")
    if isinstance(template, bool) or not isinstance(template, str | int | float):
        raise InputError("not a text", where=where, hint="expected a text")
    if found := named(template):
        hint = "put it into request, params or url"
        problem = f"{{{min(found)}}} is only allowed in request, params and url"
        raise InputError(problem, where=where, hint=hint)


def _value(name: str, value: str) -> str:
    """Refuse what no header can hold; the message must not have it."""
    if not value.isprintable() or not value.isascii():
        hint = "remove line breaks and non-ASCII characters from its value"
        raise InputError("not a valid header value", where=f"headers.{name}", hint=hint)
    return value

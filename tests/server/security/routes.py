"""What the OpenAPI document says of every route, for tests that leave none out."""

from dataclasses import dataclass
from typing import Any

from starlette.testclient import TestClient

from assay.server.app import make_app
from assay.server.security.install import install_security

__all__ = ["BASE", "PORT", "Operation", "Secured", "operations", "protected_client", "strings_of"]

PORT = 8787
BASE = f"http://127.0.0.1:{PORT}"
SAFE = ("get", "head", "options")
ASKING = ("/plans", "/comparisons", "/gate", "/search")  # change nothing, though they are POST
ADMINISTRATION = ("/tokens", "/audit")
PUBLIC = ("/health/live",)
ROLES = ("viewer", "editor", "admin")
_documents: list[dict[str, Any]] = []


class Secured(TestClient):
    """Sends requests with a token, or with none, to the address of the service."""

    def as_(self, token):
        """Send this token from now on; none with None."""
        self.headers.pop("authorization", None)
        if token is not None:
            self.headers["authorization"] = f"Bearer {token}"
        return self

    def websocket_connect(self, url, *others, **named):
        """Open a WebSocket; Starlette's client would ask another host."""
        return super().websocket_connect(f"ws://127.0.0.1:{PORT}{url}", *others, **named)


@dataclass(frozen=True)
class Operation:
    """A method of a path, and what its documentation says."""

    method: str
    path: str
    about: dict[str, Any]
    schemas: dict[str, Any]

    def __str__(self):
        return f"{self.method.upper()} {self.path}"

    @property
    def is_unsafe(self):
        return self.method not in SAFE

    @property
    def role(self):
        """The least role that may send it, by what its path is about; None where anybody may."""
        if self.path in PUBLIC:
            return None
        place = self.path.removeprefix("/api/v1")
        if place.startswith(ADMINISTRATION):
            return "admin"
        return "editor" if self.is_unsafe and place not in ASKING else "viewer"

    @property
    def body(self):
        """The type of its body, and its schema."""
        content = self.about.get("requestBody", {}).get("content", {})
        return next(((kind, one["schema"]) for kind, one in content.items()), (None, None))

    def parameters(self, place):
        """Parameters of the path or the query, by name."""
        listed = self.about.get("parameters", [])
        return {one["name"]: one for one in listed if one["in"] == place}

    def address(self, **values):
        """The path with values in it; some id where none is given."""
        path = self.path
        for name in self.parameters("path"):
            path = path.replace(f"{{{name}}}", values.get(name, "1" * 12))
        return path

    def arguments(self):
        """A body of the right type and shape as far as reaching the handler needs one."""
        kind, _ = self.body
        if kind is None:
            return {}
        if kind == "application/json":
            return {"json": {}}
        return {"files": {"file": ("data.json", b"{}")}}


def operations(app):
    """All operations of the OpenAPI document, which takes seconds to make: once will do."""
    if not _documents:
        _documents.append(app.openapi())
    (document,) = _documents
    schemas = document["components"]["schemas"]
    return [
        Operation(method, path, about, schemas)
        for path, item in document["paths"].items()
        for method, about in item.items()
    ]


def strings_of(schema, schemas, *, path=(), depth=6):  # noqa: C901 - a line for each keyword
    """Yield the places of a schema where a text may be: tuples of keys, 0 for items of a list.

    A schema that says nothing of its type may be a text, too; ``*`` is a key of any name.
    """
    if depth < 0:
        return
    if "$ref" in schema:
        schema = schemas[schema["$ref"].rpartition("/")[2]]
    for one in (*schema.get("anyOf", ()), *schema.get("oneOf", ()), *schema.get("allOf", ())):
        yield from strings_of(one, schemas, path=path, depth=depth - 1)
    kind = schema.get("type")
    if kind == "string" and "enum" not in schema and "const" not in schema:
        yield path
    elif kind == "array":
        yield from strings_of(schema.get("items", {}), schemas, path=(*path, 0), depth=depth - 1)
    elif kind == "object" or "properties" in schema:
        for name, one in schema.get("properties", {}).items():
            yield from strings_of(one, schemas, path=(*path, name), depth=depth - 1)
        if schema.get("additionalProperties"):
            yield (*path, "*")


def protected_client(service, **options):
    """A client of the whole application behind all that protects it; it follows no redirects."""
    app = make_app(service)
    install_security(app, service, port=PORT, **options)
    return Secured(app, base_url=BASE, follow_redirects=False)

"""Who sent a request, and which role a route requires: each route names one."""

from dataclasses import dataclass
from typing import Annotated, cast

from fastapi import Security
from fastapi.security import APIKeyCookie, HTTPBearer
from starlette.requests import HTTPConnection

from assay.errors import AccessError
from assay.records.service import Role

__all__ = ["COOKIE", "Admin", "Editor", "Person", "Viewer", "person_of"]

COOKIE = "assay_token"
ROLES: tuple[Role, ...] = ("viewer", "editor", "admin")  # each may do what those before it may
_BEARER = Security(HTTPBearer(auto_error=False, description="A token of `assay token create`."))
_COOKIE = Security(APIKeyCookie(name=COOKIE, auto_error=False))


@dataclass(frozen=True, slots=True)
class Person:
    """Whoever sent a request: ``name`` and ``token`` (its id) of the token, and its role."""

    name: str
    role: Role
    token: str


def person_of(connection: HTTPConnection) -> Person:
    """Return who sent a request, as the middleware found it; AccessError without a token."""
    person = connection.scope.get("state", {}).get("person")
    if person is None:
        hint = "send a token as `Authorization: Bearer TOKEN`, or open the start link"
        raise AccessError("the token is missing", hint=hint)
    return cast("Person", person)


class _Required:
    """A dependency that refuses those whose role is a lesser one."""

    def __init__(self, role: Role) -> None:
        self.role = role

    def __call__(
        self, connection: HTTPConnection, _bearer: object = _BEARER, _cookie: object = _COOKIE
    ) -> Person:
        person = person_of(connection)
        if ROLES.index(person.role) < ROLES.index(self.role):
            hint = "ask an administrator for a token with this role"
            problem = f"requires the role {self.role}; this token has the role {person.role}"
            raise AccessError(problem, hint=hint)
        return person


Viewer = Annotated[Person, Security(_Required("viewer"), scopes=["viewer"])]
Editor = Annotated[Person, Security(_Required("editor"), scopes=["editor"])]
Admin = Annotated[Person, Security(_Required("admin"), scopes=["admin"])]

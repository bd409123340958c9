"""Whether the token of somebody who is still connected was revoked meanwhile."""

from time import time

from assay.errors import NotFoundError
from assay.server.security.access import Person
from assay.server.state import Service

__all__ = ["is_still_valid"]


def is_still_valid(service: Service, person: Person) -> bool:
    """Ask the store for the token of a person; it takes a moment, so call it in a thread."""
    try:
        entry = service.store.tokens.get(person.token)
    except NotFoundError:
        return False
    return entry.revoked is None and (entry.expires is None or entry.expires > time())

"""Qdrant: a collection on a server, or in its local mode, which scans inside of this process."""

from importlib.util import find_spec
from pathlib import Path

from assay.engines._checks import check_count
from assay.engines.stores._qdrant_address import address
from assay.engines.stores._qdrant_collection import QdrantCollection
from assay.errors import InputError
from assay.records import Store

__all__ = ["qdrant"]

DEFAULTS = {"m": 16, "ef_construct": 100, "ef": 128}


def qdrant(
    *,
    url: str | None = None,
    api_key: str | None = None,
    exact: bool = False,
    m: int = DEFAULTS["m"],
    ef_construct: int = DEFAULTS["ef_construct"],
    ef: int = DEFAULTS["ef"],
    words: bool = True,
    folder: Path | str | None = None,
) -> Store:
    """Fill a collection and search it: vectors by cosine, words as sparse vectors.

    With ``url`` a server searches: along a graph of ``m`` links, built with ``ef_construct`` and
    searched with ``ef`` candidates in view, or with ``exact`` all vectors. Both ``url`` and
    ``api_key`` may hold ${NAME} or ${NAME:-default}, from the environment. Without it Qdrant's
    local mode compares all vectors, in ``folder`` or in memory. The collection has a name of its
    own (assay_...) and is gone when the store is closed. Requests to a server follow the
    documented interface; the tests send them to a stub, not to a real server.
    """
    if find_spec("qdrant_client") is None:
        hint = "pip install 'assay-search[qdrant]'"
        raise InputError("the system qdrant needs its package", where="qdrant", hint=hint)
    given = {"m": m, "ef_construct": ef_construct, "ef": ef}
    for name, value in given.items():
        check_count(value, where=name, least=4 if name == "ef_construct" else 1)
    settings = _effective(given, exact, local=url is None)
    place = None if folder is None else Path(folder)
    store = QdrantCollection(address(url, api_key), place, exact or url is None, words, settings)
    store.connect()
    return store


def _effective(given: dict[str, int], exact: bool, *, local: bool) -> dict[str, int]:  # noqa: FBT001
    """Keep the settings that take effect, and refuse those that were given and do not."""
    if not (local or exact):
        return given
    for name, value in given.items():
        if value != DEFAULTS[name]:
            why = "in local mode, which builds no graph" if local else "on exact search"
            hint = "leave it out, or give the url of a server" if local else "leave it out"
            raise InputError(f"{name} has no effect {why}", where=name, hint=hint)
    return {}

"""Qdrant: a collection on a server, or in its local mode, which scans inside of this process."""

from pathlib import Path

from assay.engines.check_values import check_count, check_switch
from assay.engines.stores._qdrant_address import address
from assay.engines.stores._qdrant_collection import QdrantCollection
from assay.errors import InputError
from assay.records import Store

__all__ = ["qdrant"]

FOR_WORDS: tuple[str, ...] = ()
FOR_VECTORS = ("exact", "m", "ef_construct", "ef")
DEFAULTS = {"m": 16, "ef_construct": 100, "ef": 128}
LEAST = {"m": 1, "ef_construct": 4, "ef": 1}


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
    searched with ``ef`` candidates in view (never fewer than asked for), or ``exact``. Both ``url``
    and ``api_key`` may hold ${NAME} or ${NAME:-default}, from the environment. Without url Qdrant's
    local mode compares all vectors, in memory: nothing is written into ``folder``. Without
    ``words`` none are stored. The collection has a name of its own (assay_...) and is gone when the
    store is closed. How a server is asked is tested with a stub that keeps to the documented
    interface, not with Qdrant itself.
    """
    given = {"m": m, "ef_construct": ef_construct, "ef": ef}
    for name, value in given.items():
        if not isinstance(value, int) or isinstance(value, bool):
            hint = f"it is a number from {LEAST[name]}"
            raise InputError(f"{name} is {value!r}", where=name, hint=hint)
        check_count(value, where=name, least=LEAST[name])
    for name, switch in (("exact", exact), ("words", words)):
        check_switch(switch, where=name)
    found = address(url, api_key)
    settings = _effective(given, local=url is None, exact=exact)
    store = QdrantCollection(found, exact or url is None, words, settings)
    store.open()  # a server that is not there is noticed before anything is prepared for it
    return store


def _effective(given: dict[str, int], *, local: bool, exact: bool) -> dict[str, int]:
    """Keep the settings that take effect, and refuse those that were given and do not."""
    if not (local or exact):
        return given
    for name, value in given.items():
        if value != DEFAULTS[name]:
            why = "in local mode, which builds no graph" if local else "on exact search"
            hint = "leave it out, or give the url of a server" if local else "leave it out"
            raise InputError(f"{name} has no effect {why}", where=name, hint=hint)
    return {}

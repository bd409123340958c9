"""Qdrant: a collection on a server, or in local mode, which scans all vectors in memory."""

from pathlib import Path

from assay.engines.check_values import check_count, check_switch
from assay.engines.stores._qdrant_address import address
from assay.engines.stores._qdrant_collection import QdrantCollection
from assay.errors import InputError
from assay.records import Store
from assay.text.quote import quote_value

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
    """Fill a collection and search it: vectors by cosine, terms as sparse vectors.

    With ``url``, a server searches an HNSW graph with ``m`` links per vector; ``ef_construct`` and
    ``ef`` are the sizes of the candidate lists while building and searching (at least the depth).
    With ``exact``, it compares all vectors. ``url`` and ``api_key`` may contain ${NAME} or
    ${NAME:-default} from the environment. Without ``url``, Qdrant's local mode compares all vectors
    in memory and writes nothing to ``folder``. With ``words`` false, no terms are stored. The
    collection has a unique name (assay_...) and is deleted when the store is closed. Requests to a
    server are tested with a stub of the documented API, not with a Qdrant server.
    """
    given = {"m": m, "ef_construct": ef_construct, "ef": ef}
    for name, value in given.items():
        if not isinstance(value, int) or isinstance(value, bool):
            hint = f"expected a whole number >= {LEAST[name]}"
            raise InputError(f"invalid value {quote_value(value)}", where=name, hint=hint)
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
            why = "in local mode, which builds no HNSW graph" if local else "with exact: true"
            hint = "remove it, or add the url of a server" if local else "remove it"
            raise InputError(f"has no effect {why}", where=name, hint=hint)
    return {}

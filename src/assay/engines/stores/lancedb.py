"""LanceDB: a table in files of this machine, with its own indexes over vectors and words."""

from importlib.util import find_spec
from pathlib import Path

from assay.engines._checks import check_count
from assay.engines.stores._lancedb_table import LancedbTable
from assay.errors import InputError
from assay.records import Store

__all__ = ["lancedb"]

HNSW = ("ivf_hnsw_pq", "ivf_hnsw_sq")
INDEXES = ("exact", "ivf_flat", "ivf_pq", *HNSW)


def lancedb(  # noqa: PLR0913
    *,
    path: str | None = None,
    index: str = "exact",
    partitions: int | None = None,
    nprobes: int | None = None,
    refine_factor: int | None = None,
    m: int | None = None,
    ef_construction: int | None = None,
    ef: int | None = None,
    language: str = "English",
    folder: Path | str | None = None,
) -> Store:
    """Fill a table and search it: vectors by cosine, words by LanceDB's own BM25.

    ``index`` exact compares all vectors; ivf_flat, ivf_pq, ivf_hnsw_pq and ivf_hnsw_sq look into
    ``nprobes`` of ``partitions``, and ``refine_factor`` compares that many times more of what they
    propose. ``m``, ``ef_construction`` and ``ef`` belong to the graphs of hnsw. What is not given
    is LanceDB's default. The table stands in a folder of its own under ``path`` (or ``folder``),
    and is gone when the store is closed.
    """
    given = {
        "partitions": partitions,
        "nprobes": nprobes,
        "refine_factor": refine_factor,
        "m": m,
        "ef_construction": ef_construction,
        "ef": ef,
    }
    settings = {name: value for name, value in given.items() if value is not None}
    _check_index(index, settings)
    place = _place(path, folder)
    if find_spec("lancedb") is None:
        hint = "pip install 'assay-search[lancedb]'"
        raise InputError("the system lancedb needs its package", where="lancedb", hint=hint)
    return LancedbTable(place, index, language, settings)


def _check_index(index: str, settings: dict[str, int]) -> None:
    if index not in INDEXES:
        hint = f"it is one of {', '.join(INDEXES)}"
        raise InputError(f"lancedb has no index {index!r} here", where="index", hint=hint)
    for name, value in settings.items():
        check_count(value, where=name)
        graph = name in ("m", "ef_construction", "ef")
        if index == "exact" or (graph and index not in HNSW):
            kinds = ", ".join(HNSW if graph else INDEXES[1:])
            raise InputError(
                f"{name} has no effect with the index {index}",
                where=name,
                hint=f"leave it out, or use one of {kinds}",
            )


def _place(path: str | None, folder: Path | str | None) -> Path | None:
    if path is not None and "://" in path:
        hint = "give a folder of this machine: nothing is read or written elsewhere"
        raise InputError("path is no folder", where="path", hint=hint)
    chosen = path if path is not None else folder
    return None if chosen is None else Path(chosen).expanduser()

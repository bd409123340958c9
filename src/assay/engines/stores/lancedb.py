"""LanceDB: a table in files of this machine, with its own indexes over vectors and words."""

from pathlib import Path
from tempfile import TemporaryDirectory

from assay.engines.check_values import check_count, check_switch
from assay.engines.stores._lancedb_queries import library
from assay.engines.stores._lancedb_table import LancedbTable
from assay.errors import InputError
from assay.records import Store

__all__ = ["lancedb"]

FOR_WORDS = ("language",)
FOR_VECTORS = ("index", "partitions", "nprobes", "refine_factor", "m", "ef_construction", "ef")
HNSW = ("ivf_hnsw_pq", "ivf_hnsw_sq")
INDEXES = ("exact", "ivf_flat", "ivf_pq", *HNSW)
LANGUAGES = (
    *("Arabic", "Danish", "Dutch", "English", "Finnish", "French", "German", "Greek", "Hungarian"),
    *("Italian", "Norwegian", "Portuguese", "Romanian", "Russian", "Spanish", "Swedish", "Tamil"),
    "Turkish",
)


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
    words: bool = True,
    folder: Path | str | None = None,
    home: Path | str = "",
) -> Store:
    """Fill a table and search it: vectors by cosine, words by LanceDB's own BM25.

    ``index`` exact compares all vectors; ivf_flat, ivf_pq, ivf_hnsw_pq and ivf_hnsw_sq look into
    ``nprobes`` of ``partitions``, and ``refine_factor`` compares that many times more of what they
    propose. ``m``, ``ef_construction`` and ``ef`` belong to the graphs of hnsw. What is not given
    is LanceDB's default. Without ``words`` none are indexed. The table stands in a folder of its
    own under ``path`` (or ``folder``; a relative one is meant from ``home``), and is gone when the
    store is closed.
    """
    settings = {
        name: value
        for name, value in (
            ("partitions", partitions),
            ("nprobes", nprobes),
            ("refine_factor", refine_factor),
            ("m", m),
            ("ef_construction", ef_construction),
            ("ef", ef),
        )
        if value is not None
    }
    _check_index(index, settings)
    check_switch(words, where="words")
    spoken, place = _language(language), _place(path, folder, home)
    library()  # it takes seconds to import, which are no part of the filling
    return LancedbTable(place, index, settings, spoken if words else None)


def _check_index(index: str, settings: dict[str, int]) -> None:
    if index not in INDEXES:
        hint = f"it is one of {', '.join(INDEXES)}"
        raise InputError(f"lancedb has no index {index!r} here", where="index", hint=hint)
    for name, value in settings.items():
        if not isinstance(value, int) or isinstance(value, bool):
            raise InputError(f"{name} is {value!r}", where=name, hint="it is a number from 1")
        check_count(value, where=name)
        of = HNSW if name in ("m", "ef_construction", "ef") else INDEXES[1:]
        if index not in of:
            raise InputError(
                f"{name} has no effect with the index {index}",
                where=name,
                hint=f"leave it out, or use one of {', '.join(of)}",
            )


def _language(language: str) -> str:
    chosen = str(language).capitalize()
    if chosen not in LANGUAGES:
        hint = f"it is one of {', '.join(LANGUAGES)}"
        raise InputError(f"lancedb knows no language {language!r}", where="language", hint=hint)
    return chosen


def _place(path: str | None, folder: Path | str | None, home: Path | str) -> Path | None:
    if path is not None and not _is_name(path):
        hint = "give a folder of this machine: nothing is read or written elsewhere"
        raise InputError("path is no folder", where="path", hint=hint)
    if path is None:
        return None if folder is None else Path(folder)
    chosen = Path(home) / Path(path).expanduser()
    _check_writable(chosen)
    return chosen


def _is_name(path: object) -> bool:
    return isinstance(path, str) and bool(path.strip()) and "://" not in path and "\0" not in path


def _check_writable(place: Path) -> None:
    """Write into the folder, or into the nearest above it that there is, before it is needed."""
    try:
        found = next((one for one in (place, *place.parents) if one.exists()), Path())
        with TemporaryDirectory(prefix="assay_", dir=found):
            pass
    except OSError as error:
        hint = "give a folder that can be written, or leave path out"
        problem = f"path cannot be used ({error.strerror})"
        raise InputError(problem, where="path", hint=hint) from error

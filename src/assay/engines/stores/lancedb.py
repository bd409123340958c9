"""LanceDB: embedded database with its own vector and full-text indexes, in local files."""

from pathlib import Path
from tempfile import TemporaryDirectory

from assay.engines.check_values import check_count, check_switch
from assay.engines.stores._lancedb_queries import library
from assay.engines.stores._lancedb_table import LancedbTable
from assay.errors import InputError
from assay.records import Store
from assay.text.quote import quote_value

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
    """Fill a table and search it: vectors by cosine, text by LanceDB's own BM25.

    ``index`` exact compares all vectors; ivf_flat, ivf_pq, ivf_hnsw_pq and ivf_hnsw_sq search
    ``nprobes`` of ``partitions``, and ``refine_factor`` rescores that many times more candidates.
    ``m``, ``ef_construction`` and ``ef`` apply to the HNSW indexes. The defaults are LanceDB's.
    With ``words`` false, no text is indexed. The table is stored in its own folder below ``path``
    (or ``folder``; a relative path starts at ``home``) and is deleted when the store is closed.
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
        hint = f"available: {', '.join(INDEXES)}"
        raise InputError(f"unknown index {quote_value(index)}", where="index", hint=hint)
    for name, value in settings.items():
        if not isinstance(value, int) or isinstance(value, bool):
            hint = "expected a whole number >= 1"
            raise InputError(f"invalid value {quote_value(value)}", where=name, hint=hint)
        check_count(value, where=name)
        of = HNSW if name in ("m", "ef_construction", "ef") else INDEXES[1:]
        if index not in of:
            raise InputError(
                f"has no effect with index: {index}",
                where=name,
                hint=f"remove it, or use one of these indexes: {', '.join(of)}",
            )


def _language(language: str) -> str:
    chosen = str(language).capitalize()
    if chosen not in LANGUAGES:
        hint = f"available: {', '.join(LANGUAGES)}"
        raise InputError(f"unknown language {quote_value(language)}", where="language", hint=hint)
    return chosen


def _place(path: str | None, folder: Path | str | None, home: Path | str) -> Path | None:
    if path is not None and not _is_name(path):
        hint = "specify a local folder, e.g. path: data/lancedb"
        raise InputError("not a local folder", where="path", hint=hint)
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
        hint = "specify a writable folder, or remove path"
        problem = f"the folder is not writable ({error.strerror})"
        raise InputError(problem, where="path", hint=hint) from error

"""A table of LanceDB: rows, texts and vectors in files of its own, and the indexes over them."""

import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np

from assay.engines._identity import identity
from assay.engines._ranked import nothing
from assay.engines.dense._stored import Stored
from assay.engines.stores._kept import Kept, counted, safe, settled
from assay.errors import InputError
from assay.records import Floats, Found, Ints, Track, Vectors, untracked

__all__ = ["LancedbTable"]

TRAINED = 256  # vectors that LanceDB's indexes need at least to learn from
ROWS_AT_ONCE = 8192  # each time something is added there is one more file to look into
CHARACTERS_AT_ONCE = 64_000_000


@dataclass(eq=False)
class LancedbTable:
    """A store as ``assay.records.Store`` asks; ``settings`` are those that take effect."""

    path: Path | None
    index: str
    language: str
    settings: Mapping[str, int]
    _table: Any = None
    _folder: Path | None = None
    _made: bool = False
    _kept: Kept = field(default_factory=lambda: Kept(0))
    _stored: Stored | None = None
    _indexed: bool = False

    @property
    def fingerprint(self) -> str:
        """Name the settings that decide what is found, and the version of LanceDB."""
        settings = {"language": self.language, **self.settings}
        return identity(kind="lancedb", version=_version(), index=self.index, **settings)

    @property
    def approximate(self) -> bool:
        """Whether dense search may miss some: not when all vectors are compared."""
        return self.index != "exact" and (self._indexed or self._stored is None)

    @property
    def notes(self) -> Sequence[str]:
        """Say what searches, and where it is not what was asked for."""
        settings = "".join(f", {name} {value}" for name, value in self.settings.items())
        notes = [f"LanceDB {_version()}, index {self.index}{settings}, words in {self.language}"]
        if self.index != "exact" and not self.approximate:
            few = len(self._stored or ())
            notes.append(f"{few} vectors are too few to build {self.index}: searched exactly")
        return notes

    def fill(
        self,
        chunks: Iterable[tuple[Ints, Sequence[str], Vectors | None]],
        *,
        dimension: int,
        total: int,
        track: Track = untracked,
    ) -> None:
        """Write all batches into a new table, then build the indexes."""
        self.close()
        self._kept = Kept(dimension)
        try:
            with _spoken():
                self._create(dimension)
            for rows, texts, vectors in _gathered(counted(chunks, "filling lancedb", total, track)):
                places = self._kept.add(rows, texts, vectors)
                with _spoken():
                    self._table.add(_arrow(rows, texts, vectors, places, dimension))
            self._stored = self._kept.stored()
            with _spoken():
                for build in track([self._build], "lancedb builds its indexes"):
                    build()
        except BaseException:
            self.close()
            raise

    def dense(self, vector: Vectors, depth: int) -> Found:
        """Return the rows nearest to a vector, with exact cosines."""
        stored = self._open()
        if not self._kept.wanted and self._kept.rows:
            raise InputError("the table was filled without vectors", where="lancedb")
        unit = stored.unit(vector)
        if unit is None:
            return nothing("cosine", 1.0)
        # A cosine in float32 is off by a few times n u: Higham (2002), section 3.1.
        slack = -np.inf if self.approximate else 4 * (stored.dimension + 8) * 2.0**-24
        return settled(
            lambda asked: self._nearest(unit, asked),
            depth,
            most=len(stored),
            kind="cosine",
            score=lambda rows: stored.cosines(unit, stored.positions(rows)),
            best=1.0,
            slack=slack,
        )

    def lexical(self, text: str, depth: int) -> Found:
        """Return the rows that hold words of a text, by LanceDB's BM25; no syntax is read."""
        self._open()
        return settled(
            lambda asked: self._matching(safe(text), asked),
            depth,
            most=self._kept.rows,
            kind="bm25",
        )

    def size_bytes(self) -> int:
        """Count the bytes of the table's files: vectors, texts, indexes."""
        if self._folder is None:
            return 0
        return sum(one.stat().st_size for one in self._folder.rglob("*") if one.is_file())

    def close(self) -> None:
        """Remove the table's files."""
        self._table, self._stored, self._indexed = None, None, False
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            if self._made and self.path is not None and not any(self.path.iterdir()):
                self.path.rmdir()
        self._folder = None

    def _open(self) -> Stored:
        if self._stored is None:
            raise InputError("the table is not filled", where="lancedb", hint="call fill first")
        return self._stored

    def _create(self, dimension: int) -> None:
        import lancedb

        if self.path is None:
            self._folder = Path(tempfile.mkdtemp(prefix="assay_"))
        else:
            self._made = not self.path.exists()
            self._folder = self.path / f"assay_{uuid4().hex}"
            self._folder.mkdir(parents=True)
        self._table = lancedb.connect(self._folder).create_table(
            "chunks", schema=_schema(dimension)
        )

    def _build(self) -> None:
        from lancedb.index import FTS

        if not self._kept.rows:
            return
        self._table.create_index("text", config=FTS(language=self.language))
        if self.index != "exact" and len(self._stored or ()) >= TRAINED:
            self._table.create_index("vector", config=_index(self.index, self.settings))
            self._indexed = True
        # Many small files become few, and what they replace is removed at once.
        self._table.optimize(cleanup_older_than=timedelta(milliseconds=1))

    def _nearest(self, unit: Floats, asked: int) -> tuple[Ints, Floats]:
        query = self._table.search(unit.astype(np.float32), vector_column_name="vector")
        query = query.distance_type("cosine").select(["row", "_distance"]).limit(asked)
        if not self._indexed:
            query = query.bypass_vector_index()
        else:
            query = _asked(query, self.settings, asked)
        with _spoken():
            rows, distances = _columns(query, "_distance")
        return rows, 1.0 - distances

    def _matching(self, text: str, asked: int) -> tuple[Ints, Floats]:
        from lancedb.query import MatchQuery

        query = self._table.search(MatchQuery(text, "text"), query_type="fts")
        with _spoken():
            return _columns(query.select(["row", "_score"]).limit(asked), "_score")


def _asked(query: Any, settings: Mapping[str, int], asked: int) -> Any:  # noqa: ANN401
    """Pass on how widely an index is searched."""
    if "nprobes" in settings:
        query = query.nprobes(settings["nprobes"])
    if "refine_factor" in settings:
        query = query.refine_factor(settings["refine_factor"])
    if "ef" in settings:
        query = query.ef(max(settings["ef"], asked))
    return query


def _index(kind: str, settings: Mapping[str, int]) -> Any:  # noqa: ANN401
    """Describe an index as LanceDB wants it."""
    from lancedb import index as kinds

    of_kind = {
        "ivf_flat": kinds.IvfFlat,
        "ivf_pq": kinds.IvfPq,
        "ivf_hnsw_pq": kinds.HnswPq,
        "ivf_hnsw_sq": kinds.HnswSq,
    }[kind]
    names = {"partitions": "num_partitions", "m": "m", "ef_construction": "ef_construction"}
    given = {names[name]: value for name, value in settings.items() if name in names}
    return of_kind(distance_type="cosine", **given)


def _columns(query: Any, score: str) -> tuple[Ints, Floats]:  # noqa: ANN401
    found = query.to_arrow()
    rows: Ints = found["row"].to_numpy().astype(np.int64)
    scores: Floats = found[score].to_numpy().astype(np.float64)
    return rows, scores


def _schema(dimension: int) -> Any:  # noqa: ANN401
    import pyarrow as pa

    vector = pa.list_(pa.float32(), max(dimension, 1))
    return pa.schema([("row", pa.int64()), ("text", pa.large_string()), ("vector", vector)])


def _arrow(
    rows: Ints, texts: Sequence[str], vectors: Vectors | None, places: Ints, dimension: int
) -> Any:  # noqa: ANN401
    """Turn a batch into a table of Arrow; a row without a direction gets no vector."""
    import pyarrow as pa

    schema, width = _schema(dimension), max(dimension, 1)
    values = np.zeros((len(rows), width), np.float32)
    missing = np.ones(len(rows), np.bool_)
    if vectors is not None:
        values[places], missing[places] = vectors[places], False
    column = pa.FixedSizeListArray.from_arrays(
        pa.array(values.ravel()), width, mask=pa.array(missing)
    )
    written = pa.array([safe(text) for text in texts], pa.large_string())
    return pa.table([pa.array(rows, pa.int64()), written, column], schema=schema)


def _gathered(
    chunks: Iterable[tuple[Ints, Sequence[str], Vectors | None]],
) -> Iterator[tuple[Ints, Sequence[str], Vectors | None]]:
    """Join small batches to large ones."""
    held: list[tuple[Ints, Sequence[str], Vectors | None]] = []
    size = 0
    for one in chunks:
        if held and (held[0][2] is None) != (one[2] is None):
            yield _joined(held)
            held, size = [], 0
        held.append(one)
        size += sum(map(len, one[1]))
        if sum(len(rows) for rows, _, _ in held) >= ROWS_AT_ONCE or size >= CHARACTERS_AT_ONCE:
            yield _joined(held)
            held, size = [], 0
    if held:
        yield _joined(held)


def _joined(
    held: list[tuple[Ints, Sequence[str], Vectors | None]],
) -> tuple[Ints, Sequence[str], Vectors | None]:
    rows: Ints = np.concatenate([one[0] for one in held]).astype(np.int64)
    vectors = [one[2] for one in held if one[2] is not None]
    texts = [text for one in held for text in one[1]]
    return rows, texts, np.concatenate(vectors) if vectors else None


@contextmanager
def _spoken() -> Iterator[None]:
    """Turn what LanceDB raises into one message."""
    try:
        yield
    except (OSError, RuntimeError, ValueError) as error:
        said = str(error).splitlines()[0][:200] if str(error) else type(error).__name__
        hint = "check the settings of the system, and that its folder can be written"
        raise InputError(f"LanceDB: {said}", where="lancedb", hint=hint) from error


def _version() -> str:
    from importlib.metadata import version

    return version("lancedb")

"""What an index holds against what its corpus holds now: statistics, coverage, staleness."""

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field

from assay.corpora.programs.is_program import is_program
from assay.corpora.refuse_empty import refuse_empty
from assay.errors import AssayError
from assay.index_health.look import IndexState, Span, counted, make_finding, share_of
from assay.records import Corpus, HealthFinding, State, Track
from assay.records.skipped_files import describe_unread, install_hint, skipped_cases
from assay.searches.parts import lexical_at
from assay.text.join_list import first_few
from assay.workspace.index.index_store import DocumentEntry, Snapshot

__all__ = ["ContentDifference", "compare", "coverage", "staleness", "statistics"]

MOST_STALE = 0.1  # of the documents: beyond it, answers are wrong more than now and then
AGAIN = "update the index with `assay index`"
MEANT = ("binary", "link")  # files that nobody means to search
DAY_S = 86400.0
LANGUAGES = 5  # that are named

_DAMAGED = "Part of the index is missing: delete its folder, then run `assay index` again."
_OTHER = (
    "The number differs from the expected one: check the corpus and its patterns, and update the "
    "index with `assay index`."
)
_GENERATION = "Number of times the index was written."
_SIZE = "Size of the index on disk."
_WORDS = (
    "Some documents are missing from the lexical index: run `assay index`. If that does not help, "
    "delete the index folder and run it again."
)
_RATIO = (
    "The index is many times larger than its texts: chunks are very small, or much of the space "
    "is unused. Delete its folder and index again, or choose larger chunks."
)
_SMALL = "Index size per byte of text. Below 1 MB of text, most of it is empty database pages."


@dataclass
class ContentDifference:
    """What a corpus holds now, and how an index differs from it."""

    documents: int = 0
    found: int = 0
    added: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    skipped: Mapping[str, int] = field(default_factory=dict)


def compare(snapshot: Snapshot, corpus: Corpus, *, track: Track) -> ContentDifference:
    """Read the corpus, but for what has the same stamp as in the index."""
    known = snapshot.known()
    seen = ContentDifference()
    left = dict.fromkeys(known)
    documents = corpus.documents(known=snapshot.failures() | known)
    for document in track(documents, f"reading {corpus.name}", unit="files"):
        seen.documents += 1
        left.pop(document.id, None)
        if document.id not in known:
            seen.added.append(document.path or document.id)
            continue
        seen.found += 1
        same = bool(document.stamp) and document.stamp == known[document.id]
        if not same and not snapshot.holds(document):
            seen.changed.append(document.path or document.id)
    seen.removed = list(left)
    refuse_empty(corpus, unread=not snapshot.counts["chunks"])
    seen.skipped = corpus.skipped
    return seen


def statistics(
    look: IndexState, seen: ContentDifference, sizes: Mapping[str, int], text_bytes: int | None
) -> Iterator[HealthFinding]:
    """Compare what is counted with what the corpus, the index itself or a person expects."""
    held, stored = look.held, look.snapshot.stored
    chunks = sum(one.chunks for one in held)
    own: dict[str, tuple[int, int | None, str]] = {
        "documents": (len(held), seen.documents, f"The corpus has changed: {AGAIN}."),
        "chunks": (stored["chunks"], chunks, _DAMAGED),
        "texts": (stored["texts"], chunks, _DAMAGED),
    }
    if look.configuration.model is not None:
        own["vectors"] = (stored["vectors"], chunks, _DAMAGED)
    for name, (value, expected, meaning) in own.items():
        yield _statistic(look, name, value, meaning, expected)
    if look.configuration.lexical is not None:
        yield _words(look)
    yield from _sizes(look, sizes, text_bytes)
    yield _statistic(look, "generation", look.snapshot.generation, _GENERATION)


def _statistic(
    look: IndexState,
    name: str,
    value: float,
    meaning: str,
    expected: int | None = None,
    unit: str = "",
) -> HealthFinding:
    """Compare with what a person expects, which is binding, or else with what we do."""
    given = name in look.expect
    span: Span = look.expect[name] if given else (expected, expected)
    meaning = _OTHER if given else meaning
    off: State = "watch" if name == "documents" and not given else "bad"
    return counted("statistics", name, value, meaning, expected=span, off=off, unit=unit)


def _words(look: IndexState) -> HealthFinding:
    """Count the entries of the lexical index, if it is there, whole, and can be opened."""
    snapshot = look.snapshot
    expected = sum(_entries(one, look.configuration.lexical_unit) for one in look.held)
    found = _opened(look) if snapshot.has_lexical else None
    if found is None:
        return make_finding(
            "statistics", "words", None, _WORDS, state="bad", expected=(expected, expected)
        )
    return _statistic(look, "words", found, _WORDS, expected)


def _opened(look: IndexState) -> int | None:
    """Count the entries, or return nothing where the files are damaged."""
    try:
        index = lexical_at(look.configuration, look.snapshot.lexical)
        with closing(index):
            index.search("a", 1)  # some damage shows only then
            return index.documents
    except (AssayError, ValueError, OSError):
        return None
    except BaseException as error:
        if type(error).__name__ != "PanicException":  # how tantivy meets some damage
            raise
        return None


def _entries(one: DocumentEntry, unit: str | None) -> int:
    """Count the entries that a document has in the lexical index: see ``indexing``."""
    joined = unit == "document" or (unit == "auto" and is_program(one.path))
    return min(one.chunks, 1) if joined else one.chunks


def _sizes(
    look: IndexState, sizes: Mapping[str, int], text_bytes: int | None
) -> Iterator[HealthFinding]:
    total = sum(sizes.values())
    yield _statistic(look, "bytes", total, _SIZE, unit="bytes")
    yield make_finding(
        "statistics", "bytes per document", total / max(len(look.held), 1), _SIZE, unit="bytes"
    )
    if text_bytes is None:
        return
    small = text_bytes < 1_000_000  # where empty pages of the database weigh most
    ratio = total / max(text_bytes, 1)
    state: State = "watch" if ratio > 10 and not small else "good"
    span: Span = (None, None) if small else (None, 10.0)
    meaning = _SMALL if small else _RATIO
    yield make_finding(
        "statistics", "bytes per byte of text", ratio, meaning, state=state, expected=span
    )


def coverage(look: IndexState, seen: ContentDifference) -> Iterator[HealthFinding]:
    """Tell what of the corpus can be found at all."""
    held = look.held
    share = seen.found / seen.documents if seen.documents else 1.0
    state: State = "good" if share >= 1 else "watch" if share >= 1 - MOST_STALE else "bad"
    missing = f"Documents of the corpus are not in the index and cannot be found: {AGAIN}."
    yield make_finding(
        "coverage",
        "documents indexed",
        share,
        missing,
        state=state,
        expected=(1.0, 1.0),
        unit="share",
        cases=seen.added,
    )
    empty = [one.path or one.id for one in held if not one.chunks]
    nothing = (
        "Documents without text are in the index but can never be found: check that they belong "
        "to the corpus."
    )
    yield share_of(
        "coverage",
        "without chunks",
        len(empty),
        len(held),
        nothing,
        watch=0.2,
        bad=0.5,
        cases=empty,
    )
    yield _skipped(seen)
    yield from _scanned(look)
    failed = [one.path or one.id for one in held if one.fallback]
    unparsed = (
        "Files could not be parsed and were split as plain text, without the names that they "
        "define: check whether they are templates, or use another version of the language."
    )
    yield share_of(
        "coverage",
        "not parsed",
        len(failed),
        len(held),
        unparsed,
        watch=0.05,
        bad=0.5,
        cases=failed,
    )
    spoken = Counter(one.language or "none" for one in held).most_common()
    named = first_few([f"{name} {number:,}" for name, number in spoken], LANGUAGES)
    yield make_finding("coverage", "languages", named or "none", "Documents per language.")


def _scanned(look: IndexState) -> Iterator[HealthFinding]:
    """Count the pages of documents that have an image in the place of text."""
    pages = {one.path or one.id: one.metadata for one in look.held if one.metadata.get("pages")}
    bare = {path: about.get("pages_without_text", 0) for path, about in pages.items()}
    meaning = (
        "Pages have images and no text, so nothing on them can be found: recognise their text "
        "(OCR), e.g. ocrmypdf FILE.pdf NEW.pdf."
    )
    if pages:
        yield share_of(
            "coverage",
            "pages without text",
            sum(bare.values()),
            sum(about["pages"] for about in pages.values()),
            meaning,
            watch=0.05,
            bad=0.5,
            cases=[path for path, number in bare.items() if number],
        )


def _skipped(seen: ContentDifference) -> HealthFinding:
    meaning = (
        "Files that are not indexed. If they are too large, raise max_file_size of the corpus "
        "(--max-file-size); if they cannot be read, grant read permission; encrypted files need "
        "their password removed, scanned ones text recognition (OCR)."
    )
    meaning += f" {hint[0].upper()}{hint[1:]}." if (hint := install_hint(seen.skipped)) else ""
    cases = skipped_cases(seen.skipped)
    odd = sum(number for reason, number in seen.skipped.items() if reason not in MEANT)
    state: State = "watch" if odd or describe_unread(seen.skipped) else "good"
    number = sum(seen.skipped.values())
    return make_finding("coverage", "files skipped", number, meaning, state=state, cases=cases)


def staleness(
    look: IndexState, seen: ContentDifference, *, age_s: float, others: int
) -> Iterator[HealthFinding]:
    """Tell what changed since the index was written."""
    what = {
        "added": ("New documents are not in the index and cannot be found", seen.added),
        "changed": ("Documents have changed, but their old text is searched", seen.changed),
        "removed": ("Documents that no longer exist are still found", seen.removed),
    }
    for name, (meaning, cases) in what.items():
        yield share_of(
            "staleness",
            name,
            len(cases),
            len(look.held),
            f"{meaning}: {AGAIN}.",
            watch=0.0,
            bad=MOST_STALE,
            cases=cases,
        )
    old = f"Time since the index was last written. If the corpus has changed since, {AGAIN}."
    yield make_finding("staleness", "age", age_s / DAY_S, old, unit="days")
    more = (
        "Other indexes stored for a corpus of this name, with other settings, patterns or "
        "versions. Delete the folders that are no longer searched."
    )
    yield make_finding("staleness", "other indexes", others, more)

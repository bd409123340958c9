"""What a reading of a corpus skipped: how many files, by ending and by reason."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import PurePosixPath

from assay.extras import install_command, missing_extras
from assay.text import sanitize
from assay.text.count_noun import count_noun
from assay.text.join_list import first_few, join_list
from assay.text.size import size_text

__all__ = [
    "RAISE",
    "SkippedFiles",
    "describe_skipped",
    "describe_unread",
    "ending_of",
    "install_hint",
    "join_skipped",
    "next_steps",
    "plain_reason",
    "skipped_cases",
    "skipped_parts",
    "split_stamp",
    "unread_files",
]

MOST = 6  # kinds of files that a sentence names
WITHOUT = "without ending"
PLAIN = {
    "too_large": "too large",
    "too_long": "too much text",
    "too_slow": "converting took too long",
    "failed": "converting failed",
    "scanned": "scanned, without text",
}
# Why a file could not be converted, and which files can be.
FAILURES = ("encrypted", "damaged", "scanned", "too_long", "too_slow", "failed")
CONVERTED = (".pdf", ".docx", ".docm", ".pptx", ".pptm")
LISTED = 1000  # files that could not be read, in JSON
NAMED = 3  # files of each reason that a sentence names
CONVERT = "set convert: true for the corpus"
NEXT = {
    "encrypted": "remove the password of encrypted files",
    "scanned": "add text to scanned files, e.g. ocrmypdf FILE.pdf NEW.pdf",
    "damaged": "open damaged files in their program and save them again",
}
FAILED = "!"  # in a stamp: before the reason why a file could not be converted
RAISE = "raise the limit with --max-file-size (max_file_size in a benchmark file)"


@dataclass(eq=False)
class SkippedFiles(Mapping[str, int]):
    """Counts of skipped files: as a mapping by reason, in ``counts`` by ending and reason.

    ``empty`` counts, by ending, documents without text: they are read, but nothing of them can be
    found. ``documents`` is how many were read. ``unmatched`` counts what include and exclude leave
    out, ``ignored`` holds the first paths that git ignores. ``limit`` is the largest size of a file
    in bytes, None if there is no limit. Documents that are not ``from_files`` may have no text.
    ``failures`` are the stamps of files that could not be converted, by path, with the reason: such
    a file is not tried again as long as it is the same. ``limits`` has the largest size of a file
    by ending. ``unread`` has the reason of each file that somebody may have meant to search, by
    path: what could not be converted, or is too large for it.
    """

    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    empty: Counter[str] = field(default_factory=Counter)
    documents: int = 0
    unmatched: int = 0
    ignored: list[str] = field(default_factory=list)
    limit: int | None = None
    from_files: bool = True
    failures: dict[str, str] = field(default_factory=dict)
    limits: dict[str, int] = field(default_factory=dict)
    unread: dict[str, str] = field(default_factory=dict)

    def __getitem__(self, reason: str) -> int:
        number = sum(n for (_, why), n in self.counts.items() if why == reason)
        if not number:
            raise KeyError(reason)
        return number

    def __iter__(self) -> Iterator[str]:
        return iter(sorted({reason for (_, reason), number in self.counts.items() if number}))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mapping) and dict(self) == dict(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(dict(self))

    @property
    def unconverted(self) -> list[str]:
        """The endings of files that were skipped since nothing converts them here."""
        return [one for one in CONVERTED if self.counts[one, "binary"]]

    @property
    def has_text(self) -> bool:
        """Whether any document was read that has text, or needs none."""
        return not self.from_files or self.documents > self.empty.total()

    def skip(self, path: str, reason: str, *, stamp: str = "", limit: int | None = None) -> None:
        """Count a file that is not a document; one that has a stamp can be recognised.

        ``limit`` is the largest size of such a file.
        """
        ending = ending_of(path)
        self.counts[ending, reason] += 1
        if limit is not None:
            self.limits[ending] = limit
        if reason in FAILURES or (ending in CONVERTED and reason in ("binary", "too_large")):
            self.unread[path] = reason
        if stamp and reason in FAILURES:
            self.failures[path] = f"{stamp}{FAILED}{reason}"

    def note_empty(self, path: str) -> None:
        """Count a document without text."""
        self.empty[ending_of(path)] += 1

    def reason_text(self, reason: str, ending: str = "") -> str:
        """Write a reason; a file that is too large is compared with the limit."""
        if reason == "too_large" and self.limit is not None:
            return f"larger than {size_text(self.limits.get(ending, self.limit))}"
        return plain_reason(reason)

    def parts(self, *, with_empty: bool = False) -> list[str]:
        """Count the skipped files by ending and reason, the most frequent first.

        >>> SkippedFiles(Counter({(".pdf", "binary"): 9, ("", "link"): 1})).parts()
        ['9 .pdf (binary)', '1 without ending (link)']
        """
        counted = self.counts.items()
        rows = [(n, ending, self.reason_text(why, ending)) for (ending, why), n in counted]
        if with_empty:
            rows += [(n, ending, "empty") for ending, n in self.empty.items()]
        rows = sorted((row for row in rows if row[0]), key=lambda row: (-row[0], *row[1:]))
        parts = [f"{n:,} {ending or WITHOUT} ({why})" for n, ending, why in rows[:MOST]]
        rest = sum(n for n, _, _ in rows[MOST:])
        return [*parts, *([f"{rest:,} others"] if rest else [])]


def plain_reason(reason: str) -> str:
    """Write a reason in words.

    >>> plain_reason("too_slow"), plain_reason("damaged")
    ('converting took too long', 'damaged')
    """
    return PLAIN.get(reason, reason)


def join_skipped(each: Mapping[str, Mapping[str, int]]) -> SkippedFiles:
    """Put together what was skipped in several places, whose names begin the paths.

    >>> one = SkippedFiles()
    >>> one.skip("a.pdf", "scanned")
    >>> join_skipped({"x": one, "y": {"binary": 2}}).unread
    {'x/a.pdf': 'scanned'}
    """
    joined = SkippedFiles()
    for name, one in each.items():
        if not isinstance(one, SkippedFiles):
            joined.counts.update({("", reason): number for reason, number in one.items()})
            continue
        joined.counts.update(one.counts)
        joined.empty.update(one.empty)
        joined.documents += one.documents
        joined.limit = one.limit
        joined.limits |= one.limits
        joined.unread |= {f"{name}/{path}": why for path, why in one.unread.items()}
    return joined


def split_stamp(stamp: str) -> tuple[str, str]:
    """Part a stamp from the reason why its file could not be converted, if it could not.

    >>> split_stamp("12-7 pdf 1!encrypted"), split_stamp("12-7")
    (('12-7 pdf 1', 'encrypted'), ('12-7', ''))
    """
    known, _, reason = stamp.partition(FAILED)
    return known, reason


def skipped_parts(skipped: Mapping[str, int]) -> list[str]:
    """Count skipped files by ending and reason, or by reason alone if nothing else is known.

    >>> skipped_parts({"binary": 2, "too_large": 1})
    ['2 binary', '1 too large']
    """
    if isinstance(skipped, SkippedFiles):
        return skipped.parts()
    return [f"{number:,} {plain_reason(why)}" for why, number in skipped.items() if number]


def describe_skipped(skipped: Mapping[str, int]) -> str:
    """Write how many files were skipped and why, name those that could not be read, and what next.

    >>> describe_skipped({"binary": 2})
    '2 files skipped: 2 binary'
    """
    rest = _others(skipped) if isinstance(skipped, SkippedFiles) else skipped
    total, unread = sum(rest.values()), describe_unread(skipped)
    counted = f"{count_noun(total, 'file')} skipped: {', '.join(skipped_parts(rest))}"
    hint = RAISE if "too_large" in rest and RAISE not in unread else ""
    return "; ".join(filter(None, [counted if total else "", unread, hint]))


def describe_unread(skipped: Mapping[str, int]) -> str:
    """Name only the files that somebody may have meant to search, by reason, and what next.

    >>> skipped = SkippedFiles()
    >>> for path in ("a.pdf", "b.pdf", "c.png"):
    ...     skipped.skip(path, "binary" if path == "c.png" else "encrypted")
    >>> describe_unread(skipped)
    '2 files could not be read: a.pdf, b.pdf (encrypted); remove the password of encrypted files'
    """
    if not isinstance(skipped, SkippedFiles) or not skipped.unread:
        return ""
    counted = f"{count_noun(len(skipped.unread), 'file')} could not be read"
    reasons = Counter(skipped.unread.values())
    parts = [_named(skipped, reason) for reason, _ in reasons.most_common()]
    hints = [*next_steps(skipped), *([RAISE] if reasons["too_large"] else [])]
    return "; ".join([f"{counted}: {', '.join(parts)}", *hints])


def unread_files(skipped: Mapping[str, int]) -> dict[str, dict[str, str]]:
    """Return the first files that could not be read, with their reasons, as a part of JSON."""
    if not isinstance(skipped, SkippedFiles) or not skipped.unread:
        return {}
    return {"unread": dict(islice(skipped.unread.items(), LISTED))}


def next_steps(skipped: "SkippedFiles") -> list[str]:
    """Say what to do about files that could not be converted."""
    reasons = {*skipped.unread.values()}
    install = [install_hint(skipped) or CONVERT] if skipped.unconverted else []
    return [*install, *(text for why, text in NEXT.items() if why in reasons)]


def skipped_cases(skipped: Mapping[str, int]) -> list[str]:
    """Name each file that could not be read, and count the others.

    >>> skipped = SkippedFiles()
    >>> for path in ("a.png", "b.pdf"):
    ...     skipped.skip(path, "binary" if path == "a.png" else "encrypted")
    >>> skipped_cases(skipped)
    ['b.pdf (encrypted)', '1 .png (binary)']
    """
    if not isinstance(skipped, SkippedFiles):
        return skipped_parts(skipped)
    unread = islice(skipped.unread.items(), LISTED)
    named = [f"{path} ({skipped.reason_text(why, ending_of(path))})" for path, why in unread]
    return [*named, *_others(skipped).parts()]


def _named(skipped: "SkippedFiles", reason: str) -> str:
    """Name the first files with a reason."""
    paths = [path for path, why in skipped.unread.items() if why == reason]
    text = skipped.reason_text(reason, ending_of(paths[0]))
    return f"{first_few([sanitize(path) for path in paths], NAMED)} ({text})"


def _others(skipped: "SkippedFiles") -> "SkippedFiles":
    """Leave out the files that could not be read."""
    unread = Counter((ending_of(path), why) for path, why in skipped.unread.items())
    return SkippedFiles(skipped.counts - unread, limit=skipped.limit, limits=skipped.limits)


def install_hint(skipped: Mapping[str, int]) -> str:
    """Say how to read files that nothing converts here; nothing if there are none."""
    if not isinstance(skipped, SkippedFiles) or not skipped.unconverted:
        return ""
    if not missing_extras("documents"):
        return ""
    kinds = join_list([ending[1:].upper() for ending in skipped.unconverted])
    return f"to read {kinds} files: {install_command('documents')}"


def ending_of(path: str) -> str:
    """Return the ending of a file's name in lower case, with its dot; nothing if it has none.

    >>> ending_of("a/Report.PDF"), ending_of("Makefile"), ending_of("v1.2/notes"), ending_of(".env")
    ('.pdf', '', '', '')
    """
    return PurePosixPath(path).suffix.lower()

"""A corpus without any text: one message that says what was skipped, and what to do."""

from assay.corpora.size_limit import SETTING
from assay.errors import InputError
from assay.records import Corpus
from assay.records.skipped_files import SkippedFiles, next_steps
from assay.text.count_noun import count_noun
from assay.text.join_list import join_list

__all__ = ["GIVE", "refuse_empty"]

OFFICE = (".doc", ".epub", ".odp", ".ods", ".odt", ".ppt", ".xls", ".xlsx")
OTHERS = "convert Office files to DOCX, PDF or text, e.g. soffice --convert-to docx FILE.odt"
LINKS = "links are not followed: give the path of the link itself as the corpus"
EMPTY = "add text to the files, or give another folder"
GIVE = "give a folder with text files"
PATTERNS = "check include and exclude of the corpus"


def refuse_empty(corpus: Corpus, *, unread: bool = False) -> None:
    """Raise if the last reading of a corpus, which must be complete, found no document with text.

    Documents without text cannot be found by any search. A corpus that is ``unread`` is read first,
    up to its first document with text.
    """
    if unread and _reaches_text(corpus):
        return
    found = corpus.skipped
    if isinstance(found, SkippedFiles) and not found.has_text:
        raise InputError(_problem(found), where=corpus.name, hint=_hint(found))


def _reaches_text(corpus: Corpus) -> bool:
    for _ in corpus.documents(hashes=False):  # only then is known whether a file can be converted
        found = corpus.skipped
        if not isinstance(found, SkippedFiles) or found.has_text:
            return True
    return False


def _problem(found: SkippedFiles) -> str:
    number = found.counts.total() + found.empty.total()
    if not number:
        return f"no documents to index: {_unread(found)}"
    if {*found} == {"link"} and not found.empty.total():
        return f"no documents to index: {count_noun(number, 'link')} skipped{_also_unread(found)}"
    what = "only PDF files" if _endings(found) == {".pdf"} else "no documents to index"
    listed = ", ".join(found.parts(with_empty=True))
    return f"{what}: {count_noun(number, 'file')} skipped: {listed}{_also_unread(found)}"


def _unread(found: SkippedFiles) -> str:
    """Say what was there, if nothing was even opened."""
    parts = [f"{count_noun(found.unmatched, 'entry')} excluded by patterns"]
    parts = parts if found.unmatched else []
    parts += [f"git ignores {join_list(found.ignored)}"] if found.ignored else []
    return ", ".join(parts) or "there are no files"


def _also_unread(found: SkippedFiles) -> str:
    return f"; {_unread(found)}" if found.unmatched or found.ignored else ""


def _hint(found: SkippedFiles) -> str:
    endings, reasons = _endings(found), {*found}
    hints = [*next_steps(found), *([OTHERS] if not endings.isdisjoint(OFFICE) else [])]
    if "too_large" in reasons:
        hints.append(f"raise the limit, e.g. --max-file-size 20MB ({SETTING} in a benchmark file)")
    hints += [LINKS] if "link" in reasons else []
    hints += [EMPTY] if found.empty.total() and not found.counts.total() else []
    hints += [PATTERNS] if found.unmatched else []
    if found.ignored and not hints:
        folder = next((one for one in found.ignored if one.endswith("/")), "FOLDER")
        hints.append(f"give the ignored folder itself as the corpus, e.g. {folder}")
    return "; or ".join(hints) or GIVE


def _endings(found: SkippedFiles) -> set[str]:
    counted = [ending for (ending, _), number in found.counts.items() if number]
    return {*counted, *(ending for ending, number in found.empty.items() if number)}

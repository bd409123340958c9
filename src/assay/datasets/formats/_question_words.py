"""What people call the question and the files that answer it, in their own lists of questions."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from assay.columns.titles import TITLES, plain, plain_titles

__all__ = ["QuestionWords", "question_words"]

QUESTION = "question query querytext questiontext q prompt userquestion userquery searchquery "
QUESTION += "searchterm userinput"
# "expected", "expected_file", "answer_files", "relevant documents", "gold_path", "source", ...
BEFORE = ("", "expected", "answer", "relevant", "gold", "golden", "correct", "target", "source")
NOUNS = ("file", "filename", "filepath", "path", "doc", "document", "page", "article", "record")
ALONE = "expected relevant gold golden target targets source sources reference references"
KEY = "id key no nr number questionid queryid qid questionkey querykey"
REMARKS = "answer answers answertext expectedanswer comment comments note notes remark remarks"
REMARKS += " explanation topic topics tag tags section author language date category type "
REMARKS += "difficulty level collection"


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


FILES = _words(ALONE) | {
    f"{before}{noun}{end}" for before in BEFORE for noun in NOUNS for end in ("", "s")
}
NAMED = frozenset(f"{noun}{end}" for noun in NOUNS for end in ("", "s"))  # can mean nothing else
QUESTIONS, KEYS, FREE = _words(QUESTION), _words(KEY), _words(REMARKS)
GRADES = frozenset(plain_titles(TITLES["grade"]))


@dataclass(frozen=True, slots=True)
class QuestionWords:
    """Which keys of a record hold the question, the files, an id and a grade; "" is none."""

    question: str
    files: str
    key: str = ""
    grade: str = ""

    @property
    def used(self) -> tuple[str, ...]:
        """The keys that are read."""
        return tuple(filter(None, (self.question, self.files, self.key, self.grade)))

    def unknown(self, keys: Iterable[str]) -> list[str]:
        """Return the keys that are neither read nor a usual remark."""
        return [key for key in keys if key not in self.used and plain(key) not in FREE]


def question_words(record: Collection[str] | Mapping[str, object]) -> QuestionWords | None:
    """Find the keys of a record; nothing if the question or the files have none, or several.

    >>> question_words(["Question", "Answer file", "notes"])
    QuestionWords(question='Question', files='Answer file', key='', grade='')
    """
    found = [_only(record, words) for words in (QUESTIONS, FILES, KEYS, GRADES)]
    if None in found or not found[0] or not found[1]:
        return None
    return QuestionWords(*(key or "" for key in found))


def _only(keys: Iterable[str], words: Collection[str]) -> str | None:
    """Return the one key that is such a word; "" if there is none, None if there are several."""
    met = [key for key in keys if isinstance(key, str) and plain(key) in words]
    return None if len(met) > 1 else met[0] if met else ""

"""Values that could be grades, and titles whose numbers are surely none."""

import re
from collections.abc import Iterable
from numbers import Number

from assay.columns.titles import TITLES, plain, plain_titles

__all__ = [
    *("GRADING", "NUMBER", "is_grade_title", "is_graded_remark", "is_logged", "is_remark"),
    *("is_verdict", "may_be_grades", "numbers_rows"),
]

NUMBER = re.compile(r"[+-]?[0-9]+(?:[.,][0-9]+)?")
FIGURE = r"[+-]?(?:[0-9]+(?:[.,][0-9]+)?|\.[0-9]+)(?:e[+-]?[0-9]+)?"
COUNT = re.compile(rf"{FIGURE}\s*(?:%|/\s*[0-9]+|stars?|points?)?|[*★☆✩⭐]+", re.IGNORECASE)
DEGREE = "not|non|un|ir|in|partly|partially|highly|very|somewhat|marginally|fully|mostly|slightly"
VERDICT = re.compile(rf"(?:{DEGREE})?[\s_-]*(?:relevant|correct|helpful|useful|related)")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


TRUTH = _words("true false yes no y n ja nein oui non sí + - ++ -- ✓ ✔ ✅ ✗ ✘ ❌")
# Grades only where a column holds nothing else: people also write them in passing.
JUDGED = _words(
    "good bad perfect excellent fair poor ok okay right wrong high medium low exact substitute "
    "complement partial marginal pass passed fail failed positive negative neutral accepted "
    "rejected match hit miss vital x t f a b c d e i s"
)
GRADES = frozenset(plain_titles(TITLES["grade"]))
# What people write beside a question: it says nothing of a document's relevance.
# Of some the numbers are no grades either: an answer, a section, a topic.
TEXTUAL = _words(
    "because comment comments explanation note notes reason remark remarks author lang language"
)
REMARKS = TEXTUAL | _words(
    "answer answers answertext expectedanswer topic topics tag tags section locale country date "
    "category collection extra metadata"
)
SAID = _words("relevant accept reject ignore")  # under a remark, where verdicts may be texts
GRADING = _words("type level difficulty")  # also remarks, unless they look like grades
# Words of titles whose numbers count rows, places, times or sizes.
ROWS = _words(
    "id ids no nr num number index idx row seq line lines lineno page pages pageno offset start "
    "end date time day month year created updated modified timestamp version revision chunk "
    "chunks char chars token tokens word words length size bytes chapter section paragraph ticket"
)
LOGGED = _words(
    "rank ranks position positions click clicks clicked ctr view views impression impressions"
)
NUMBERED = ("linenumber", "pagenumber", "startline", "endline", "wordcount", "rownumber")
WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
ID = re.compile(r"(?:\A|[\W_])(?:id|ID|Id)\Z|[a-z]I[dD]\Z|\AUnnamed: ")


def may_be_grades(values: Iterable[object]) -> bool:
    """Tell whether any of some values is surely a number or a verdict, or all could be one.

    >>> may_be_grades(["3", "n/a"]), may_be_grades(["not relevant"]), may_be_grades(["ok", "Ana"])
    (True, True, False)
    """
    flat = [*_flat(values)]
    texts = {one.strip().casefold() for one in flat if isinstance(one, str)} - {""}
    if any(isinstance(one, Number) for one in flat) or any(map(is_verdict, texts)):
        return True
    return bool(texts) and texts <= JUDGED


def _flat(values: Iterable[object]) -> Iterable[object]:
    """Yield what lists hold, too."""
    for value in values:
        if isinstance(value, list | tuple):
            yield from _flat(value)
        else:
            yield value


def is_verdict(text: str) -> bool:
    """Tell whether a text is a number, a truth value, or says that something is relevant.

    >>> is_verdict("3/5"), is_verdict("Not relevant"), is_verdict("setup.md")
    (True, True, False)
    """
    said = text.strip().casefold()
    return bool(COUNT.fullmatch(said)) or said in TRUTH or bool(VERDICT.fullmatch(said))


def is_grade_title(title: str) -> bool:
    """Tell whether a title is one of a grade, in singular or plural.

    >>> is_grade_title("Grades"), is_grade_title("relevance_score"), is_grade_title("owner")
    (True, True, False)
    """
    return not {plain(title), plain(title).removesuffix("s")}.isdisjoint(GRADES)


def is_remark(title: str) -> bool:
    """Tell whether a title is that of a remark, which may be any text or number."""
    return plain(title) in REMARKS


def is_graded_remark(title: str, values: Iterable[object]) -> bool:
    """Tell whether remarks are verdicts and nothing else, or numbers where texts are expected.

    >>> is_graded_remark("answer", ["accept"]), is_graded_remark("answer", ["42", "yes"])
    (True, False)
    >>> is_graded_remark("Note", ["3", "0"]), is_graded_remark("notes", ["3", "see page 3"])
    (True, False)
    """
    texts = [text for one in values if (text := str(one).strip().casefold())]
    said = all(one in SAID or one.endswith("relevant") for one in texts)
    numbers = plain(title) in TEXTUAL and all(map(NUMBER.fullmatch, texts))
    return bool(texts) and (said or numbers)


def numbers_rows(title: str) -> bool:
    """Tell whether the numbers below a title surely are no grades: ids, lines, pages, dates.

    >>> numbers_rows("ticketId"), numbers_rows("start_line"), numbers_rows("stars")
    (True, True, False)
    """
    if ID.search(title) or plain(title) in NUMBERED:
        return True
    words = _words_of(title)
    return not words.isdisjoint(ROWS) and not (is_logged(title) or any(map(is_grade_title, words)))


def is_logged(title: str) -> bool:
    """Tell whether the numbers below a title are of a run or of a log: such a file judges nothing.

    >>> is_logged("Page Views"), is_logged("rank"), is_logged("page")
    (True, True, False)
    """
    return not _words_of(title).isdisjoint(LOGGED)


def _words_of(title: str) -> set[str]:
    return {word.lower() for word in WORD.findall(title)}

"""A card, and how far the sitting is -> the rows of a terminal, whatever its size."""

from collections.abc import Sequence
from dataclasses import dataclass

from assay.records.judging import Card, Contest, Sitting
from assay.reports.judging.passages import Passage, passages
from assay.text import sanitize
from assay.text.count_noun import count_noun
from assay.text.text_width import text_width
from assay.text.wrap import wrap

__all__ = ["JudgingScreen", "grades", "screen"]

LEAST = (20, 10)  # columns and rows that are filled however small the terminal is
QUERY = 4  # rows that a query may take before it is cut
NOT = "not relevant: does not help"
TOP = "highly relevant: answers the query"
MEANT = {
    1: (NOT, "relevant: answers the query or helps to answer it"),
    2: (NOT, "relevant: answers part of the query or helps to answer it", TOP),
    3: (NOT, "marginal: mentions the topic only", "relevant: answers part of the query", TOP),
    4: (  # as Cranfield's judges were told, from "of minimum interest" to "a complete answer"
        NOT,
        "of minimum interest: mentions the topic only",
        "useful as background",
        "highly relevant: hard to do without",
        "a complete answer to the query",
    ),
}


@dataclass(frozen=True, slots=True)
class JudgingScreen:
    """Rows, none wider than the terminal; ``scroll`` is where the passages really begin.

    ``lines`` are the first and the last line of the document that are in view.
    """

    rows: tuple[str, ...]
    scroll: int = 0
    lines: tuple[int, int] | None = None


def screen(
    sitting: Sitting,
    card: Card,
    *,
    width: int,
    height: int,
    scroll: int = 0,
    left: int | None = None,
    contests: Sequence[Contest] = (),
) -> JudgingScreen:
    """Draw the first document that waits, or help.

    Of the comparisons only their number is told and how many documents they wait for, never which
    runs they are of or where a grade would push them: a judge who knew would not be blind.
    """
    width, height = max(width, LEAST[0]), max(height, LEAST[1])
    if sitting.help:
        return JudgingScreen(tuple(_help(sitting.scale, width)[:height]))
    head = [*_status(sitting, None if contests else left, width), *_about(card, width)]
    foot = [
        *_broken(sanitize(sitting.said), width),
        *_open(contests, left, width),
        *_keys(sitting.scale, width),
    ]
    if len(head) + len(foot) > height - 4:  # a small terminal: the document goes first
        foot = [*_broken(sanitize(sitting.said), width), *_keys(sitting.scale, width)[:1]]
        head = head[: max(3, height - len(foot) - 4)]
    room = max(1, height - len(head) - len(foot) - 1)
    rows = passages(card, sitting.view, width=width, room=room)
    at = max(0, min(scroll, len(rows) - room))
    shown = rows[at : at + room]
    told = _further(rows, below=len(rows) - at - len(shown))[:width]
    lines = [one.line for one in shown if one.line]
    drawn = [*head, *(one.text for one in shown), told, *foot]
    return JudgingScreen(tuple(drawn[:height]), at, (lines[0], lines[-1]) if lines else None)


def _further(rows: Sequence[Passage], *, below: int) -> str:
    """Say how the rest of a document is to be seen."""
    if below > 0:
        return f"-- {count_noun(below, 'more row')}: arrow down or space --"
    if not any(one.line for one in rows):
        return ""  # there is no text
    if all(one.line for one in rows):
        return "-- the whole document --"
    return "-- excerpts: m more, a all --"


def _status(sitting: Sitting, left: int | None, width: int) -> list[str]:
    skipped = len(sitting.answered) - sitting.graded
    most = f" of {sitting.most:,}" if sitting.most is not None else ""
    before = f" ({sitting.before:,} earlier)" if sitting.before else ""
    parts = [f"{sitting.graded:,}{most} graded{before}"]
    parts += [f"{skipped:,} skipped"] if skipped else []
    parts += [f"{left:,} left"] if left is not None else []
    return _broken(", ".join(parts), width)


def _about(card: Card, width: int) -> list[str]:
    text = sanitize(card.text.strip().replace("\n", " "))
    category = f" [{sanitize(card.category)}]" if card.category else ""
    of = f" ({sanitize(card.collection)})" if card.collection else ""
    query = _broken(f"Query{of}: {text}{category}", width)
    query = query if len(query) <= QUERY else [*query[: QUERY - 1], "..."]
    title = sanitize(card.title.strip())
    named = sanitize(card.document)
    is_new = title and title != named and not _begins_with(card, title)
    told = f"{named}: {title}" if is_new else named
    return [*query, *_broken(f"Document: {told}", width)[:3], ""]


def _begins_with(card: Card, title: str) -> bool:
    """Tell whether a document's first line is its title, which is always shown."""
    first = next((line.strip() for line in card.lines if line.strip()), "")
    return sanitize(first).lstrip("# ").casefold().startswith(title.casefold())


def _open(contests: Sequence[Contest], left: int | None, width: int) -> list[str]:
    """Tell how many comparisons are open, and how many documents can be asked for all of them."""
    still = sum(one.open for one in contests)
    if not still:
        return []
    said = count_noun(still, "comparison is open", "comparisons are open")
    if left is not None:
        documents = count_noun(left, "document is", "documents are")
        said += f": at most {documents} left to grade"
    return _broken(said, width)[:2]


def _keys(scale: int, width: int) -> list[str]:
    long = f"0-{scale} grade  s skip  u undo  m more  a all  ? help  q quit"
    return [long] if text_width(long) <= width else _broken(f"0-{scale} s u m a ? q", width)


def _help(scale: int, width: int) -> list[str]:
    rows = ["Grades: how well does the document answer the query?"]
    rows += [f"{grade}  {words}" for grade, words in grades(scale)]
    rows += ["", "s  skip; the document is shown again in the next session"]
    rows += ["u  undo the last grade or skip", "m  show more of the document"]
    rows += ["a  show all of it; arrow keys, space and page keys scroll"]
    rows += ["q  quit; all grades are already saved", "", "Press any key to go back."]
    return [row for one in rows for row in wrap(one, width)]


def _broken(text: str, width: int) -> list[str]:
    return wrap(text, width) if text else []


def grades(scale: int) -> list[tuple[str, str]]:
    """Say what the grades from 0 up to the scale mean; of a long scale, its ends.

    >>> grades(1)[1]
    ('1', 'relevant: answers the query or helps to answer it')
    """
    if scale in MEANT:
        return [(str(grade), words) for grade, words in enumerate(MEANT[scale])]
    between = f"1 to {scale - 1}"
    return [("0", NOT), (between, "the higher, the more relevant"), (str(scale), TOP)]

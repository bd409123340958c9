"""A card, and how far the sitting is -> the rows of a terminal, whatever its size."""

from collections.abc import Sequence
from dataclasses import dataclass

from assay.records import harmless
from assay.records.judging import Card, Contest, Sitting
from assay.reports.judging._rows import broken, columns
from assay.reports.judging.grades import grades
from assay.reports.judging.passages import passages

__all__ = ["Screen", "screen"]

LEAST = (20, 10)  # columns and rows that are filled however small the terminal is
QUERY = 4  # rows that a query may take before it is cut


@dataclass(frozen=True, slots=True)
class Screen:
    """Rows, none wider than the terminal; ``scroll`` is where the passages really begin."""

    rows: tuple[str, ...]
    scroll: int = 0


def screen(
    sitting: Sitting,
    card: Card,
    *,
    width: int,
    height: int,
    scroll: int = 0,
    left: int | None = None,
    contests: Sequence[Contest] = (),
) -> Screen:
    """Draw the first document that waits, or help.

    Of a comparison only its width is told, never its ends or where a grade would push it: a judge
    who knew would not be blind any more.
    """
    width, height = max(width, LEAST[0]), max(height, LEAST[1])
    if sitting.help:
        return Screen(tuple(_help(sitting.scale, width)[:height]))
    head = [*_status(sitting, left, width), *_about(card, width)]
    foot = [
        *_broken(harmless(sitting.said), width),
        *_open(contests, width),
        *_keys(sitting.scale, width),
    ]
    if len(head) + len(foot) > height - 4:  # a small terminal: the document goes first
        foot = [*_broken(harmless(sitting.said), width), *_keys(sitting.scale, width)[:1]]
        head = head[: max(3, height - len(foot) - 4)]
    room = max(1, height - len(head) - len(foot) - 1)
    rows = passages(card, sitting.view, width=width)
    at = max(0, min(scroll, len(rows) - room))
    shown = rows[at : at + room]
    below = len(rows) - at - len(shown)
    more = f"-- {below:,} rows below: arrow down, space --" if below > 0 else ""
    drawn = [*head, *shown, *([more[:width]] if more else [""]), *foot]
    return Screen(tuple(drawn[:height]), at)


def _status(sitting: Sitting, left: int | None, width: int) -> list[str]:
    skipped = len(sitting.answered) - sitting.graded
    parts = [f"{sitting.graded:,} graded"]
    parts += [f"{skipped:,} skipped"] if skipped else []
    parts += [f"at most {left:,} left"] if left is not None else []
    return _broken(", ".join(parts), width)


def _about(card: Card, width: int) -> list[str]:
    text = harmless(card.text.strip().replace("\n", " "))
    category = f" [{harmless(card.category)}]" if card.category else ""
    query = _broken(f"Query: {text}{category}", width)
    query = query if len(query) <= QUERY else [*query[: QUERY - 1], "..."]
    title = harmless(card.title.strip())
    named = harmless(card.document)
    told = f"{named}: {title}" if title and title != named else named
    return [*query, *_broken(f"Document: {told}", width)[:3], ""]


def _open(contests: Sequence[Contest], width: int) -> list[str]:
    """Tell how open the widest comparison is, and how many more there are."""
    still = [one for one in contests if one.open]
    if not still:
        return []
    first = max(still, key=lambda one: (one.high or 0.0) - (one.low or 0.0))
    wide = "" if first.low is None or first.high is None else f", {first.high - first.low:.4f} wide"
    pair = f"{harmless(first.candidate)} vs {harmless(first.baseline)}"
    others = f"; {len(still) - 1:,} more open" if len(still) > 1 else ""
    said = f"{pair}: open{wide}, at most {first.documents:,} documents settle it{others}"
    return _broken(said, width)[:2]


def _keys(scale: int, width: int) -> list[str]:
    long = f"0-{scale} grade  s skip  u undo  m more  a all  ? help  q quit"
    return [long] if columns(long) <= width else _broken(f"0-{scale} s u m a ? q", width)


def _help(scale: int, width: int) -> list[str]:
    rows = ["Grades: how far does the document answer the query?"]
    rows += [f"{grade}  {words}" for grade, words in grades(scale)]
    rows += ["", "s  skip it: it is asked again another time", "u  undo the last answer"]
    rows += ["m  more of the document", "a  all of it; arrows, space and page keys scroll"]
    rows += ["q  quit: all grades are saved already", "", "Any key goes back."]
    return [row for one in rows for row in broken(one, width)]


def _broken(text: str, width: int) -> list[str]:
    return broken(text, width) if text else []

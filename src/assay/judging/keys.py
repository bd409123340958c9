"""A sitting and a key -> the sitting as it is then: all that a judge can do, without a terminal."""

from dataclasses import replace

from assay.records.judging import GivenGrade, Sitting, View
from assay.text.count_noun import count_noun

__all__ = ["press"]

LONGEST = 12  # characters of a wrong key that are repeated


def press(sitting: Sitting, key: str) -> Sitting:
    """Return what a key leads to; one that means nothing here changes nothing, and says so.

    Grades are numbers up to the scale. While help is shown, any key only takes it away.
    """
    sitting = replace(sitting, said="")
    if sitting.help or key == "?":
        return replace(sitting, help=not sitting.help)
    if key == "q":
        return replace(sitting, over=True)
    if key in ("m", "a"):
        return _looked(sitting, "all" if key == "a" or sitting.view == "more" else "more")
    if key == "u":
        return _undone(sitting)
    if key == "s" or _is_grade(key, sitting.scale):
        return _answered(sitting, None if key == "s" else int(key))
    keys = f"0 to {sitting.scale}, s, u, m, a, ? or q"
    return replace(sitting, said=f'unknown key "{key[:LONGEST]}": press {keys}')


def _is_grade(key: str, scale: int) -> bool:
    return key.isascii() and key.isdigit() and int(key[:9]) <= scale


def _looked(sitting: Sitting, view: View) -> Sitting:
    return replace(sitting, view=view)


def _answered(sitting: Sitting, grade: int | None) -> Sitting:
    """Go on to the next document."""
    if not sitting.waiting:
        return sitting
    given = GivenGrade(sitting.waiting[0], grade, sitting.view)
    then = replace(
        _looked(sitting, "few"),
        waiting=sitting.waiting[1:],
        answered=(*sitting.answered, given),
    )
    return replace(then, over=then.most is not None and then.graded >= then.most)


def _undone(sitting: Sitting) -> Sitting:
    """Go back to the document before, as if it had not been answered."""
    if not sitting.answered:
        rest = count_noun(sitting.before, "earlier grade remains", "earlier grades remain")
        earlier = f"; {rest}" if sitting.before else ""
        return replace(sitting, said=f"nothing to undo in this session{earlier}")
    last = sitting.answered[-1]
    back = replace(
        _looked(sitting, last.view),
        waiting=(last.pair, *sitting.waiting),
        answered=sitting.answered[:-1],
    )
    was = "skipped" if last.grade is None else f"graded {last.grade}"
    return replace(back, said=f"undone: it was {was}")

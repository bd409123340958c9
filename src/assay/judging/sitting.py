"""A sitting of a judge: documents are shown until the judge quits, or none is left that matters."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from assay.judging.judging import Judging
from assay.judging.keys import press
from assay.judging.options import JudgeOptions
from assay.records.judging import Card, Contest, JudgingResult, JudgingView, Pair, Sitting

__all__ = ["Books", "hold_sitting"]

AT_ONCE = 5  # documents that are chosen together, and shown in random order


class Books(Protocol):
    """Where grades go to: files, or the judgments of a service."""

    def shown(self, sitting: Sitting) -> tuple[Sitting, Card]:
        """Return the first document that waits, and the sitting with the scale that it has."""
        ...

    def write(self, sitting: Sitting, then: Sitting) -> None:
        """Store the last answer, given or taken back."""
        ...

    def graded(self) -> int:
        """Count what judges graded in earlier sittings."""
        ...

    def output(self) -> str:
        """Name the place of the grades."""
        ...

    def outputs(self) -> Mapping[str, str]:
        """Name the place of each of several datasets."""
        ...


def hold_sitting(books: Books, judging: Judging, said: str, options: JudgeOptions) -> JudgingResult:
    """Show documents until the judge quits, or no document is left that matters."""
    rng = random.Random(options.seed)  # noqa: S311
    before = contests = tuple(judging.contests())
    sitting = Sitting(
        scale=0, most=options.most, before=books.graded(), said=said
    )  # each document has the scale of its dataset
    while not sitting.over:
        if not sitting.waiting:
            asked = {one.pair for one in sitting.answered}
            batch = judging.next(AT_ONCE, without=asked)
            rng.shuffle(batch)
            sitting = replace(sitting, waiting=tuple(batch))
            contests = tuple(judging.contests())
            asked_for = _left(judging, sitting) + len(sitting.answered)  # told after a batch, too
            if not batch:
                break
        contests = _counted(contests, judging.contests())
        left = max(asked_for - len(sitting.answered), len(sitting.waiting))
        sitting, card = books.shown(sitting)
        then = press(sitting, options.ask(JudgingView(sitting, card, left, contests)))
        if then.answered != sitting.answered:
            _note(judging, sitting, then)
            books.write(sitting, then)
        sitting = then
    return JudgingResult(
        output=books.output(),
        graded=sitting.graded,
        skipped=len(sitting.answered) - sitting.graded,
        graded_before=sitting.before,
        left=_left(judging, sitting),
        before=before,
        after=tuple(judging.contests()),
        notes=judging.notes,
        outputs=books.outputs(),
    )


def _counted(shown: Sequence[Contest], now: Sequence[Contest]) -> tuple[Contest, ...]:
    """Count what is unjudged by now; what a grade did to a comparison is told after a batch."""
    pairs = zip(shown, now, strict=True)
    return tuple(replace(one, documents=new.documents) for one, new in pairs)


def _left(judging: Judging, sitting: Sitting) -> int:
    skipped = {one.pair for one in sitting.answered if one.grade is None}
    return judging.left(without=skipped)


def _note(judging: Judging, sitting: Sitting, then: Sitting) -> None:
    """Tell what is asked next of the last answer, or that it was taken back."""
    given = then.answered[-1] if len(then.answered) > len(sitting.answered) else None
    pair: Pair = given.pair if given else sitting.answered[-1].pair
    judging.grade(pair, given.grade if given else None)

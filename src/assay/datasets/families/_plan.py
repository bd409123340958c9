"""Which notes a set of questions needs: answers, near answers, and none that answer by chance."""

from collections.abc import Callable, Sequence

from assay.datasets.families._notes import Note, compose, fresh
from assay.datasets.families._seeded_random import SeededRandom
from assay.datasets.families.lexicon.matter import Matter
from assay.errors import InputError

__all__ = ["ask", "check_room", "free_matters", "write_notes"]

Asked = tuple[Matter, str]


def ask(
    matters: Sequence[Matter],
    count: int,
    chance: SeededRandom,
    phrase: Callable[[Matter], Sequence[str]],
) -> list[Asked]:
    """Choose what is asked: every matter in its first wording before any in its second."""
    mixed = chance.shuffled(matters)
    rounds = max(len(phrase(matter)) for matter in mixed)
    asked = [
        (matter, phrase(matter)[number])
        for number in range(rounds)
        for matter in mixed
        if number < len(phrase(matter))
    ]
    if count > len(asked):
        problem = f"queries={count} is too large: the lexicon has {len(asked):,} questions"
        raise InputError(problem, hint=f"expected at most {len(asked):,}")
    return asked[:count]


def write_notes(
    asked: Sequence[Matter],
    matters: Sequence[Matter],
    documents: int,
    chance: SeededRandom,
    *,
    words: str = "any",
    further: Sequence[Callable[[SeededRandom], Note]] = (),
) -> list[Note]:
    """Write notes about what is asked, then others, up to a number; no two texts are equal.

    Each matter gets a note of its own, one about its kin, and a mention in a note about something
    else. ``further`` notes are those that a family wants besides.
    """
    matters_asked = list(dict.fromkeys(asked))
    free = free_matters(matters_asked, matters)
    check_room(documents, 3 * len(matters_asked) + len(further))
    taken: set[str] = set()
    notes = [fresh(write, chance, taken) for write in further]

    def add(about: Matter, passing: Matter | None = None) -> None:
        write = lambda chance: compose(about, chance, passing=passing, words=words)  # noqa: E731
        notes.append(fresh(write, chance, taken))

    for matter in matters_asked:
        add(matter)
        add(matter.kin)
        add(chance.pick(free), matter)
    while len(notes) < documents:
        add(chance.pick(free))
    return chance.shuffled(notes)


def free_matters(asked: Sequence[Matter], matters: Sequence[Matter]) -> list[Matter]:
    """List the matters that answer no question; if there are none, all may be written about."""
    wanted = {*asked, *(matter.kin for matter in asked)}
    return [matter for matter in matters if matter not in wanted] or list(matters)


def check_room(documents: int, needed: int) -> None:
    """Refuse a number of documents that cannot hold the notes that the queries need."""
    if documents < needed:
        problem = f"documents={documents} is too small: these queries need {needed:,} documents"
        raise InputError(problem, hint=f"use at least {needed:,} documents, or fewer queries")

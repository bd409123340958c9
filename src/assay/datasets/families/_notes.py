"""Notes: what each is about, and the text that says so."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from assay.datasets.families._seeded_random import SeededRandom
from assay.datasets.families._sentences import chatter, fill, say
from assay.datasets.families.lexicon.matter import Matter
from assay.records import Document

__all__ = ["Note", "as_documents", "chat", "compose", "fresh"]

PASSING = ("One more thing.", "While I am at it.", "Unrelated, but worth a line.", "PS.")
TITLES = ("{t}, {day}", "Note on {x}", "{t} ({person})", "To {person}: {x}", "{day}: {t}")
CHAT_TITLES = ("Diary, {day}", "Odds and ends, {month}", "Scraps for {person}", "{day} at {place}")


@dataclass(frozen=True, slots=True)
class Note:
    """One note: the matter it is about, one it touches in passing, one it only sounds like."""

    title: str
    text: str
    about: Matter | None = None
    passing: Matter | None = None
    lure: Matter | None = None


Write = Callable[[SeededRandom], Note]


def compose(
    about: Matter, chance: SeededRandom, *, passing: Matter | None = None, words: str = "any"
) -> Note:
    """Write a note about a matter, with another one in passing."""
    paragraphs = [" ".join([say(about, chance, words=words), *_details(about, chance)])]
    if passing:
        paragraphs.append(f"{chance.pick(PASSING)} {say(passing, chance, words=words)}")
    if chance.happens(0.5):
        paragraphs.append(chatter(chance))
    noun = about.topic.told if words == "told" else about.topic.asked
    title = fill(chance.pick(TITLES), chance, noun)
    return Note(title, "\n\n".join(paragraphs), about=about, passing=passing)


def chat(
    chance: SeededRandom, *sentences: str, title: str = "", lure: Matter | None = None
) -> Note:
    """Write a note about nothing in particular that holds the given sentences."""
    rest = [chatter(chance) for _ in range(2 + chance.below(2))]
    text = " ".join(chance.shuffled([*sentences, *rest]))
    return Note(title or fill(chance.pick(CHAT_TITLES), chance), text, lure=lure)


def fresh(write: Write, chance: SeededRandom, taken: set[str]) -> Note:
    """Write until the text is unlike all that are taken; chance makes this end soon."""
    note = write(chance)
    while note.text in taken:
        note = write(chance)
    taken.add(note.text)
    return note


def as_documents(notes: Sequence[Note]) -> tuple[Document, ...]:
    """Give notes their ids, in the order in which they lie."""
    width = len(str(len(notes)))
    return tuple(
        Document(id=f"note-{number:0{width}}", title=note.title, text=note.text)
        for number, note in enumerate(notes, 1)
    )


def _details(matter: Matter, chance: SeededRandom) -> list[str]:
    count = 1 + chance.below(3)
    return [fill(detail, chance) for detail in chance.sample(matter.domain.details, count)]

"""Semantic similarity: the question and its answer have no word in common, only the meaning."""

from functools import partial

from assay.datasets.families._collect import collect
from assay.datasets.families._notes import Note, chat
from assay.datasets.families._plan import ask, write_notes
from assay.datasets.families._seeded_random import SeededRandom
from assay.datasets.families._sentences import fill
from assay.datasets.families._settings import Documents, Queries, Seed, check_sizes
from assay.datasets.families.lexicon.matter import Matter
from assay.datasets.families.lexicon.vocabulary import everyday
from assay.records import GeneratedDataset

__all__ = ["semantic_similarity"]

LURES = (
    "The quiz team calls itself “{name}” this year and came third.",
    "Saw a film called “{name}”; it is about two sisters in Oslo.",
    "“{name}” is the name of a song that {person} cannot get out of the head.",
    "Seven letters across in the crossword, the clue was “{name}”.",
    "The racing pigeon of {person} is called “{name}”.",
    "{person} painted a picture, all in green, and named it “{name}”.",
    "The password of the puzzle weekend was “{name}”.",
)


def semantic_similarity(
    *, seed: Seed = 0, queries: Queries = 100, documents: Documents = 500
) -> GeneratedDataset:
    """Make questions that share no word with their relevant documents, only the meaning.

    For each query there is also a document that contains its words as a name: it is not relevant.
    """
    check_sizes(queries=queries, documents=documents)
    chance = SeededRandom(seed)
    asked = ask(everyday(), queries, chance, _phrase)
    matters = [matter for matter, _ in asked]
    lures = [partial(_lure, matter) for matter in dict.fromkeys(matters)]
    notes = write_notes(matters, everyday(), documents, chance, words="told", further=lures)
    return collect("semantic-similarity", asked, notes, chance, DESCRIPTION)


DESCRIPTION = (
    "Questions whose answers share no word with them. Grade 3: the note is about what is asked; "
    "2: it says so in passing; 1: it is about the related event (broken, repaired); 0: another "
    "matter, or the words of the question as the name of a film, a song or the like."
)


def _phrase(matter: Matter) -> tuple[str, ...]:
    return tuple(form.format(x=f"the {matter.topic.asked}") for form in matter.event.asked)


def _lure(matter: Matter, chance: SeededRandom) -> Note:
    """Write a note in which the words of the question are a mere name."""
    name = chance.pick(matter.event.short).format(t=matter.topic.asked).title()
    return chat(chance, fill(chance.pick(LURES), chance, name=name), lure=matter)

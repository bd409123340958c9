"""Short queries: one to three words, as people type them, over notes that answer more or less."""

from functools import partial

from assay.datasets.families._collect import collect
from assay.datasets.families._notes import Note, compose
from assay.datasets.families._plan import ask, write_notes
from assay.datasets.families._seeded_random import SeededRandom
from assay.datasets.families._settings import Documents, Queries, Seed, check_sizes
from assay.datasets.families.lexicon.matter import Matter
from assay.datasets.families.lexicon.vocabulary import everyday
from assay.records import GeneratedDataset

__all__ = ["short_queries"]

DESCRIPTION = (
    "Queries of one to three words. A topic alone: grade 3 for notes about it, 2 for a mention. A "
    "topic and an event: 3 if the note is about both, 2 if it says so in passing, 1 if it is about "
    "the related event (broken, repaired); 0: the same topic, another event."
)
ALONE = 4  # one query in so many is a topic alone


def short_queries(
    *, seed: Seed = 0, queries: Queries = 100, documents: Documents = 500
) -> GeneratedDataset:
    """Make queries of one to three words: a topic, or a topic and an event."""
    check_sizes(queries=queries, documents=documents)
    chance = SeededRandom(seed)
    alone = _topics(queries, chance)
    asked = alone + ask(everyday(), queries - len(alone), chance, _phrase)
    spared = {matter.topic.asked for matter, _ in alone}
    others = [matter for matter in everyday() if matter.topic.asked not in spared]
    matters = [matter for matter, _ in asked]
    further = [partial(_near_miss, matter) for matter in dict.fromkeys(matters)]
    notes = write_notes(matters, others, documents, chance, further=further)
    return collect("short-queries", asked, notes, chance, DESCRIPTION, alone=len(alone))


def _topics(queries: int, chance: SeededRandom) -> list[tuple[Matter, str]]:
    """Choose the topics that are asked alone; half of all are left for the other notes."""
    mixed = chance.shuffled(everyday())
    first = {matter.topic.asked: matter for matter in reversed(mixed)}
    count = min(queries // ALONE, len(first) // 2)
    return [(first[topic], topic) for topic in chance.sample(list(first), count)]


def _phrase(matter: Matter) -> tuple[str, ...]:
    return tuple(form.format(t=matter.topic.asked) for form in matter.event.short)


def _near_miss(matter: Matter, chance: SeededRandom) -> Note:
    """Write a note on the same topic and an event that is not kin."""
    domain, asked = matter.domain, (matter.event.name, matter.event.kin)
    event = chance.pick([event for event in domain.events if event.name not in asked])
    return compose(Matter(domain, matter.topic, event), chance)

"""Cross-domain: one word, several meanings; the domain of the question tells which one counts."""

from functools import partial

from assay.datasets.families._collect import collect
from assay.datasets.families._notes import Note, compose
from assay.datasets.families._plan import ask, write_notes
from assay.datasets.families._seeded_random import SeededRandom
from assay.datasets.families._settings import Documents, Queries, Seed, check_sizes
from assay.datasets.families.lexicon.matter import Matter
from assay.datasets.families.lexicon.vocabulary import everyday, homonyms
from assay.records import GeneratedDataset

__all__ = ["cross_domain"]

DESCRIPTION = (
    "Questions about a word that several domains use: the branch of a tree, of a repository, of a "
    "bank. Grade 3: the note is about what is asked; 2: it says so in passing; 1: the same meaning "
    "of the word, another aspect; 0: the same word in another domain."
)


def cross_domain(
    *, seed: Seed = 0, queries: Queries = 100, documents: Documents = 500
) -> GeneratedDataset:
    """Make questions with ambiguous words, over documents from all of their domains."""
    check_sizes(queries=queries, documents=documents)
    chance = SeededRandom(seed)
    asked = ask(homonyms(), queries, chance, lambda matter: matter.event.asked)
    matters = [matter for matter, _ in asked]
    others = [partial(_another_meaning, matter) for matter in dict.fromkeys(matters)]
    notes = write_notes(matters, everyday(), documents, chance, further=others)
    return collect("cross-domain", asked, notes, chance, DESCRIPTION)


def _another_meaning(matter: Matter, chance: SeededRandom) -> Note:
    """Write a note with the same word in another of its domains."""
    same_word = [other for other in homonyms() if other.topic.asked == matter.topic.asked]
    others = [other for other in same_word if other.domain.name != matter.domain.name]
    return compose(chance.pick(others), chance)

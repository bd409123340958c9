"""Exact match: a number, a name or a title that occurs in the relevant notes and nowhere else."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from assay.datasets.families._collect import query_keys
from assay.datasets.families._notes import Note, as_documents, chat, compose, fresh
from assay.datasets.families._plan import check_room
from assay.datasets.families._seeded_random import SeededRandom
from assay.datasets.families._sentences import fill
from assay.datasets.families._settings import Documents, Queries, Seed, check_sizes
from assay.datasets.families._terms import KINDS, TermKind
from assay.datasets.families._truth import SCALE, judgment
from assay.datasets.families.lexicon.vocabulary import everyday
from assay.errors import InputError
from assay.records import Dataset, GeneratedDataset, Judgment, Query

__all__ = ["exact_match"]

DESCRIPTION = (
    "Queries that are a ticket, an invoice, a part, a person or a title. Grade 3: the note is "
    "about it; 2: the note mentions it; 1: it is one entry of a list; 0: the note is about one "
    "that differs by a digit or a name. No other note holds it."
)
LISTED = 5  # terms in a list
TRIES = 1000  # to draw a term that is not taken


@dataclass(frozen=True, slots=True)
class _Term:
    kind: TermKind
    text: str
    twin: str


@dataclass(frozen=True, slots=True)
class _NotePlan:
    """A note to be written, and what it is worth to which terms."""

    write: Callable[[SeededRandom], Note]
    grade: int
    terms: tuple[_Term, ...] = ()


def exact_match(
    *, seed: Seed = 0, queries: Queries = 100, documents: Documents = 500
) -> GeneratedDataset:
    """Make queries that are unique terms; near misses differ from them by a digit or a name."""
    check_sizes(queries=queries, documents=documents)
    chance = SeededRandom(seed)
    terms = _terms(queries, chance)
    planned = _plan(terms)
    check_room(documents, len(planned))
    planned += [_NotePlan(_background, 0)] * (documents - len(planned))
    planned = chance.shuffled(planned)
    taken: set[str] = set()
    notes = as_documents([fresh(plan.write, chance, taken) for plan in planned])
    return GeneratedDataset(
        Dataset(
            "exact-match",
            _queries(terms, planned, [note.id for note in notes]),
            description=DESCRIPTION,
            scale=SCALE,
            documents=notes,
        )
    )


def _terms(count: int, chance: SeededRandom) -> list[_Term]:
    """Draw terms and twins that all differ."""
    taken: set[str] = set()
    terms = []
    for number in range(count):
        kind = KINDS[number % len(KINDS)]
        text = _unlike(taken, partial(kind.make, chance))
        twin = _unlike(taken, partial(kind.twin, text, chance))
        terms.append(_Term(kind, text, twin))
    return terms


def _unlike(taken: set[str], draw: Callable[[], str]) -> str:
    for _ in range(TRIES):
        text = draw()
        if text not in taken:
            taken.add(text)
            return text
    problem = "queries is too large: no more distinct terms can be generated"
    raise InputError(problem, hint="use fewer queries")


def _plan(terms: list[_Term]) -> list[_NotePlan]:
    """Plan three notes for each term (about it, mentioning it, about its twin), and the lists."""
    planned = []
    for term in terms:
        planned.append(_NotePlan(partial(_about, term.kind, term.text), 3, (term,)))
        planned.append(_NotePlan(partial(_mentioning, term), 2, (term,)))
        planned.append(_NotePlan(partial(_about, term.kind, term.twin), 0, (term,)))
    for start in range(0, len(terms), LISTED):
        some = tuple(terms[start : start + LISTED])
        planned.append(_NotePlan(partial(_listing, some), 1, some))
    return planned


def _about(kind: TermKind, term: str, chance: SeededRandom) -> Note:
    sentence = fill(chance.pick(kind.about), chance, term=term)
    return chat(chance, sentence, title=f"{kind.name.capitalize()} {term}")


def _mentioning(term: _Term, chance: SeededRandom) -> Note:
    note = compose(chance.pick(everyday()), chance)
    said = fill(chance.pick(term.kind.passing), chance, term=term.text)
    return Note(note.title, f"{note.text}\n\n{said}")


def _listing(terms: tuple[_Term, ...], chance: SeededRandom) -> Note:
    entries = "\n".join(f"- {term.text}" for term in terms)
    opening = fill("To be looked at with {person} on {day}:", chance)
    return Note(fill("List for {day}", chance), f"{opening}\n{entries}")


def _background(chance: SeededRandom) -> Note:
    return compose(chance.pick(everyday()), chance)


BECAUSE = {
    3: "the note is about it",
    2: "the note mentions it",
    1: "an entry of a list",
    0: "about another one that looks alike",
}


def _queries(terms: list[_Term], planned: list[_NotePlan], ids: list[str]) -> tuple[Query, ...]:
    rows: dict[str, list[Judgment]] = {term.text: [] for term in terms}
    for plan, name in zip(planned, ids, strict=True):
        for term in plan.terms:
            rows[term.text].append(judgment(name, plan.grade, BECAUSE[plan.grade]))
    keys = query_keys("exact-match", len(terms))
    return tuple(
        Query(key, term.text, tuple(rows[term.text]), category=term.kind.name)
        for key, term in zip(keys, terms, strict=True)
    )

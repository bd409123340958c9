"""Long documents: the answer is one passage somewhere in thousands of words."""

from collections.abc import Mapping, Sequence
from typing import Annotated

from assay.datasets.families._collect import query_keys
from assay.datasets.families._logbook import PARTS, Entry, Logbook, lay_out
from assay.datasets.families._plan import ask, free_matters
from assay.datasets.families._seeded_random import SeededRandom
from assay.datasets.families._settings import (
    Documents,
    Queries,
    Seed,
    at_least,
    at_most,
    check_sizes,
)
from assay.datasets.families._truth import ABOUT, BECAUSE, KIN, NEGATIVES, PASSING, SCALE
from assay.datasets.families.lexicon.matter import Matter
from assay.datasets.families.lexicon.vocabulary import everyday
from assay.records import Dataset, Document, GeneratedDataset, Judgment, Query, Rationale, Reference

__all__ = ["long_documents"]

DESCRIPTION = (
    "Questions that one passage of a long logbook answers; the passage is at the start, in the "
    "middle or at the end. Grade 3: an entry is about what is asked; 2: an entry says so in one "
    "sentence; 1: an entry is about the related event (broken, repaired); 0: another event."
)
NAME = "long-documents"
TOKENS = 20_000_000  # of all logbooks together: 120 MB of text


def long_documents(
    *,
    seed: Seed = 0,
    queries: Queries = 60,
    documents: Documents = 120,
    tokens: Annotated[int, "Minimum number of tokens (split at spaces) of a document."] = 2200,
) -> GeneratedDataset:
    """Make documents of more than 2,000 tokens in which one passage answers the question."""
    check_sizes(queries=queries, documents=documents)
    at_most(
        len(everyday()) // 2, "the other half of the lexicon fills the documents", queries=queries
    )
    at_least(3, documents=documents)
    at_least(2001, tokens=tokens)
    at_most(TOKENS // 3, "documents are kept in memory", tokens=tokens)
    at_most(
        TOKENS // tokens, "documents of that length do not fit into memory", documents=documents
    )
    chance = SeededRandom(seed)
    asked = ask(everyday(), queries, chance, _phrase)
    books = _write([matter for matter, _ in asked], documents, tokens, chance)
    texts = tuple(
        Document(name, title=f"Logbook {number}", text=book.text)
        for number, (name, book) in enumerate(books.items(), 1)
    )
    made = tuple(
        _query(key, text, matter, books, chance)
        for key, (matter, text) in zip(query_keys(NAME, queries), asked, strict=True)
    )
    return GeneratedDataset(
        Dataset(NAME, made, description=DESCRIPTION, scale=SCALE, documents=texts)
    )


def _phrase(matter: Matter) -> tuple[str, ...]:
    return tuple(form.format(x=f"the {matter.topic.asked}") for form in matter.event.asked)


def _write(
    matters: Sequence[Matter], documents: int, tokens: int, chance: SeededRandom
) -> dict[str, Logbook]:
    books = [Logbook() for _ in range(documents)]
    _place(matters, books, chance)
    others = free_matters(matters, everyday())
    for book in books:
        lay_out(book, tokens, others, chance)
    width = len(str(documents))
    return {f"logbook-{number:0{width}}": book for number, book in enumerate(books, 1)}


def _place(matters: Sequence[Matter], books: list[Logbook], chance: SeededRandom) -> None:
    """Put each matter into three logbooks: at length, in a sentence, and its kin."""
    for number, matter in enumerate(dict.fromkeys(matters)):
        entries = (Entry(matter), Entry(matter, brief=True), Entry(matter.kin))
        chosen = _choose(matter, books, chance)
        for turn, entry in enumerate(entries):
            chosen[turn].parts[(number + turn) % len(PARTS)].append(entry)


def _choose(matter: Matter, books: list[Logbook], chance: SeededRandom) -> list[Logbook]:
    """Mix the logbooks, those first that say nothing of the topic: one answer a logbook."""
    named = {id(b) for b in books for p in b.parts for e in p if e.matter.topic == matter.topic}
    return sorted(chance.shuffled(books), key=lambda book: id(book) in named)


def _query(
    key: str, text: str, matter: Matter, books: Mapping[str, Logbook], chance: SeededRandom
) -> Query:
    """Judge every logbook with a word on the matter, and some that only have its topic."""
    rows, alike, needles = [], [], []
    for name, book in books.items():
        grade, entry = _best(matter, book)
        if entry:
            rows.append(_judgment(name, grade, book.places[entry][0]))
        elif any(other.matter.topic == matter.topic for other in book.places):
            alike.append(name)
        needles += [_needle(name, book, entry)] if entry and grade == ABOUT else []
    rows += [_judgment(name, 0, None) for name in chance.sample(alike, NEGATIVES)]
    extra = {"topic": matter.topic.asked, "event": matter.event.name, "needles": needles}
    return Query(key, text, tuple(rows), category=matter.domain.name, extra=extra)


def _best(matter: Matter, book: Logbook) -> tuple[int, Entry | None]:
    """Find the entry of a logbook that answers best."""
    worth = (
        (ABOUT, Entry(matter)),
        (PASSING, Entry(matter, brief=True)),
        (KIN, Entry(matter.kin)),
        (KIN, Entry(matter.kin, brief=True)),
    )
    return next(((grade, entry) for grade, entry in worth if entry in book.places), (0, None))


def _judgment(name: str, grade: int, line: int | None) -> Judgment:
    reason = BECAUSE[grade].replace("note", "entry") if grade else "the same topic, another event"
    lines = None if line is None else (line, line)
    return Judgment(Reference(document_id=name), grade, because=Rationale(reason, lines))


def _needle(name: str, book: Logbook, entry: Entry) -> dict[str, str | int]:
    """Say where the answer stands: in which third, after how many tokens, of how many."""
    before, total = book.places[entry][1], len(book.text.split())
    position = PARTS[min(2, 3 * before // total)]
    return {"document": name, "position": position, "token": before, "tokens": total}

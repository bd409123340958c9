"""Put questions, notes and their truth together as a dataset."""

from collections.abc import Sequence

from assay.datasets.families._notes import Note, as_documents
from assay.datasets.families._seeded_random import SeededRandom
from assay.datasets.families._truth import SCALE, TopicJudgments
from assay.datasets.families.lexicon.matter import Matter
from assay.records import Dataset, GeneratedDataset, Judgment, Query

__all__ = ["collect", "query_keys"]


def collect(
    name: str,
    asked: Sequence[tuple[Matter, str]],
    notes: Sequence[Note],
    chance: SeededRandom,
    description: str,
    *,
    alone: int = 0,
) -> GeneratedDataset:
    """Judge each question against the notes, and make a dataset of both.

    The first ``alone`` questions name a topic and no event.
    """
    documents = as_documents(notes)
    truth = TopicJudgments(notes, documents)
    queries = []
    for at, key in enumerate(query_keys(name, len(asked))):
        matter, text = asked[at]
        judgments = truth.judgments(matter, chance, alone=at < alone)
        event = "" if at < alone else matter.event.name
        queries.append(_query(key, text, matter, event, judgments))
    made = Dataset(name, tuple(queries), description=description, scale=SCALE, documents=documents)
    return GeneratedDataset(made)


def query_keys(name: str, count: int) -> list[str]:
    """Name queries by the family and a number of even width."""
    width = len(str(count))
    return [f"{name}-{number:0{width}}" for number in range(1, count + 1)]


def _query(
    key: str, text: str, matter: Matter, event: str, judgments: tuple[Judgment, ...]
) -> Query:
    extra = {"topic": matter.topic.asked} | ({"event": event} if event else {})
    return Query(key, text, judgments, category=matter.domain.name, extra=extra)

"""JSON of a Quepid book: pairs of a query and a document, each judged by several people."""

from functools import cache
from typing import Any

from assay.columns.documents.strict_json import strict_json
from assay.datasets.first_keys import first_keys
from assay.datasets.formats._decimal_ratings import number
from assay.datasets.formats._judges import Judges
from assay.datasets.formats._rated_queries import RatedQueries
from assay.datasets.formats._read_only import read_only
from assay.datasets.formats._schemas import NAME, TEXT, record
from assay.datasets.limits import Limits
from assay.datasets.place import Place
from assay.datasets.problems import Problems
from assay.datasets.schema import Schema
from assay.records import Dataset, Rationale

__all__ = ["quepid_book"]

KEPT = ("information_need", "notes", "options")


@cache
def _schema() -> Schema:
    rating = {"type": ["number", "string", "null"]}
    judgement = {"type": "object", "properties": {"rating": rating}}
    judgements = {"type": ["array", "null"], "items": judgement}
    pair = record(
        {"query_text": TEXT, "doc_id": NAME, "judgements": judgements}, "query_text", "doc_id"
    )
    pairs = {"type": "array", "items": pair}
    return Schema(record({"name": TEXT, "query_doc_pairs": pairs}, "query_doc_pairs"))


def _matches(place: Place) -> bool:
    head = place.head.lstrip()
    return head.startswith(b"{") and "query_doc_pairs" in first_keys(head)


def _load(place: Place, limits: Limits) -> Dataset:
    book = strict_json(place.read(), where=place.name)
    problems = Problems(place.name)
    problems.check(_schema(), book)
    problems.refuse()
    rated = RatedQueries(problems)
    judges = Judges(whole=not book.get("support_implicit_judgements"))
    for at, pair in enumerate(book["query_doc_pairs"]):
        _add(pair, f"query_doc_pairs[{at}]", rated, judges)
    return rated.dataset(
        place, name=book.get("name", ""), scale=_scale(book.get("scale")), notes=judges.notes
    )


def _add(pair: dict[str, Any], at: str, rated: RatedQueries, judges: Judges) -> None:
    extra = {name: pair[name] for name in KEPT if pair.get(name)}
    key, document = rated.query(pair["query_text"], at=at, extra=extra), str(pair["doc_id"])
    given = [one for one in pair.get("judgements") or () if one.get("rating") not in (None, "")]
    because = _because(given[0]) if len(given) == 1 else None
    rating = judges.rating(one["rating"] for one in given)
    rated.rate(key, document, rating, at=at, because=because)


def _because(judgement: dict[str, Any]) -> Rationale | None:
    said = Rationale(
        str(judgement.get("explanation") or ""), judge=str(judgement.get("user_email") or "")
    )
    return None if said == Rationale() else said


def _scale(given: object) -> object:
    """Return the largest rating of a book's scale, a list or a text such as 0,1,2,3."""
    options = given.split(",") if isinstance(given, str) else given
    known = [number(one) for one in options] if isinstance(options, list) else []
    return str(max((one for one in known if one is not None), default=0))


quepid_book = read_only("Quepid book (JSON): ratings by several judges", -2, _matches, _load)

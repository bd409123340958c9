"""What a Python function returned -> ids and scores, best first."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from assay.engines.systems._document_ids import DocumentIds, single_path
from assay.engines.systems._path import NOTHING, Path
from assay.engines.systems._ranked import document_id, ranked
from assay.errors import InputError
from assay.records import Floats
from assay.text.near_miss import did_you_mean
from assay.text.quote import quote_value

__all__ = ["SHAPES", "ResultParts"]

SHAPES = "return a list of ids, a list of (id, score), or {id: score}"
RESULTS = "return a list of results, each with what response.document names"
KEYS = ("document", "score")
HINT = "e.g. response: {document: path, score: score}"
Pair = tuple[object, object]


class ReadResults(NamedTuple):
    """Ids and scores; whether these ``rose``, and what a pattern could make no id of."""

    documents: list[str]
    scores: Floats
    rose: bool
    unmatched: Sequence[str]


@dataclass(frozen=True, slots=True)
class ResultParts:
    """Takes the results of a function apart; ``document`` and ``score`` where they are objects."""

    document: DocumentIds | None = None
    score: Path | None = None

    @classmethod
    def of(cls, response: Mapping[str, Any] | None) -> "ResultParts":
        """Read the setting ``response``; without it results are ids or pairs."""
        if response is None:
            return cls()
        if not isinstance(response, Mapping) or "document" not in response:
            problem = f"invalid value {quote_value(response)}"
            raise InputError(problem, where="response", hint=HINT)
        for key in response.keys() - set(KEYS):
            hint = did_you_mean(str(key), KEYS)
            raise InputError(f"unknown key {quote_value(key)}", where="response", hint=hint)
        score = response.get("score")
        path = None if score is None else single_path(score, "response.score")
        return cls(DocumentIds.of(response["document"]), path)

    def read(self, given: object) -> "ReadResults":
        """Return what was returned as ids and scores that never rise."""
        if given is None or not isinstance(given, Mapping | Sequence):
            kind = "None" if given is None else f"an object of type {type(given).__name__}"
            raise InputError(f"returned {kind}", hint=RESULTS if self.document else SHAPES)
        if isinstance(given, str | bytes):
            raise InputError(f"returned a text: {quote_value(given)}", hint=SHAPES)
        unmatched: list[str] = []
        pairs = self._objects(given, unmatched) if self.document else _pairs(given)
        hint = "check response.score" if self.document else SHAPES
        ids = [document_id(one, place=at, hint=hint) for at, (one, _) in enumerate(pairs, 1)]
        scores, rose = ranked([score for _, score in pairs], hint=hint)
        return ReadResults(ids, scores, rose, unmatched)

    def _objects(
        self, given: Mapping[Any, Any] | Sequence[Any], unmatched: list[str]
    ) -> list[Pair]:
        if self.document is None or isinstance(given, Mapping):
            raise InputError("returned a mapping, not a list of results", hint=RESULTS)
        pairs: list[Pair] = []
        for place, one in enumerate(given, 1):
            score = NOTHING if self.score is None else self.score.value(one)
            id_, odd = self.document.read(one, place)
            unmatched += [odd] if odd else []
            pairs.append((id_, None if score is NOTHING else score))
        return pairs


def _pairs(given: Mapping[Any, Any] | Sequence[Any]) -> list[Pair]:
    """Take apart ids, pairs, or a mapping, which has no order but that of its scores."""
    if not isinstance(given, Mapping):
        return [_pair(one) for one in given]
    pairs: list[Pair] = list(given.items())
    ranked([1.0, *(score for _, score in pairs)], hint=SHAPES)  # numbers, all of them
    return sorted(pairs, key=lambda pair: -float(pair[1]))  # type: ignore[arg-type]


def _pair(one: object) -> Pair:
    if isinstance(one, tuple | list):
        if len(one) != 2:
            problem = f"returned {quote_value(one)} instead of an id and a score"
            raise InputError(problem, hint=SHAPES)
        return one[0], one[1]
    if isinstance(one, Mapping):
        problem = f"returned results with keys ({', '.join(map(str, one)):.100})"
        raise InputError(problem, hint=f"say which of them is the id: {HINT}")
    return one, None

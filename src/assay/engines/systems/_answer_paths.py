"""The answer of a service, as bytes -> documents and scores, by the paths that lead to them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from assay.engines.systems._document_ids import DocumentIds, single_path
from assay.engines.systems._path import NOTHING, Path
from assay.engines.systems._ranked import ranked
from assay.engines.systems._secret_mask import PLAIN, SecretMask
from assay.errors import InputError
from assay.records import Floats
from assay.text.near_miss import near_miss
from assay.text.quote import quote_value

__all__ = ["AnswerHits", "AnswerPaths"]

USUAL = {"hits": "hits", "document": "id", "score": "score"}
KEYS = (*USUAL, "incomplete")
HINT = "e.g. response: {hits: hits.hits, document: _id, score: _score}"
SHOWN = 80  # letters of an answer that a message shows
READ = 64 << 10  # bytes of an answer that are looked at for that


@dataclass(frozen=True, slots=True, eq=False)
class AnswerHits:
    """What an answer says; ``odd`` is what is odd about its scores, if anything is.

    ``unmatched`` are texts of which the pattern of ``response.document`` could make no id.
    """

    documents: list[str]
    scores: Floats
    odd: str = ""
    unmatched: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AnswerPaths:
    """Where an answer has its hits, and each of them its document and its score.

    ``incomplete`` leads to what says that the answer is not all that there is: true, a number
    above 0, or a list of errors. ``named`` says that the path to scores was given, not guessed.
    """

    hits: Path
    document: DocumentIds
    score: Path | None
    incomplete: tuple[Path, ...] = ()
    named: bool = False
    show: SecretMask = PLAIN

    @classmethod
    def of(cls, response: Mapping[str, Any] | None, *, show: SecretMask = PLAIN) -> "AnswerPaths":
        """Read the setting ``response``; what it leaves out is hits, id, score."""
        given = {} if response is None else response
        if not isinstance(given, Mapping):
            raise InputError(f"invalid value {quote_value(given)}", where="response", hint=HINT)
        for key in given.keys() - set(KEYS):
            close = near_miss(str(key), KEYS)
            hint = f'did you mean "{close}"?' if close else HINT
            raise InputError(f"unknown key {quote_value(key)}", where="response", hint=hint)
        hits = Path.of(given.get("hits", USUAL["hits"]), where="response.hits")
        document = DocumentIds.of(given.get("document", USUAL["document"]), show=show)
        written = given.get("score", USUAL["score"])  # null: the order counts
        score = None if written is None else single_path(written, "response.score")
        says = given.get("incomplete") or []
        says = says if isinstance(says, list | tuple) else [says]
        told = tuple(Path.of(one, where="response.incomplete") for one in says)
        return cls(hits, document, score, told, "score" in given, show)

    def read(self, content: bytes, *, kind: str = "") -> AnswerHits:
        """Return ids and scores, best first; ``kind`` is what the answer is declared to be."""
        answer = self._parsed(content, kind)
        self._refuse_incomplete(answer)
        hits = self._hits(answer)
        found = [self.document.read(hit, place) for place, hit in enumerate(hits, 1)]
        scores, odd = self._scores(hits)
        unmatched = tuple(text for _, text in found if text)
        return AnswerHits([id_ for id_, _ in found], scores, odd, unmatched)

    def _scores(self, hits: list[Any]) -> tuple[Floats, str]:
        path = self.score
        found = [None if path is None else path.value(hit) for hit in hits]
        given = [None if one is NOTHING else one for one in found]
        hint = f"check response.score ({path.written if path else 'null'})"
        values, rose = ranked(given, hint=hint, show=self.show)
        lacking = bool(given) and self.named and given[0] is None
        if rose:
            return values, "have ascending scores"
        return values, f"have no {path.written}" if path and lacking else ""

    def _refuse_incomplete(self, answer: object) -> None:
        for path in self.incomplete:
            if said := [one for one in path.values(answer) if one]:
                hint = "a part of the service did not respond: raise its timeout, or check its log"
                problem = f"the response is incomplete ({path.written}: {self._told(said[0])})"
                raise InputError(problem, hint=hint)

    def _hits(self, answer: object) -> list[Any]:
        if self.hits.many:
            return _joined(self.hits.values(answer))
        found = self.hits.value(answer)
        if found is NOTHING and self.hits.optional:
            return []
        if found is NOTHING:
            hint = f"check response.hits; write {self.hits.written}? if it can be missing"
            raise InputError(
                f"the response has no {self.hits.written} ({self._told(answer)})", hint=hint
            )
        if not isinstance(found, list):
            hint = "check response.hits: it must point to the list of results"
            problem = (
                f"{self.hits.written or '.'} in the response is not a list ({self._told(found)})"
            )
            raise InputError(problem, hint=hint)
        return found

    def _parsed(self, content: bytes, kind: str) -> object:
        try:
            return json.loads(content)
        except (ValueError, RecursionError):
            said = self.show.value(content[:READ].decode(errors="replace"), SHOWN)
            kind = f" but {self.show.text(kind, 60)}" if kind and "json" not in kind else ""
            hint = "check that url is the search endpoint, and that it returns JSON"
            raise InputError(f"the response is not JSON{kind}: {said}", hint=hint) from None

    def _told(self, value: object) -> str:
        """Describe a value in a few words."""
        if isinstance(value, dict):
            keys = self.show.text(", ".join(list(value)[:8]), 200)
            return f"keys: {keys}" if keys else "no keys"
        if isinstance(value, list):
            return f"a list of length {len(value)}"
        return self.show.value(value)


def _joined(found: list[Any]) -> list[Any]:
    """Join the lists that a path leads to, if these are what it leads to."""
    lists = all(isinstance(one, list) for one in found)
    return [hit for one in found for hit in one] if lists else found

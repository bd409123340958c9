"""Python function that is called with a query and the number of results."""

import inspect
import threading
from collections.abc import Mapping, Sequence

from assay.engines.systems._loading import Function, line_of, load_function, remove
from assay.engines.systems._ranked import document_id, ranked
from assay.engines.systems._silence import out_of_the_way
from assay.errors import InputError
from assay.records import Query, System, SystemReply
from assay.records.fingerprint import fingerprint_settings
from assay.text import sanitize
from assay.text.count_noun import count_noun
from assay.text.quote import quote_value

__all__ = ["call_function"]

SHAPES = "return a list of ids, a list of (id, score), or {id: score}"
MOST_AT_ONCE = 256


def call_function(
    *, function: str, concurrency: int = 1, home: str = "", run: bool = True
) -> System:
    """Make a system of a function: FILE.py:FUNCTION (relative to ``home``) or MODULE:FUNCTION.

    It is called with a query and the number of results, and with ``id=`` if it has such a
    parameter. It returns ids, best first, or pairs of ids and scores, or a mapping of scores.
    With ``run`` false, the file is only checked, and the function cannot be called.
    """
    whole = isinstance(concurrency, int) and not isinstance(concurrency, bool)
    if not whole or not 1 <= concurrency <= MOST_AT_ONCE:
        hint = f"expected a whole number from 1 to {MOST_AT_ONCE}"
        raise InputError(
            f"invalid value {quote_value(concurrency)}", where="concurrency", hint=hint
        )
    return _FunctionSystem(load_function(function, home=home, run=run), function, concurrency)


class _FunctionSystem:
    """A function that is called once for each query."""

    def __init__(self, function: Function, name: str, concurrency: int) -> None:
        self._function, self._name, self.concurrency = function, name, concurrency
        self.fingerprint = fingerprint_settings(
            kind="callable", function=name, content=function.content
        )
        self._rose: set[str] = set()
        self._lock = threading.Lock()

    @property
    def notes(self) -> Sequence[str]:
        """Tell what a reader must know."""
        if not self._rose:
            return ()
        queries = count_noun(len(self._rose), "query")
        return (f"{queries} with ascending scores: ranked by result order instead",)

    def search(self, query: Query, top: int) -> SystemReply:
        """Call the function; what it raises belongs to this query."""
        given = self._called(query, top)
        if given is None or inspect.isawaitable(given) or not isinstance(given, Mapping | Sequence):
            raise self._refused(f"returned {_kind(given)}")
        try:
            documents, scores = _parts(given)
            values, rose = ranked(scores, hint=SHAPES)
        except InputError as error:
            raise self._refused(error.problem) from None
        if rose:
            with self._lock:
                self._rose.add(query.key)
        return SystemReply(documents, values)

    def close(self) -> None:
        """Let Python look in its folder no longer."""
        remove(self._function.folder)

    def _called(self, query: Query, top: int) -> object:
        more = {"id": query.key} if self._function.takes_id else {}
        try:
            with out_of_the_way():
                return self._function.call(query.text, top, **more)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - it may raise anything
            place = line_of(error, self._function.file)
            problem = sanitize(f"{place}: {type(error).__name__}: {error}"[:300])
            raise InputError(problem, where=self._name, hint="fix the function") from None

    def _refused(self, problem: str) -> InputError:
        return InputError(f"{self._name}: {problem}", where=self._name, hint=SHAPES)


def _parts(given: object) -> tuple[list[str], list[object]]:
    """Take apart ids, pairs, or a mapping, which has no order but that of its scores."""
    if isinstance(given, str | bytes):
        raise InputError(f"returned a text: {quote_value(given)}")
    if isinstance(given, Mapping):
        pairs = list(given.items())
        ranked([1.0, *(score for _, score in pairs)], hint=SHAPES)  # numbers, all of them
        pairs.sort(key=lambda pair: -float(pair[1]))
    else:
        pairs = [_pair(one) for one in given]  # type: ignore[attr-defined]
    ids = [document_id(one, place=at, hint=SHAPES) for at, (one, _) in enumerate(pairs, 1)]
    return ids, [score for _, score in pairs]


def _pair(one: object) -> tuple[object, object]:
    if isinstance(one, tuple | list):
        if len(one) != 2:
            raise InputError(f"returned {quote_value(one)} instead of an id and a score")
        return one[0], one[1]
    return one, None


def _kind(given: object) -> str:
    if inspect.iscoroutine(given):
        given.close()  # or Python warns that nobody awaited it
    return "None" if given is None else f"an object of type {type(given).__name__}"

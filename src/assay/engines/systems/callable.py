"""Python function that is called with a query and the number of results."""

import inspect
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from typing import Any

from assay.engines.systems._arguments import Arguments
from assay.engines.systems._document_ids import UnmatchedIds
from assay.engines.systems._event_loop import NotInTimeError, event_loop, result_of
from assay.engines.systems._loading import Function, line_of, load_function, remove
from assay.engines.systems._result_parts import SHAPES, ResultParts
from assay.engines.systems._silence import out_of_the_way
from assay.errors import InputError
from assay.records import Query, System, SystemReply
from assay.records.fingerprint import fingerprint_settings
from assay.text import sanitize
from assay.text.count_noun import count_noun
from assay.text.quote import quote_value

__all__ = ["call_function"]

MOST_AT_ONCE = 256
LONGEST_S = 3600.0
FILTERS = "filters"  # of queries: which documents they may find


def call_function(
    *,
    function: str,
    settings: Mapping[str, Any] | None = None,
    response: Mapping[str, Any] | None = None,
    timeout_s: float | None = None,
    concurrency: int = 1,
    home: str = "",
    run: bool = True,
) -> System:
    """Make a system of a function: FILE.py:FUNCTION (relative to ``home``) or MODULE:FUNCTION.

    It is called with a query and the number of results, with ``settings`` as keywords, and with
    ``id`` and further fields of the query if it has parameters of these names. An async function is
    awaited for ``timeout_s`` at most; all of them run in one event loop. It returns ids, best
    first, or pairs of ids and scores, or a mapping of scores; or mappings or objects of which
    ``response`` says where their ``document`` and ``score`` are. With ``run`` false, the file is
    only checked, and the function cannot be called.
    """
    _check_numbers(concurrency, timeout_s)
    given = _keywords(settings)
    parts = ResultParts.of(response)
    loaded = load_function(function, home=home, run=run)
    try:
        arguments = Arguments.of(loaded.call, given, function) if run else Arguments(given)
        _refuse_idle(timeout_s, run and not loaded.is_async)
    except InputError:
        remove(loaded.folder)
        raise
    name = fingerprint_settings(
        kind="callable",
        function=function,
        content=loaded.content,
        **({"settings": dict(given)} if given else {}),
        **({"response": dict(response)} if response else {}),
        **({} if timeout_s is None else {"timeout_s": float(timeout_s)}),  # fails those after it
    )
    return _FunctionSystem(
        loaded,
        function,
        arguments,
        parts,
        timeout_s=timeout_s,
        concurrency=concurrency,
        fingerprint=name,
    )


class _FunctionSystem:
    """A function that is called once for each query."""

    def __init__(
        self,
        function: Function,
        name: str,
        arguments: Arguments,
        parts: ResultParts,
        *,
        timeout_s: float | None,
        concurrency: int,
        fingerprint: str,
    ) -> None:
        self._function, self._name = function, name
        self._arguments, self._parts, self._timeout_s = arguments, parts, timeout_s
        self.concurrency, self.fingerprint = concurrency, fingerprint
        self._rose: set[str] = set()
        self._unfiltered: set[str] = set()
        self._unmatched = UnmatchedIds()
        self._most = 0  # results that were asked for
        self._awaited: set[Future[Any]] = set()
        self._lock = threading.Lock()

    @property
    def notes(self) -> Sequence[str]:
        """Tell what a reader must know."""
        told = []
        if self._rose:
            queries = count_noun(len(self._rose), "query")
            told.append(f"{queries} with ascending scores: ranked by result order instead")
        if self._unfiltered:
            queries = count_noun(len(self._unfiltered), "query")
            told.append(f'the filters of {queries} are ignored: add a parameter "filters"')
        fixed = self._arguments.fixed
        number = self._arguments.settings.get(fixed)
        if isinstance(number, int) and number < self._most:
            what = f"{fixed} is set to {number:,}"
            told.append(f"{what}, fewer than the {self._most:,} results that are measured")
        return (*told, *self._unmatched.notes(lambda text, most: text[:most]))

    def search(self, query: Query, top: int) -> SystemReply:
        """Call the function; what it raises belongs to this query."""
        given = self._called(query, top)
        try:
            read = self._parts.read(given)
        except InputError as error:
            hint = error.hint or SHAPES
            raise InputError(
                f"{self._name}: {error.problem}", where=self._name, hint=hint
            ) from None
        self._unmatched.add(query.key, read.unmatched, len(read.documents))
        with self._lock:
            self._most = max(self._most, top)
            if read.rose:
                self._rose.add(query.key)
            if query.variables.get(FILTERS) and FILTERS not in self._arguments.fields:
                self._unfiltered.add(query.key)
        return SystemReply(read.documents, read.scores)

    def close(self) -> None:
        """Cancel what is still awaited, and let Python look in the folder no longer."""
        with self._lock:
            awaited = [*self._awaited]
        for one in awaited:
            one.cancel()
        remove(self._function.folder)

    def _called(self, query: Query, top: int) -> object:
        places, names = self._arguments.of_query(query, top)
        try:
            with out_of_the_way():
                given = self._function.call(*places, **names)
                return self._result_of(given) if inspect.isawaitable(given) else given
        except NotInTimeError:
            hint = "raise timeout_s, or lower concurrency"
            raise InputError(f"no result within {self._timeout_s:g} s", hint=hint) from None
        except (Exception, SystemExit) as error:  # noqa: BLE001 - it may raise anything
            place = line_of(error, self._function.file)
            problem = sanitize(f"{place}: {type(error).__name__}: {error}"[:300])
            raise InputError(problem, where=self._name, hint="fix the function") from None

    def _result_of(self, awaitable: Any) -> object:  # noqa: ANN401
        future = event_loop.submit(awaitable)
        with self._lock:
            self._awaited.add(future)
        try:
            return result_of(future, self._timeout_s)
        finally:
            with self._lock:
                self._awaited.discard(future)


def _keywords(settings: object) -> Mapping[str, Any]:
    if settings is None:
        return {}
    named = isinstance(settings, Mapping) and all(isinstance(key, str) for key in settings)
    if not isinstance(settings, Mapping) or not named:
        hint = "expected names and values, e.g. settings: {use_reranker: true}"
        raise InputError(f"invalid value {quote_value(settings)}", where="settings", hint=hint)
    return settings


def _refuse_idle(timeout_s: float | None, waits: bool) -> None:  # noqa: FBT001
    if waits and timeout_s is not None:
        hint = "remove it: only an async function can be stopped"
        raise InputError("has no effect", where="timeout_s", hint=hint)


def _check_numbers(concurrency: object, timeout_s: object) -> None:
    whole = isinstance(concurrency, int) and not isinstance(concurrency, bool)
    if not whole or not 1 <= concurrency <= MOST_AT_ONCE:  # type: ignore[operator]
        hint = f"expected a whole number from 1 to {MOST_AT_ONCE}"
        problem = f"invalid value {quote_value(concurrency)}"
        raise InputError(problem, where="concurrency", hint=hint)
    if timeout_s is None:
        return
    number = isinstance(timeout_s, int | float) and not isinstance(timeout_s, bool)
    if not number or not 0.001 <= timeout_s <= LONGEST_S:  # type: ignore[operator]
        hint = f"expected a number of seconds from 0.001 to {LONGEST_S:g}"
        raise InputError(f"invalid value {quote_value(timeout_s)}", where="timeout_s", hint=hint)

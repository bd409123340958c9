"""Search service with an HTTP API that returns results as JSON, such as Elasticsearch or Solr."""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from assay.engines.systems._answer_paths import AnswerHits, AnswerPaths
from assay.engines.systems._document_ids import UnmatchedIds
from assay.engines.systems._failure_messages import FailureMessages
from assay.engines.systems._held_packets import HeldPackets
from assay.engines.systems._request import Request
from assay.engines.systems._secret_mask import SecretMask
from assay.errors import InputError
from assay.http.attempts import Attempts
from assay.http.connections import Connections
from assay.records import Query, System, SystemReply
from assay.records.fingerprint import fingerprint_settings
from assay.records.model import Vectors
from assay.text.count_noun import count_noun
from assay.text.quote import quote_value

__all__ = ["http"]

MOST_RETRIES = 20
MOST_AT_ONCE = 256
LONGEST_S = 3600.0
LONGEST = 600  # letters of a message
LARGEST = 64 << 20  # bytes of an answer: far above any list of results
FIRST_PAUSE_S = 0.25  # before a busy server is asked again
TRIAL = Query(key="test", text="test")  # harmless, and finding nothing is fine


def http(  # noqa: PLR0913 - its settings
    *,
    url: str,
    method: str | None = None,
    headers: Mapping[str, str] | None = None,
    params: Mapping[str, Any] | None = None,
    request: object = None,
    response: Mapping[str, Any] | None = None,
    timeout_s: float = 10.0,
    retries: int = 3,
    concurrency: int = 1,
    model: str | None = None,
    embed: Callable[[Query], Vectors] | None = None,
    confined: bool = False,
) -> System:
    """Make a system of an HTTP service.

    ``url``, ``params`` (the query string) and ``request`` (the JSON body) may contain {query},
    {top}, {id} and fields of the query such as {query.language} or {query.filters.price:-0};
    ``request`` also {vector}, the query vector of ``model``, made by ``embed``.
    All of them and ``headers`` may contain environment variables: ${NAME} or ${NAME:-DEFAULT}.
    ``response`` has the paths of the results (``hits``), of the ``document`` and ``score`` of each
    result, and of a flag that the response is ``incomplete``, in which case the query fails. If the
    server is busy, the request is sent again up to ``retries`` times.
    A ``confined`` system refuses queries that would lead to another folder than that of ``url``.
    """
    asked = Request(
        url=url, method=method, headers=headers, params=params, request=request, confined=confined
    )
    show = SecretMask(asked.environment)
    reading = AnswerPaths.of(response, show=show)
    _check_model(model, asked)
    _check_number("timeout_s", timeout_s, 0.001, LONGEST_S)
    _check_number("retries", retries, 0, MOST_RETRIES)
    _check_number("concurrency", concurrency, 1, MOST_AT_ONCE)
    messages = FailureMessages(show, timeout_s)
    attempts = Attempts(
        connections=Connections(asked.server, timeout_s=timeout_s, largest=LARGEST),
        retries=retries,
        first_pause_s=FIRST_PAUSE_S,
        refused=messages.refused,
        unreachable=messages.unreachable,
    )
    patience = {"timeout_s": float(timeout_s), "retries": retries}  # decide which queries fail
    name = fingerprint_settings(
        kind="http", **asked.settings, response=dict(response or {}), model=model, **patience
    )
    return _Service(
        asked, reading, attempts, show=show, embed=embed, concurrency=concurrency, fingerprint=name
    )


class _Service:
    """A service that is asked with one request for each query."""

    def __init__(
        self,
        request: Request,
        reading: AnswerPaths,
        attempts: Attempts,
        *,
        show: SecretMask,
        embed: Callable[[Query], Vectors] | None,
        concurrency: int,
        fingerprint: str,
    ) -> None:
        self._request, self._reading, self._embed = request, reading, embed
        self._attempts, self._show = attempts, show
        self.concurrency, self.fingerprint = concurrency, fingerprint
        self._odd: dict[str, set[str]] = {}
        self._unmatched = UnmatchedIds()
        self._held = HeldPackets(request.server.hostname)
        self._lock = threading.Lock()

    @property
    def notes(self) -> Sequence[str]:
        """Tell what a reader must know."""
        told = []
        if "top" not in self._request.places:
            told.append("{top} is not in the request: the service chooses the number of results")
        for odd, keys in sorted(self._odd.items()):
            queries = count_noun(len(keys), "query")
            told.append(f"{queries} whose results {odd}: ranked by result order instead")
        told += self._unmatched.notes(self.shown)
        return tuple(filter(None, (*told, self._held.note)))

    def reach(self) -> None:
        """Connect, and say so if there is nobody."""
        with self._placed():
            self._attempts.reach()

    def trial(self) -> None:
        """Ask once: an address, a key or a path that is wrong is told before anything is built.

        Where a request takes more than a text, such as the id or a field of a query, it is only
        connected.
        """
        if self._request.places & {"id", "vector"} or self._request.needs:
            self.reach()
            return
        with self._placed():
            reply = self._attempts.once(self._request.sent(TRIAL, 1, vector=None))
            if reply is not None:
                reading = replace(self._reading, incomplete=())
                reading.read(reply.content, kind=reply.headers.get("content-type", ""))

    def search(self, query: Query, top: int) -> SystemReply:
        """Send a request, and read what comes back."""
        with self._placed():
            return self._searched(query, top)

    def shown(self, text: str, most: int) -> str:
        """Show what it sent as a note may have it: no secret in it, and not too long."""
        return self._show.text(text, most)

    def close(self) -> None:
        """Let go of the connections."""
        self._attempts.connections.close()

    def _searched(self, query: Query, top: int) -> SystemReply:
        vector = [float(one) for one in self._embed(query)] if self._embed else None
        sent = self._request.sent(query, top, vector=vector)
        reply, waited_ms, attempts = self._attempts.ask(sent)
        self._held.add(reply)
        kind = reply.headers.get("content-type", "")
        read = self._reading.read(reply.content, kind=kind)
        self._count(query, read)
        return SystemReply(read.documents, read.scores, waited_ms=waited_ms, attempts=attempts)

    def _count(self, query: Query, read: AnswerHits) -> None:
        """Remember what is odd about an answer, for the notes."""
        self._unmatched.add(query.key, read.unmatched, len(read.documents))
        with self._lock:
            if read.odd:
                self._odd.setdefault(read.odd, set()).add(query.key)

    @contextmanager
    def _placed(self) -> Iterator[None]:
        """Say where, and once more hide what of the environment may have come into a message."""
        try:
            yield
        except InputError as error:
            problem = self._show.text(error.problem, LONGEST)
            hint = error.hint or "request fewer results, or only their ids"  # it was too large
            raise InputError(problem, where=self._request.shown, hint=hint) from None


def _check_model(model: str | None, asked: Request) -> None:
    if ("vector" in asked.places) != (model is not None):
        hint = "specify a model and put {vector} into request, or remove both"
        problem = "has no effect without {vector} in request" if model else "required for {vector}"
        raise InputError(problem, where="model", hint=hint)


def _check_number(name: str, value: object, least: float, most: float) -> None:
    """Check one setting; whole limits are those of a whole number."""
    kind, whole = (int, "whole ") if isinstance(least, int) else (int | float, "")
    if not isinstance(value, kind) or isinstance(value, bool) or not least <= value <= most:
        hint = f"expected a {whole}number from {least:g} to {most:g}"
        raise InputError(f"invalid value {quote_value(value)}", where=name, hint=hint)

"""The parameters of a function, and settings for it -> the arguments of each call."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from inspect import Parameter, Signature, signature
from typing import Any

from assay.errors import InputError
from assay.records import Query
from assay.text.near_miss import did_you_mean
from assay.text.quote import quote_value

__all__ = ["Arguments"]

COUNTS = ("top", "top_k", "limit")  # parameters that take the number of results
QUERY, ID = "query", "id"
SHAPE = "define it as search(query, top); top may also be called top_k or limit"
POSITIONAL = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
NAMED = (Parameter.KEYWORD_ONLY, Parameter.POSITIONAL_OR_KEYWORD)


@dataclass(frozen=True, slots=True)
class Arguments:
    """How a function is called: the query first, and by name whatever has one.

    ``query`` is the parameter of the query if it must be named. ``count`` is the one that takes the
    number of results; None: the second, whatever its name. If it is ``fixed`` by a setting, no
    number is passed. ``fields`` are the parameters that fields of a query fill, of which each query
    needs some (``required``).
    """

    settings: Mapping[str, Any]
    query: str = ""
    count: str | None = None
    fixed: str = ""
    fields: frozenset[str] = frozenset()
    required: frozenset[str] = frozenset()

    @classmethod
    def of(cls, call: Callable[..., Any], settings: Mapping[str, Any], where: str) -> "Arguments":
        """Read the signature of a function; refuse settings that it has no parameter for."""
        try:
            known = signature(call)
        except (TypeError, ValueError):  # of some functions in C
            return cls(settings)
        order = [name for name, one in known.parameters.items() if one.kind in POSITIONAL]
        named = [name for name, one in known.parameters.items() if one.kind in NAMED]
        query = order[:1] or [name for name in named if name == QUERY]
        _refuse_unknown(known, named, settings, query, where)
        count = next((name for name in COUNTS if name in named and name not in query), None)
        taking = [count] if count else order[1:2]
        fixed = next((name for name in taking if name in settings), "")
        own = {*query, *taking, *settings}
        free = [name for name in named if name not in own]
        made = cls(
            settings=settings,
            query="" if order else "".join(query),
            count=count,
            fixed=fixed,
            fields=frozenset(free),
            required=frozenset(one for one in free if _is_required(known, one) and one != ID),
        )
        _refuse_uncallable(known, made, where)
        return made

    def of_query(self, query: Query, top: int) -> tuple[list[Any], dict[str, Any]]:
        """Return the arguments for one query, those by place and those by name."""
        given = {**query.variables, ID: query.key}
        if lacking := self.required - given.keys():
            name = min(lacking)
            hint = f"add {name} to settings, or to this query in the dataset"
            raise InputError(f'no value for the parameter "{name}"', hint=hint)
        fields = {name: given[name] for name in self.fields if name in given}
        return self._arranged(query.text, top, fields)

    def _arranged(
        self, text: str, top: int, fields: Mapping[str, Any]
    ) -> tuple[list[Any], dict[str, Any]]:
        places, names = [] if self.query else [text], {**fields, **self.settings}
        names |= {self.query: text} if self.query else {}
        if self.fixed:
            return places, names
        if self.count is None:
            return [*places, top], names
        return places, names | {self.count: top}


def _refuse_unknown(
    known: Signature,
    named: list[str],
    settings: Mapping[str, Any],
    query: list[str],
    where: str,
) -> None:
    open_ended = any(one.kind is Parameter.VAR_KEYWORD for one in known.parameters.values())
    for name in settings:
        if name in query:
            hint = "remove it: this parameter takes the query"
            raise InputError("cannot be set", where=f"settings.{name}", hint=hint)
        if name not in named and not open_ended:
            hint = did_you_mean(str(name), [one for one in named if one not in query])
            problem = f"{where} has no parameter {quote_value(name)}"
            raise InputError(problem, where=f"settings.{name}", hint=hint)


def _is_required(known: Signature, name: str) -> bool:
    return known.parameters[name].default is Parameter.empty


def _refuse_uncallable(known: Signature, made: Arguments, where: str) -> None:
    places, names = made._arranged("", 1, dict.fromkeys(made.fields & {*made.required, ID}))
    try:
        known.bind(*places, **names)
    except TypeError as error:
        raise InputError(f"cannot be called: {error}", where=where, hint=SHAPE) from None

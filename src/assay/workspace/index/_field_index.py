"""Which documents have which values: what filters look things up in."""

from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from assay.records import Bools, Ints
from assay.records.filters import Condition, Filters, value_text
from assay.text.near_miss import did_you_mean
from assay.text.quote import quote_value

__all__ = ["FieldIndex"]

SHOWN = 10  # fields or values that a hint names


class FieldIndex:
    """The fields of all documents, each by its values; a document is known by its number."""

    def __init__(self, documents: Iterable[Mapping[str, object]]) -> None:
        places: dict[str, dict[tuple[object, bool], list[int]]] = {}
        self._documents = 0
        for number, fields in enumerate(documents):
            self._documents = number + 1
            for name, value in fields.items():
                for one in value if isinstance(value, list) else (value,):
                    key = (one, isinstance(one, bool))  # true is not 1
                    places.setdefault(name, {}).setdefault(key, []).append(number)
        self._places: dict[str, list[tuple[object, Ints]]] = {
            name: [(key[0], np.array(numbers, np.int64)) for key, numbers in values.items()]
            for name, values in places.items()
        }

    def match(self, filters: Filters) -> Bools:
        """Tell of each document whether all conditions hold."""
        kept: Bools = np.ones(self._documents, np.bool_)
        for one in filters.conditions:
            kept &= self._meet(one)
        return kept

    def _meet(self, condition: Condition) -> Bools:
        met: Bools = np.zeros(self._documents, np.bool_)
        for value, numbers in self._places.get(condition.field, ()):
            if condition.holds(value):
                met[numbers] = True
        return ~met if condition.negated else met

    def explain(self, filters: Filters) -> str:
        """Say of filters that match nothing what their author may have meant."""
        return next(self._hints(filters), "no document matches all of its conditions")

    def _hints(self, filters: Filters) -> Iterator[str]:
        names = sorted(self._places)
        for one in filters.conditions:
            values = [value for value, _ in self._places.get(one.field, ())]
            if not values:
                offered = f"the fields are {', '.join(names[:SHOWN])}"
                hint = did_you_mean(one.field, names, otherwise=offered)
                yield f"no document has the field {quote_value(one.field)}; {hint}"
            elif not one.negated and not any(map(one.holds, values)):
                examples = sorted(map(value_text, values), key=lambda value: _far(value, one))[
                    :SHOWN
                ]
                yield f"{one.field} is e.g. {', '.join(map(quote_value, examples))}"


def _far(value: str, condition: Condition) -> tuple[bool, str]:
    """Sort values that differ only in case before others."""
    return value.lower() not in {str(one).lower() for one in condition.values}, value

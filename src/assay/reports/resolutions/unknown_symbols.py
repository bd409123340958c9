"""Symbols that the files of their judgments do not define, in a sentence."""

from collections.abc import Iterator, Sequence

from assay.records import UnknownSymbol
from assay.text.count_noun import count_noun
from assay.text.join_list import first_few

__all__ = ["unknown_symbols"]

SHOWN = 3


def unknown_symbols(found: Sequence[UnknownSymbol]) -> Iterator[str]:
    """Count them, and name the first, each with the nearest name of its file."""
    if found:
        many = count_noun(len(found), "symbol is", "symbols are")
        missed = "counts as missed" if len(found) == 1 else "count as missed"
        what = f"{many} not defined in the file, and {missed} with the units chunk and symbol"
        yield f"{what}: {first_few([*map(_named, found)], SHOWN)}"


def _named(one: UnknownSymbol) -> str:
    near = f'; did you mean "{one.candidates[0]}"?' if one.candidates else ""
    return f'{one.document}::{one.symbol} (query "{one.query}"{near})'

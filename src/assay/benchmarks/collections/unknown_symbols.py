"""Symbols that judgments expect in documents that do not define them, with the nearest names."""

from assay.corpora.programs.defined_names import defined_names
from assay.records import Corpus, Dataset, Judgment, Resolution, ResolvedReference, UnknownSymbol
from assay.text.near_miss import near_misses

__all__ = ["unknown_symbols"]


def unknown_symbols(
    dataset: Dataset, resolution: Resolution, corpus: Corpus
) -> tuple[UnknownSymbol, ...]:
    """Look for the symbols of judgments that name a file, too; only then texts are read."""
    judged = (one for query in dataset.queries for one in query.judgments)
    pairs = [pair for pair in zip(judged, resolution.rows, strict=True) if _names_both(*pair)]
    wanted = {document for _, row in pairs for document in row.documents}
    if not wanted:
        return ()
    documents = corpus.documents(texts=True, hashes=False)
    names = {one.id: [*defined_names(one)] for one in documents if one.id in wanted}
    return tuple(
        UnknownSymbol(row.query, row.documents[0], symbol, _near(symbol, known))
        for judgment, row in pairs
        if not _is_defined(
            judgment,
            known := [name for one in row.documents for name in names.get(one, ())],
        )
        for symbol in [judgment.reference.symbol]
    )


def _names_both(judgment: Judgment, row: ResolvedReference) -> bool:
    """Tell whether a symbol alone says which part of a document is meant: lines say it, too."""
    symbol = judgment.reference.symbol
    return bool(symbol and row.documents) and row.key != "symbol" and not judgment.lines


def _is_defined(judgment: Judgment, known: list[str]) -> bool:
    symbol = judgment.reference.symbol
    if judgment.reference.match == "substring":
        return any(symbol.lower() in name.lower() for name in known)
    return any(f".{name}".endswith(f".{symbol}") for name in known)


def _near(symbol: str, known: list[str]) -> tuple[str, ...]:
    """Return the names that are most like a symbol, whole or by their last part."""
    last = {name[name.rfind(".") + 1 :]: name for name in reversed(known)}
    near = near_misses(symbol, known) or [last[one] for one in near_misses(symbol, last)]
    return tuple(dict.fromkeys(near))

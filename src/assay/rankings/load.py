"""Anything that holds a run -> rankings: a path, a mapping, a frame, or rankings themselves."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from assay.columns import Source, Triples, read
from assay.columns.mapping import mapping
from assay.errors import InputError, UsageError
from assay.rankings import formats
from assay.rankings.order import order
from assay.rankings.ranks import check_ranks, order_notes
from assay.rankings.tags import check_tags
from assay.records import Rankings
from assay.text.count_noun import count_noun
from assay.text.quote import quote_value

__all__ = ["load"]

TIES = ("docid", "order", "expected")
NO_ROWS = "check that the search ran and wrote its results"


def load(
    run: object,
    *,
    ties: str = "docid",
    name: str | None = None,
    format: str | None = None,  # noqa: A002
    distances: bool = False,
) -> Rankings:
    """Read one run and put it in ranking order.

    With ``distances``, scores that rise along the ranks of the file in every query count as such:
    the lowest is the best.
    """
    if ties not in TIES:
        hint = f"expected one of: {', '.join(map(repr, TIES))}"
        raise UsageError(f"ties: invalid value {quote_value(ties)}", hint=hint)
    if isinstance(run, Rankings):
        return _again(run, ties, name)
    triples, default, where = _triples(run, format)
    if not len(triples.values):
        raise InputError("contains no rows", where=where, hint=NO_ROWS)
    checked = _checked(triples, distances=distances, ties=ties)
    rankings = order(checked, name=name or default, ties=ties)
    if rankings.lookup.repeats:
        hint = "keep one line per document and query"
        triples.refuse_duplicates(hint)
    return rankings


def _checked(triples: Triples, *, distances: bool, ties: str) -> Triples:
    """Note what tags, ranks and rows of a file say against one run with the best score first."""
    notes, ranks = (*check_tags(triples), *order_notes(triples)), check_ranks(triples)
    if not distances or not ranks.are_distances:
        return replace(triples, notes=(*triples.notes, *notes, *ranks.notes(ties)))
    rising = count_noun(ranks.rising, "query has", "queries have")
    note = f"{rising} scores that increase with rank: read as distances, lower is better"
    return replace(triples, values=-triples.values, notes=(*triples.notes, *notes, note))


def _again(run: Rankings, ties: str, name: str | None) -> Rankings:
    """Take rankings as they are, unless their ties were ordered by another rule."""
    if run.tied and (run.ties == "order") != (ties == "order"):
        hint = f"load the run again with ties={ties!r}"
        raise UsageError(f"the ties of {run.name} were ordered by {run.ties!r}", hint=hint)
    return replace(run, name=name) if name else run


def _triples(run: object, chosen: str | None) -> tuple[Triples, str, str]:
    """Return the rows, a name for the run, and a name for messages."""
    if isinstance(run, str | Path):
        with Source(run) as source:
            rows = read(formats, source, name=chosen)
        return rows, _name(source), source.name
    if isinstance(run, Mapping):
        return mapping(run, where="run", value="score"), "run", "run"
    from assay.columns.tables import frame, is_frame
    from assay.columns.titles import DOCUMENT, QUERY, SCORE

    if is_frame(run):
        rows = frame(run, (QUERY, DOCUMENT, SCORE), where="run", value="score", of_run=True)
        return rows, "run", "run"
    hint = "pass a path, {query: {document: score}}, or a polars or pandas frame"
    raise InputError(f"cannot read a run from {type(run).__name__}", hint=hint)


def _name(source: Source) -> str:
    """Name a run after its file, without folder and extensions."""
    if source.path is None:
        return "stdin"
    stem = source.path.name.removesuffix(".gz")
    for suffix in (".run", ".txt", ".trec", ".tsv", ".csv", ".json", ".parquet", ".res"):
        stem = stem.removesuffix(suffix) or stem
    return stem

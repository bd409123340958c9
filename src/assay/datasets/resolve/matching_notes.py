"""Where references lead -> what must be said of it: parts of names, and paths written otherwise."""

from collections.abc import Iterable, Sequence

from assay.columns.files.path_names import unlike
from assay.records import ResolvedReference
from assay.text.count_noun import count_noun

__all__ = ["matching_notes"]

NAMED = 5  # of the parts that a note counts the documents of
WHERE = "`assay dataset resolve --json` lists all"


def matching_notes(rows: Sequence[ResolvedReference]) -> tuple[str, ...]:
    """Say how many documents each part of a name meets, and which paths were found otherwise.

    >>> from assay.records import Reference
    >>> part = Reference(path="auth", match="substring")
    >>> found = ResolvedReference("q", part, ("auth.py", "auth.md"), "path", by_part=True)
    >>> matching_notes([found])[0]
    'partial names and their matches: "auth" (2 documents)'
    """
    return (*_parts(rows), *_respelled(rows))


def _parts(rows: Iterable[ResolvedReference]) -> list[str]:
    met = {_text(row): len(row.documents) for row in rows if row.by_part}
    if not met:
        return []
    ranked = sorted(met.items(), key=lambda pair: -pair[1])
    named = [f"{text} ({count_noun(number, 'document')})" for text, number in ranked[:NAMED]]
    left = ranked[NAMED:]
    more = (
        f", and {len(left):,} more with at most {count_noun(left[0][1], 'document')}; {WHERE}"
        if left
        else ""
    )
    return [f"partial names and their matches: {', '.join(named)}{more}"]


def _respelled(rows: Iterable[ResolvedReference]) -> list[str]:
    pairs = {_text(row): row.documents[0] for row in rows if row.respelled}
    if not pairs:
        return []
    (text, document), *left = pairs.items()
    more = f" and {len(left):,} more; {WHERE}" if left else ""
    what = "paths matched despite a different spelling"
    form = unlike(text.strip('"'), document)
    return [f'{what}: {text} to "{document}"{form}{more}']


def _text(row: ResolvedReference) -> str:
    """Quote what a reference was looked up by."""
    reference = row.reference
    value = str(getattr(reference, row.key, "")) or reference.symbol
    return f'symbol "{value}"' if row.key == "symbol" else f'"{value}"'

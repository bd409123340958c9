"""Account: completeness of the judgments, receipts, settings, environment, reproduction."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from pathlib import PurePath
from typing import Any

from assay.records import Cell, Report, Run, Table
from assay.records.command import UNKNOWN, command
from assay.reports.html._glossary import glossary
from assay.reports.html._tables import prepared
from assay.reports.runs.phrases.report_notes import report_notes
from assay.reports.runs.tables.collection_costs import collection_costs
from assay.reports.runs.tables.collections import collections
from assay.reports.runs.tables.settings import flattened, settings
from assay.reports.structure.lines import lines
from assay.reports.structure.summary import summary
from assay.text.count_noun import plural

__all__ = ["account"]

# Scores without some queries or judgments, shown where they differ.
WITHOUT = (
    ("unweighted", "scores_unweighted"),
    ("without failed queries", "scores_answered"),
    ("without unresolved judgments", "scores_resolved"),
    ("without leaked queries", "scores_unleaked"),
)
JUDGMENTS = (
    ("judgments", "total", "grades of documents for queries; the members of a group count once"),
    ("resolved", "resolved", "refer to a document of the corpus"),
    ("ambiguous", "ambiguous", "match several documents"),
    ("missing", "missing", "refer to a document that is not in the corpus"),
    ("leaked queries", "leaked", "occur verbatim in a relevant document"),
)


def account(report: Report) -> dict[str, Any]:
    """Return the second half of the page."""
    names = [run.name for run in report.runs]
    several = collections(report) if names else None
    costs = collection_costs(report) if names else None
    apart = settings(report) if names else None
    return {
        "truth": list(_truth(report)),
        "without": _without(report),
        "collections": prepared(several, names) if several else None,
        "collection_costs": prepared(costs, names) if costs else None,
        "receipts": (receipts := [*_receipts(report)]),
        "terms": glossary(" ".join(part for one in receipts for part in one["words"])),
        "apart": prepared(apart, names) if apart else None,
        "settings": [_settings(at, run) for at, run in enumerate(report.runs, 1)],
        "environment": list(_environment(report)),
        "packages": list(_pairs(report.environment.get("packages"))),
        "fingerprints": list(_fingerprints(report)),
        "commands": _commands(report),
        "notes": [_sentence(one, _names(report)) for one in _all_notes(report)],
    }


def _truth(report: Report) -> Iterator[tuple[str, str, str]]:
    for title, key, meaning in JUDGMENTS:
        if report.truth.get(key) is not None:
            yield title, f"{report.truth[key]:,}", meaning
    judged = report.truth.get("judged@10")
    if judged is not None:
        yield "judged@10", f"{judged:.1%}", "of the top 10 documents are judged"


def _without(report: Report) -> dict[str, Any] | None:
    """Lay out the score of each run with and without what may be doubted."""
    primary = str(report.benchmark.get("primary", ""))
    parts = [part for part in WITHOUT if any(getattr(run, part[1]) for run in report.runs)]
    rows: list[list[Cell]] = [
        [
            run.name,
            run.scores.get(primary),
            *(getattr(run, key).get(primary) for _, key in parts),
            run.judged_at_10,
        ]
        for run in report.runs
    ]
    titles = ("run", primary, *(title for title, _ in parts), "judged@10")
    last = len(titles) - 1
    texts = {(r, last): f"{row[-1]:.1%}" for r, row in enumerate(rows) if row[-1] is not None}
    known = any(row[-1] is not None for row in rows) or parts
    names = [run.name for run in report.runs]
    table = Table(titles, rows, texts=texts, names=frozenset([0]))
    return prepared(table, names) if known else None


def _receipts(report: Report) -> Iterator[dict[str, Any]]:
    for number, run in enumerate(report.runs, 1):
        if run.structure is None:
            continue
        methods = summary(run.structure)
        verdict, *said = lines(run.structure, width=10_000)
        yield {
            "number": number,
            "name": run.name,
            "verdict": verdict,
            "lines": [*map(_sentence, said)],
            "methods": prepared(methods),
            "words": [*said, *methods.titles, *(str(row[0]) for row in methods.rows)],
        }


def _settings(number: int, run: Run) -> dict[str, Any]:
    pairs = [(key, _plain(value)) for key, value in flattened(run.configuration).items()]
    return {"number": number, "name": run.name, "pairs": pairs, "fingerprint": run.fingerprint}


def _environment(report: Report) -> Iterator[tuple[str, str]]:
    for key, value in report.environment.items():
        if key == "memory_mb" and isinstance(value, int | float):
            yield "memory", f"{value / 1000:,.1f} GB"
        elif key not in ("packages", "fingerprints") and value not in (None, ""):
            yield key.replace("_", " "), _plain(value)


def _pairs(value: object) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for key, one in value.items():
            yield str(key), _plain(one)


def _fingerprints(report: Report) -> Iterator[tuple[str, str]]:
    for name, part in (("dataset", report.dataset), ("corpus", report.corpus)):
        if part.get("fingerprint"):
            yield name, str(part["fingerprint"])


def _commands(report: Report) -> list[tuple[str, str]]:
    """Return the commands that show or repeat it."""
    told = [_again(report, "Repeats the benchmark; unchanged work is reused.")]
    if report.id:
        told.append((f"assay show {report.id}", "Shows this report in its workspace."))
    return told


def _again(report: Report, told: str) -> tuple[str, str]:
    """Name the command that made a report; of a file that is not known, what it is made of."""
    line = command(report)
    return line, f"{told} {_asked(report)}" if line == f"assay run {UNKNOWN}" else told


def _asked(report: Report) -> str:
    """Name what a benchmark was made of, as far as the report knows."""
    known = report.benchmark
    several = known.get("datasets") or [known.get("dataset") or report.dataset.get("name")]
    sets = [_unplaced(one) for one in several if isinstance(one, str)]
    corpus = known.get("corpus") or report.corpus.get("name")
    parts = [f"{plural(len(sets), 'dataset')} {', '.join(sets)}"] if sets else []
    parts += [f"corpus {_unplaced(corpus)}"] if isinstance(corpus, str) else []
    named = f"{UNKNOWN} is the benchmark file of {known.get('name') or 'this report'}"
    return f"{named} ({', '.join(parts)})." if parts else f"{named}."


def _unplaced(path: str) -> str:
    """Leave out where a file lies on the machine that asked for it."""
    return PurePath(path).name if PurePath(path).is_absolute() else path


def _all_notes(report: Report) -> list[str]:
    """Return the notes of the report, or those of its runs."""
    return report_notes(report if report.notes else replace(report, notes=tuple(_notes(report))))


def _names(report: Report) -> set[str]:
    """Name the metrics and budgets of a report: mrr is never Mrr."""
    known = report.benchmark
    return {*(known.get("metrics") or ()), *(known.get("budgets") or ())}


def _sentence(text: str, names: Collection[str] = ()) -> str:
    """Begin with a capital, unless a name or a term is first, and end with a full stop."""
    first = text.partition(" ")[0].rstrip(":,")
    is_word = first.isalpha() and first.islower() and first not in names
    begun = text[:1].upper() + text[1:] if is_word else text
    return begun if begun[-1:] in (".", "!", "?") else f"{begun}."


def _notes(report: Report) -> Iterator[str]:
    """Yield the notes of each run, which those of a whole report have in few words."""
    for run in report.runs:
        yield from (f"{run.name}: {note}" for note in run.notes)


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(map(_plain, value))
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_plain(one)}" for key, one in value.items())
    return f"{value:g}" if isinstance(value, float) else str(value)

"""What was graded in earlier sittings -> taken over into this one, whatever report it was for."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from assay.datasets.load import load
from assay.errors import InputError
from assay.judging.earlier_grades import contradiction, grades_of, reports_of
from assay.judging.grade_notes import Notes
from assay.judging.grades_file import JudgedFile
from assay.judging.words import quoted
from assay.records import Dataset, Judgment
from assay.records.judging import Pair
from assay.text import sanitize

__all__ = ["refuse_other", "take_over"]

REPORTS = 3  # that a message names


def take_over(place: JudgedFile, notes: Notes, known: Mapping[Pair, int]) -> dict[Pair, int]:
    """Return the grades of earlier sittings, and note them; ``known`` are the dataset's own.

    What the file lacks of the dataset is added to it; grades that contradict it are refused.
    """
    if not place.path.exists():
        return {}
    before = load(place.path)
    given = {
        (notes.site.key(query), document): one
        for (query, document), one in grades_of(before).items()
    }
    why = contradiction(notes.dataset, before) or _regraded(given, known)
    if why:
        refuse_other(place.path, before, why)
    notes.go_on(before.metadata.get("judging", ()))
    notes.before = {pair: one for pair, one in given.items() if pair not in known}
    return {pair: one.grade for pair, one in notes.before.items()}


def _regraded(given: Mapping[Pair, Judgment], known: Mapping[Pair, int]) -> str:
    for pair, one in given.items():
        if known.get(pair, one.grade) != one.grade:
            judge = sanitize(one.because.judge) if one.because else "a judge"
            what = f"{judge} graded {quoted(pair[1])} {one.grade} for {quoted(pair[0])}"
            return f"{what}, and the dataset has grade {known[pair]}"
    return ""


def refuse_other(path: Path, before: Dataset, why: str) -> None:
    """Name what differs, the reports that a file belongs to, and the ways out."""
    reports = reports_of(before)
    some = f"report{'s' * (len(reports) > 1)} {_listed(reports)}"
    said = f" (its grades were given for {some})" if reports else ""
    ways = f"keep them with `dataset: {path}` in the benchmark, and run it; "
    hint = f"{ways if reports else ''}name another file (-o) to begin anew"
    problem = f"holds something else than this dataset and grades of it: {why}{said}"
    raise InputError(problem, where=str(path), hint=hint)


def _listed(reports: Sequence[str]) -> str:
    shown = ", ".join(map(sanitize, reports[:REPORTS]))
    return f"{shown}, ..." if len(reports) > REPORTS else shown

"""Baselines: bless a report, find, list and read what was blessed."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from assay.benchmarks.gates.presets import GateChecks
from assay.benchmarks.gates.prune_report import prune_report
from assay.benchmarks.gates.read_checks import CheckSource
from assay.benchmarks.open_report import open_report
from assay.columns.documents.strict_json import strict_json
from assay.columns.files.atomic_write import atomic_write
from assay.errors import InputError
from assay.records import Report
from assay.records.baseline import Baseline, Blessing
from assay.reports.gates.baseline_json import BASELINE_KEY, baseline_text, read_baseline
from assay.text.join_list import join_list
from assay.text.near_miss import did_you_mean
from assay.workflows.report_files.fill_scores import fill_scores

__all__ = ["BlessResult", "bless", "find_baseline", "list_baselines", "show_baseline"]

FOLDER = "assay-baselines"
ENDING = ".json"


@dataclass(frozen=True, slots=True)
class BlessResult:
    """The baseline as it was written, and the one that it replaces."""

    baseline: Baseline
    earlier: Baseline | None = None
    notes: tuple[str, ...] = ()


def bless(  # noqa: PLR0913 - every option is a name of its own
    report: str | Path | Report,
    *,
    name: str | None = None,
    runs: Sequence[str] = (),
    allow: CheckSource = (),
    min: CheckSource = (),  # noqa: A002
    max: CheckSource = (),  # noqa: A002
    preset: str | Sequence[str] = (),
    folder: str | Path | None = None,
    workspace: str | Path | None = None,
    now: datetime | None = None,
) -> BlessResult:
    """Make a report the baseline of its benchmark, in a small file that is to be committed.

    Checks that are given are stored with it: a gate takes them where it is given none. Without any,
    the checks of the baseline that is replaced stay. Nothing else ever changes a baseline.
    """
    found = open_report(report, workspace=workspace)
    kept = _chosen(prune_report(fill_scores(found)), runs)
    chosen = name or str(found.benchmark.get("name") or "benchmark")
    place = _folder(folder) / f"{_slug(chosen)}{ENDING}"
    earlier = _read(place) if place.is_file() else None
    given = GateChecks.read(allow=allow, min=min, max=max, preset=preset)
    baseline = Baseline(
        name=chosen,
        report=kept,
        blessing=_blessing(kept, now or datetime.now(UTC)),
        checks=given.texts or (earlier.checks if earlier else {}),
        history=(*earlier.history, earlier.blessing) if earlier else (),
        file=str(place),
    )
    place.parent.mkdir(parents=True, exist_ok=True)
    with atomic_write(place) as new:
        new.write_text(baseline_text(baseline), encoding="utf-8")
    return BlessResult(baseline, earlier, tuple(_notes(found, kept)))


def _chosen(report: Report, runs: Sequence[str]) -> Report:
    if not report.runs:
        hint = "bless a report with a run that completed"
        raise InputError("no run of the report completed", where=report.id, hint=hint)
    if not runs:
        return report
    known = [run.name for run in report.runs]
    for name in runs:
        if name not in known:
            raise InputError(f'unknown run "{name}"', hint=did_you_mean(name, known))
    return replace(report, runs=tuple(run for run in report.runs if run.name in runs))


def _blessing(report: Report, now: datetime) -> Blessing:
    primary = str(report.benchmark["primary"])
    scores = {run.name: run.scores[primary] for run in report.runs if primary in run.scores}
    return Blessing(now, str(report.environment.get("git_commit") or ""), report.id, scores)


def _notes(report: Report, kept: Report) -> Iterator[str]:
    if report.status != "completed":
        yield "the benchmark was cancelled: only what was measured is in the baseline"
    left = [run.name for run in report.runs if run.status != "completed"]
    if left:
        yield f"not in the baseline, because they did not complete: {join_list(left)}"
    failed = [run.name for run in kept.runs if run.errors]
    if failed:
        yield f"some queries failed and score 0 in: {join_list(failed)}"


def find_baseline(name: str, *, folder: str | Path | None = None) -> Baseline | None:
    """Find a baseline by the name that it was blessed under; None where there is none."""
    place = _folder(folder) / f"{_slug(name)}{ENDING}"
    return _read(place) if name and place.is_file() else None


def list_baselines(*, folder: str | Path | None = None) -> list[Baseline]:
    """Read all baselines of a folder, by name."""
    place = _folder(folder)
    files = sorted(place.glob(f"*{ENDING}")) if place.is_dir() else []
    return [_read(file) for file in files]


def show_baseline(name: str | None = None, *, folder: str | Path | None = None) -> Baseline:
    """Read one baseline: by name, by file, or the only one there is."""
    if name and Path(name).is_file():
        return _read(Path(name))
    known = list_baselines(folder=folder)
    names = [one.name for one in known]
    if not known:
        hint = "make one with `assay baseline bless REPORT`"
        raise InputError("no baseline has been blessed", where=str(_folder(folder)), hint=hint)
    if name is None and len(known) == 1:
        return known[0]
    chosen = [one for one in known if one.name == name]
    if not chosen:
        problem = "several baselines" if name is None else f'no baseline "{name}"'
        hint = f"choose one: {', '.join(names)}" if name is None else did_you_mean(name, names)
        raise InputError(problem, where=str(_folder(folder)), hint=hint)
    return chosen[0]


def _read(place: Path) -> Baseline:
    try:
        content = place.read_bytes()
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", where=str(place)) from None
    value: Any = strict_json(content, where=str(place))
    if not isinstance(value, Mapping) or BASELINE_KEY not in value:
        hint = "remove it, or give another folder with --baselines"
        raise InputError("not a blessed baseline", where=str(place), hint=hint)
    return read_baseline(value, where=str(place), file=str(place))


def _folder(given: str | Path | None) -> Path:
    """Return the folder of baselines: the one given, or the nearest upwards in a repository."""
    if given is not None:
        return Path(given)
    here = Path.cwd()
    for place in (here, *here.parents):
        if (place / FOLDER).is_dir():
            return place / FOLDER if place != here else Path(FOLDER)
        if (place / ".git").exists():
            break
    return Path(FOLDER)


def _slug(name: str) -> str:
    """Make a file name of a name: letters, digits, dots, dashes and underscores stay.

    >>> _slug("docs / search (v2)"), _slug("../x")
    ('docs-search-v2', 'x')
    """
    return re.sub(r"[^\w.-]+", "-", name).strip("-.")[:100] or "baseline"

"""Run: a benchmark -> what each of its configurations scores and costs, and which one to ship."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

import numpy as np

from assay.columns.files.file_names import file_names
from assay.errors import InputError
from assay.records import Rankings, Report
from assay.records.run_settings import Invocation, RunSettings
from assay.workflows.options import BenchmarkSource, asked_benchmark, with_options

__all__ = ["run"]


@with_options(settings=RunSettings, invocation=Invocation)
def run(  # noqa: PLR0913 - every option is a name of its own
    benchmark: BenchmarkSource = None,
    *,
    suite: str | None = None,
    dataset: str | Path | None = None,
    corpus: str | Path | None = None,
    model: str | None = None,
    max_file_size: int | str | None = None,
    primary: str | None = None,
    margin: float | None = None,
    alpha: float | None = None,
    unjudged: Literal["bounds", "zero"] | None = None,
    unit: Literal["document", "chunk", "symbol"] | None = None,
    query_weights: Literal["use", "ignore"] | None = None,
    match_weights: bool = False,
    binary: bool = False,
    subtopics: bool = False,
    workspace: str | Path | None = None,
    save_runs: str | Path | None = None,
    begun: Callable[[str], None] | None = None,
    settings: RunSettings,
    invocation: Invocation,
) -> Report:
    """Build every configuration of a benchmark, run all queries, score and compare.

    ``benchmark`` is a file (YAML or JSON) or a mapping with the same keys; ``suite`` selects one of
    its suites, or a shipped one; ``dataset`` and ``corpus`` replace its own; so do ``primary``,
    ``margin``, ``alpha``, ``unjudged``, ``unit`` and ``query_weights`` ("ignore": every query
    counts the same). Without a benchmark, ``dataset`` is searched with a suite, or with each
    ``model``.

    Each query, or each of a ``sample``, is run ``asks`` times (3), and the median is its latency;
    each index is built ``repeats`` times. What configurations share is done once, stored in the
    ``workspace``, and reused by later runs unless ``fresh``. ``live`` measures whole searches
    instead of their stages; ``untimed`` measures no latency. A ``race`` stops configurations early
    that are significantly worse than the best. ``binary`` and ``subtopics`` set how judgments are
    read, as in ``load_dataset``. ``match_weights`` weights a match by its kind: symbol 1.0, file
    0.7, part of a name 0.4. ``resume`` continues an interrupted run, and ``retry_failed`` repeats
    what failed. ``parallel`` processes share the work; ``progress`` is called with what they do.
    ``save_runs`` is a folder for a run file of each configuration; ``begun`` is called with one
    line that describes the work.
    """
    asked = asked_benchmark(
        benchmark,
        settings,
        suite=suite,
        dataset=dataset,
        corpus=corpus,
        model=model,
        max_file_size=max_file_size,
        primary=primary,
        margin=margin,
        alpha=alpha,
        unjudged=unjudged,
        unit=unit,
        query_weights=query_weights,
        binary=binary,
        subtopics=subtopics,
        match_weights=match_weights,
    )
    names = [one.name for one in asked.configurations]
    keep = None if save_runs is None else _saver(Path(save_runs), names)
    from assay.benchmarks.conduct import conduct
    from assay.reports.plan.line import line

    return conduct(
        asked,
        settings,
        invocation,
        workspace=workspace,
        keep=keep,
        begun=None if begun is None else lambda planned: begun(line(planned)),
    )


def _saver(folder: Path, names: Sequence[str]) -> Callable[[Rankings], None]:
    """Write each run to a file of its name; the folder is created before anything is computed.

    A name that is valid for a file stays as it is, whichever run comes first.
    """
    from assay.rankings.save import save

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        problem = f"cannot create the folder ({getattr(error, 'strerror', None) or error})"
        hint = "choose a folder for the run files, e.g. --save-runs runs"
        raise InputError(problem, where=str(folder)[:200], hint=hint) from None

    files = file_names(names)

    def keep(rankings: Rankings) -> None:
        name = files[rankings.name]
        try:
            save(_answered(rankings), folder / f"{name}.run")
        except InputError:  # ids with spaces: JSON can say these
            save(rankings, folder / f"{name}.json")

    return keep


def _answered(rankings: Rankings) -> Rankings:
    """Omit queries without results, which have no lines: they score 0 all the same."""
    counts = rankings.counts
    offsets = np.concatenate(([0], np.cumsum(counts[counts > 0]))).astype(np.int64)
    queries = tuple(rankings.queries[at] for at in np.flatnonzero(counts))
    return replace(rankings, queries=queries, offsets=offsets)

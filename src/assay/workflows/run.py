"""Run: a benchmark -> what each of its configurations scores and costs, and which one to ship."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from assay.columns.files.file_names import file_names
from assay.errors import InputError
from assay.records import Rankings, Report
from assay.records.run_settings import Invocation, RunSettings
from assay.workflows._options import BenchmarkSource, asked_benchmark, with_options

__all__ = ["run"]


@with_options(settings=RunSettings, invocation=Invocation)
def run(  # noqa: PLR0913 - every option is a name of its own
    benchmark: BenchmarkSource = None,
    *,
    suite: str | None = None,
    dataset: str | Path | None = None,
    corpus: str | Path | None = None,
    model: str | None = None,
    match_weights: bool = False,
    binary: bool = False,
    subtopics: bool = False,
    workspace: str | Path | None = None,
    save_runs: str | Path | None = None,
    begun: Callable[[str], None] | None = None,
    settings: RunSettings,
    invocation: Invocation,
) -> Report:
    """Build every configuration of a benchmark for real, search with it, score and compare.

    ``benchmark`` is a file (YAML or JSON) or a mapping of its shape; ``suite`` chooses one of its
    suites, or one that comes with Assay; ``dataset`` and ``corpus`` take the place of its own. With
    no benchmark, ``dataset`` is searched with a suite, or with each ``model``.

    Each query, or each of a ``sample``, is asked ``asks`` times (3), of which the median counts;
    each index is built ``repeats`` times. What configurations share is done once, kept in the
    ``workspace``, and used again by later runs unless all is done ``fresh``. ``live`` asks whole
    searches instead of their stages; ``untimed`` measures no latency. In a ``race`` configurations
    that are shown to be beaten are asked no further queries. ``binary`` and ``subtopics`` say how
    judgments are read, as in ``load_dataset``. ``match_weights`` lets a symbol count
    1.0 of its grade, a file 0.7 and a part of a name 0.4. ``resume`` goes on with a run
    that was interrupted, and ``retry_failed`` asks again what failed. ``parallel`` processes work
    on it; ``progress`` is shown what they do. ``save_runs`` is a folder for a run file of each
    configuration; ``begun`` is told in a line what is to be done.
    """
    asked = asked_benchmark(
        benchmark,
        settings,
        suite=suite,
        dataset=dataset,
        corpus=corpus,
        model=model,
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
    """Write each run to a file of its name; the folder is made before anything is computed.

    A name that can be that of a file as it is keeps it, whichever run comes first.
    """
    from assay.rankings.save import save

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        problem = f"cannot be made ({getattr(error, 'strerror', None) or error})"
        raise InputError(problem, where=str(folder)[:200], hint="name a folder") from None

    files = file_names(names)

    def keep(rankings: Rankings) -> None:
        name = files[rankings.name]
        try:
            save(_answered(rankings), folder / f"{name}.run")
        except InputError:  # ids with spaces: JSON can say these
            save(rankings, folder / f"{name}.json")

    return keep


def _answered(rankings: Rankings) -> Rankings:
    """Leave out queries without any answer, which no line can say: they score 0 all the same."""
    counts = rankings.counts
    offsets = np.concatenate(([0], np.cumsum(counts[counts > 0]))).astype(np.int64)
    queries = tuple(rankings.queries[at] for at in np.flatnonzero(counts))
    return replace(rankings, queries=queries, offsets=offsets)

"""From files to five mean scores: a run as large as MS MARCO's development set."""

from pathlib import Path

from performance._data import run_files
from performance._measure import Usage, agreement, assay, measure, progress, script
from performance._result import Result, Row
from performance._settings import Settings

__all__ = ["files"]

CPU, MEMORY = 0.30, 0.5  # of pytrec_eval's, at most
VARIANTS = {
    "precise": "scores of 17 digits",
    "shuffled": "lines in random order",
    "tied": "many equal scores",
    "long-ids": "ids of 25 characters",
}


def files(settings: Settings) -> Result:
    """Measure start to end, in fresh processes that take turns."""
    result = Result(
        f"Files to scores: {settings.queries:,} queries x {settings.documents:,} documents"
    )
    _warm_up(settings)
    qrels, run = run_files(settings)
    result.notes.append(
        f"The run is a TREC file of {run.stat().st_size / 1e6:,.0f} MB; five metrics: ndcg@10, "
        f"mrr, ap, recall@100, precision@10. CPU time is the least of {settings.repeats} runs of "
        "Assay and of pytrec_eval, in turns, and one run of the others; memory is the highest peak."
    )
    ours = _against_pytrec_eval(settings, result, qrels, run)
    for peer in ("ir_measures", "ranx"):
        _against(peer, ours, result, qrels, run)
    for variant, words in VARIANTS.items():
        _variant(settings, result, variant, words)
    return result


def _warm_up(settings: Settings) -> None:
    """Let every program fill its caches on disk (ranx compiles and stores what it compiled)."""
    qrels, run = run_files(settings, size=(20, 20))
    measure(assay(qrels, run))
    for peer in ("pytrec_eval", "ir_measures", "ranx"):
        measure(script(f"{peer}_files", qrels, run))


def _against_pytrec_eval(settings: Settings, result: Result, qrels: Path, run: Path) -> Usage:
    ours, theirs = _turns(settings.repeats, qrels, run)
    gap = agreement(ours.scores(), theirs.scores(), "pytrec_eval")
    result.notes.append(f"Scores agree with pytrec_eval: largest difference {gap:.1e}.")
    result.rows.extend(_rows("plain run", ours, "pytrec_eval", theirs, (CPU, MEMORY)))
    return ours


def _turns(repeats: int, qrels: Path, run: Path) -> tuple[Usage, Usage]:
    """Run Assay and pytrec_eval in turns; keep the least CPU time and the highest peak of each."""
    ours, theirs = [], []
    for turn in range(repeats):
        progress(f"{run.name}: turn {turn + 1} of {repeats}")
        ours.append(measure(assay(qrels, run)))
        theirs.append(measure(script("pytrec_eval_files", qrels, run)))
    return _best(ours), _best(theirs)


def _best(runs: list[Usage]) -> Usage:
    least, highest = min(run.cpu_s for run in runs), max(run.peak_bytes for run in runs)
    return Usage(least, highest, runs[0].output)


def _against(peer: str, ours: Usage, result: Result, qrels: Path, run: Path) -> None:
    """Measure a peer whose scores may differ for reasons of its own: the difference is told."""
    progress(f"{run.name}: {peer}")
    theirs = measure(script(f"{peer}_files", qrels, run))
    gap = agreement(ours.scores(), theirs.scores(), peer)
    result.notes.append(f"Largest difference of a mean score to {peer}: {gap:.1e}.")
    result.rows.extend(_rows("plain run", ours, peer, theirs, (None, None)))


def _variant(settings: Settings, result: Result, variant: str, words: str) -> None:
    """Measure a run that is harder to read or to order, without a target."""
    qrels, run = run_files(settings, variant)
    ours, theirs = _turns(1, qrels, run)
    agreement(ours.scores(), theirs.scores(), "pytrec_eval")
    result.rows.extend(_rows(words, ours, "pytrec_eval", theirs, (None, None)))
    run.unlink()


def _rows(
    what: str, ours: Usage, peer: str, theirs: Usage, targets: tuple[float | None, float | None]
) -> list[Row]:
    cpu, memory = targets
    return [
        Row(f"{what}, CPU", ours.cpu_s, peer, theirs.cpu_s, target=cpu),
        Row(
            f"{what}, peak memory",
            ours.peak_bytes,
            peer,
            theirs.peak_bytes,
            unit="bytes",
            target=memory,
        ),
    ]

"""A small run, start-up included: what a person waits for many times a day."""

import sys
from collections.abc import Mapping, Sequence
from statistics import median

from performance._data import run_files
from performance._measure import ONE_THREAD, agreement, assay, measure, progress, script
from performance._result import Result, Row
from performance._settings import Settings

__all__ = ["small"]

SIZE = (200, 100)
TARGET = 1.0  # of pytrec_eval's CPU time, at most


def small(settings: Settings) -> Result:
    """Measure Assay and a pytrec_eval script many times in turns."""
    qrels, run = run_files(settings, size=SIZE)
    peer = script("pytrec_eval_files", qrels, run)
    commands: dict[str, tuple[Sequence[str], Mapping[str, str] | None]] = {
        "assay": (assay(qrels, run), None),
        "pytrec_eval": (peer, None),
        "pytrec_eval, one BLAS thread": (peer, ONE_THREAD),
        "assay --help": ([assay(qrels, run)[0], "--help"], None),
        "import assay": ([sys.executable, "-c", "import assay"], None),
        "import numpy": ([sys.executable, "-c", "import numpy"], None),
    }
    ours, theirs = measure(commands["assay"][0]), measure(peer)
    gap = agreement(ours.scores(), theirs.scores(), "pytrec_eval")
    result = Result(f"A small run: {SIZE[0]} queries x {SIZE[1]} documents, start-up included")
    result.rows.extend(_rows(_turns(settings.rounds, commands)))
    result.notes.append(
        f"CPU time of fresh processes, {settings.rounds} of each, in turns. Largest difference of "
        f"a mean score: {gap:.1e}. Both sides run from compiled bytecode, as installed wheels do. "
        "Assay keeps BLAS to one thread; the script with the same setting is shown too."
    )
    return result


def _turns(
    rounds: int, commands: Mapping[str, tuple[Sequence[str], Mapping[str, str] | None]]
) -> dict[str, list[float]]:
    """Run every command once per round, so that all see the machine in the same state."""
    progress(f"small run: {rounds} rounds of {len(commands)} processes")
    seconds: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, (command, environment) in commands.items():
            seconds[name].append(measure(command, environment).cpu_s)
    return seconds


def _rows(seconds: dict[str, list[float]]) -> list[Row]:
    rows = []
    for words, summary in (("median", median), ("minimum", min)):
        cpu = {name: summary(values) for name, values in seconds.items()}
        limited, floor = "pytrec_eval, one BLAS thread", "import numpy"
        rows += [
            Row(
                f"small run, {words}",
                cpu["assay"],
                "pytrec_eval",
                cpu["pytrec_eval"],
                target=TARGET,
            ),
            Row(f"small run, {words}", cpu["assay"], limited, cpu[limited]),
            Row(f"assay --help, {words}", cpu["assay --help"], floor, cpu[floor]),
            Row(f"import assay, {words}", cpu["import assay"], floor, cpu[floor]),
        ]
    return rows

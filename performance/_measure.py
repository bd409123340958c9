"""Run a command as a fresh process and report what it used.

This process stays small on purpose: Linux starts a child's peak memory at that of its parent, so
data are made and peers imported in children only.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

__all__ = ["INSTALL", "Usage", "agreement", "assay", "measure", "progress", "script"]

SCRIPTS = Path(__file__).parent / "scripts"
METRICS = ("ndcg@10", "mrr", "ap", "recall@100", "precision@10")
TOLERANCE = 1e-6
INSTALL = "`make perf` installs all peers; by hand: pip install -e '.[dev,perf]'."
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


@dataclass(frozen=True, slots=True)
class Usage:
    """CPU time of all threads (user + system), peak resident memory, and what was printed."""

    cpu_s: float
    peak_bytes: int
    output: str

    def json(self) -> dict[str, Any]:
        """Return the printed JSON object."""
        value: dict[str, Any] = json.loads(self.output)
        return value

    def scores(self) -> dict[str, float]:
        """Return the mean scores, printed by Assay or by a peer's script."""
        value = self.json()
        scores: dict[str, float] = value["runs"][0]["scores"] if "runs" in value else value
        return scores


def measure(command: Sequence[str], environment: Mapping[str, str] | None = None) -> Usage:
    """Run a command to its end; a failure of it ends the measurement."""
    with tempfile.TemporaryFile() as complaints:
        with subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=complaints,
            env={**os.environ, **(environment or {})},
        ) as child:
            output = child.stdout.read() if child.stdout else b""
            _, status, used = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode:
            complaints.seek(0)
            raise SystemExit(_failure(command, complaints.read().decode()))
    unit = 1 if sys.platform == "darwin" else 1024
    return Usage(used.ru_utime + used.ru_stime, used.ru_maxrss * unit, output.decode())


def _failure(command: Sequence[str], complaint: str) -> str:
    hint = f"\nA package is missing. {INSTALL}" if "ModuleNotFoundError" in complaint else ""
    return f"{' '.join(command)} failed:\n{complaint}{hint}"


def assay(qrels: Path, run: Path) -> list[str]:
    """Return the command line that people type, for the five metrics."""
    chosen = [part for metric in METRICS for part in ("-m", metric)]
    program = Path(sys.executable).with_name("assay")
    return [str(program), "eval", str(qrels), str(run), *chosen, "--json"]


def script(name: str, *arguments: object) -> list[str]:
    """Return the command that runs one of the scripts, as a person would run it."""
    return [sys.executable, str(SCRIPTS / f"{name}.py"), *map(str, arguments)]


def agreement(ours: Mapping[str, float], theirs: Mapping[str, float], who: str) -> float:
    """Return the largest difference of a mean score; pytrec_eval must agree, or all stops here."""
    gap = max(abs(ours[metric] - theirs[metric]) for metric in METRICS)
    if who == "pytrec_eval" and not gap <= TOLERANCE:
        lines = [f"  {metric}: {ours[metric]!r} against {theirs[metric]!r}" for metric in METRICS]
        raise SystemExit("\n".join([f"Assay and {who} disagree by {gap:.3g}:", *lines]))
    return gap


def progress(text: str) -> None:
    """Tell the person who waits."""
    print(text, file=sys.stderr, flush=True)
